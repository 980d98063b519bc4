import { type JsonOption, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import type { Directory, Entry } from './directory.js';
import { formatEntry } from './format-entry.js';

/** `rollcall organizations show SERIAL`, `rollcall tags show SERIAL` */
export function showEntry({ operations }: Directory) {
  return async (serial: string, options: JsonOption): Promise<void> => {
    const { body } = await connectInteractive().call(operations.get, { path: { serial } });
    printRecord<Entry>(body.data, options, formatEntry);
  };
}
