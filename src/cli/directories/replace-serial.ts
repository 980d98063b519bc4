import { isRollcallError } from '#client';
import type { MatchingOptions } from '../matching/options.js';
import { runMatching } from '../matching/run-matching.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { type Directory, hasParents } from './directory.js';
import { commandWith, formatSerial } from './entries.js';

/** `rollcall organizations rename SERIAL NEW-SERIAL`, `rollcall tags rename SERIAL NEW-SERIAL` */
export function renameEntry(directory: Directory) {
  const { nouns, operations } = directory;
  return async (serial: string, newSerial: string, options: MatchingOptions): Promise<CommandResult> => {
    requireTwo(serial, newSerial);
    const [from, to] = [formatSerial(serial), formatSerial(newSerial)];
    try {
      return await runMatching(
        {
          send: (rollcall, query) => rollcall.call(operations.rename, { query, body: { serial, newSerial } }),
          nobody: `No user has ${from}. Only its entry in the directory would be renamed.`,
          questionWithoutUsers: `No user has ${from}. Rename it to ${to} in the directory?`,
          notes: async () => [`${to} takes over ${whatMoves(directory)} of ${from}.`],
          next: `Renamed ${from} to ${to}.`,
        },
        options,
      );
    } catch (error) {
      if (!isRollcallError(error, 'DIRECTORY_ENTRY_EXISTS')) throw error;
      const merge = commandWith(`rollcall ${nouns} merge`, serial, `--into ${to}`);
      throw new CommandProblem(
        'refused',
        `${to} is already in the directory. Nothing was changed. To move all users of ${from} to it: ${merge}`,
        { cause: error },
      );
    }
  };
}

export interface MergeOptions extends MatchingOptions {
  readonly into: string;
}

/** `rollcall organizations merge SERIAL --into SERIAL`, `rollcall tags merge SERIAL --into SERIAL` */
export function mergeEntry(directory: Directory) {
  const { operations } = directory;
  return async (serial: string, { into, ...options }: MergeOptions): Promise<CommandResult> => {
    requireTwo(serial, into);
    return runMatching(
      {
        send: (rollcall, query) => rollcall.call(operations.merge, { query, body: { serial, into } }),
        nobody: `No user has ${formatSerial(serial)}, so there is nothing to merge. ${removal(directory, serial)}`,
        next: leftOver(directory, serial),
      },
      options,
    );
  };
}

function requireTwo(serial: string, other: string): void {
  if (serial !== other) return;
  throw new CommandProblem('wrongUse', 'Both serials are the same. Nothing would change.');
}

function whatMoves(directory: Directory): string {
  return hasParents(directory) ? 'the display name, the parent and the parts' : 'the display name';
}

/** A merge keeps the old entry, so that its name is there after an undo. */
function leftOver(directory: Directory, serial: string): string {
  return `${formatSerial(serial)} stays in the directory, without users. ${removal(directory, serial)}`;
}

function removal({ nouns }: Directory, serial: string): string {
  return `To remove it: ${commandWith(`rollcall ${nouns} delete`, serial)}`;
}
