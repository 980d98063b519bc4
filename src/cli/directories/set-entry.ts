import { isRollcallError, type Rollcall } from '#client';
import { type JsonOption, printMessage, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { type Directory, type Entry, hasParents, organizations } from './directory.js';
import { commandWith, formatEntry, formatSerial } from './format-entry.js';

interface SetEntryOptions extends JsonOption {
  /** False clears it. */
  readonly name?: string | false | undefined;
  readonly parent?: string | false | undefined;
}

/** `rollcall organizations set SERIAL`, `rollcall tags set SERIAL`. Omitted options stay unchanged. */
export function setEntry(directory: Directory) {
  const { noun, nouns, operations } = directory;
  return async (serial: string, options: SetEntryOptions): Promise<void> => {
    const { name, parent } = options;
    if (name === undefined && parent === undefined) {
      throw new CommandProblem(
        'wrongUse',
        `Nothing to set. See rollcall ${nouns} set --help for the options.`,
      );
    }
    const rollcall = connectInteractive();
    const current = await entryOf(rollcall, directory, serial);
    const body = {
      displayName: given(name, current?.displayName),
      ...(hasParents(directory) ? { parentSerial: given(parent, current?.parentSerial) } : {}),
    };
    const { data: entry } = (await rollcall.call(operations.put, { path: { serial }, body })).body;
    printRecord<Entry>(entry, options, formatEntry);
    if (options.json) return;
    if (!current) printMessage(`This ${noun} is new in the directory.`);
    if (parent) await mentionUnknownParent(rollcall, parent);
  };
}

function given(value: string | false | undefined, current: string | null | undefined): string | null {
  return value === undefined ? (current ?? null) : value || null;
}

/** Undefined if it is not in the directory yet. */
async function entryOf(
  rollcall: Rollcall,
  { operations }: Directory,
  serial: string,
): Promise<Entry | undefined> {
  try {
    return (await rollcall.call(operations.get, { path: { serial } })).body.data;
  } catch (error) {
    if (isRollcallError(error, 'DIRECTORY_ENTRY_NOT_FOUND')) return undefined;
    throw error;
  }
}

/** The service accepts any parent, even one with a typing error. */
async function mentionUnknownParent(rollcall: Rollcall, parent: string): Promise<void> {
  if (await entryOf(rollcall, organizations, parent)) return;
  const add = commandWith('rollcall organizations set', parent, '--name NAME');
  printMessage(`The parent ${formatSerial(parent)} is not in the directory. To add it: ${add}`);
}
