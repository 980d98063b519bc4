import { type JsonOption, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatClient } from './format-client.js';

/** `rollcall clients get ID` */
export async function getClient(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('getClient', { path: { id } });
  printRecord(body.data, options, formatClient);
}
