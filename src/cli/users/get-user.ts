import { findUser, type SerialOption } from '../find-user.js';
import { type JsonOption, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatUser } from './format-user.js';

/** `rollcall users get ID` */
export async function getUser(id: string, options: SerialOption & JsonOption): Promise<void> {
  printRecord(await findUser(connectInteractive(), id, options), options, formatUser);
}
