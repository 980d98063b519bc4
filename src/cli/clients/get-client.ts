import { type JsonOption, printRecord } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { shownClient } from './shown-client.js';

/** `rollcall clients get ID` */
export async function getClient(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectBriefly().call('getClient', { path: { id } });
  printRecord(body.data, options, shownClient);
}
