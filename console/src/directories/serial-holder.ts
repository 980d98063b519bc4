import { isRollcallError } from '@rollcall/client';
import { type DirectoryKind, type Entry, findEntry } from '../components/directory.js';
import { renameCall } from './entry-calls.js';

/** The entry that keeps another one from getting its serial. A rename that was interrupted can be repeated. */
export async function findHolder(
  kind: DirectoryKind,
  serial: string,
  newSerial: string,
): Promise<Entry | undefined> {
  const holder = await findEntry(kind, newSerial);
  if (holder === undefined) return undefined;
  try {
    await renameCall(kind, serial, newSerial)({ dryRun: true });
    return undefined;
  } catch (error) {
    if (isRollcallError(error, 'DIRECTORY_ENTRY_EXISTS')) return holder;
    throw error;
  }
}
