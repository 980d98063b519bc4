import { findUser, type SerialOption } from '../find-user.js';
import { type JsonOption, printRecord } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { shownUser } from './shown-user.js';

/** `rollcall users get ID` */
export async function getUser(id: string, options: SerialOption & JsonOption): Promise<void> {
  printRecord(await findUser(connectBriefly(), id, options), options, shownUser);
}
