import { isRollcallError, type Rollcall } from '#client';
import {
  type JsonOption,
  type ListOptions,
  type ListShape,
  pageLimit,
  printJson,
  printList,
  printMessage,
  printRecord,
} from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { count, counted } from '../terminal/numbers.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { shellQuoted } from '../terminal/shell-quoted.js';
import { sanitize } from '../terminal/text-width.js';
import { type Directory, type Entry, hasParents, organizations } from './directory.js';
import { treeOf } from './tree.js';

interface ListEntriesOptions extends ListOptions {
  readonly tree?: boolean | undefined;
}

/** `rollcall organizations list [search]`, `rollcall tags list [search]` */
export function listEntries(directory: Directory) {
  return async (search: string | undefined, options: ListEntriesOptions): Promise<void> => {
    const { tree } = options;
    const shown = { ...options, all: options.all || tree };
    const query = { search, limit: pageLimit(shown) };
    const entries = connectInteractive().each(directory.operations.list, { query });
    await printList<Entry>(tree ? indented(entries) : entries, shown, entryList(directory, search));
  };
}

/** `rollcall organizations show SERIAL`, `rollcall tags show SERIAL` */
export function showEntry({ operations }: Directory) {
  return async (serial: string, options: JsonOption): Promise<void> => {
    const { body } = await connectInteractive().call(operations.get, { path: { serial } });
    printRecord<Entry>(body.data, options, formatEntry);
  };
}

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

interface DeleteEntryOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall organizations delete SERIAL`, `rollcall tags delete SERIAL` */
export function deleteEntry({ noun, operations }: Directory) {
  return async (serial: string, { yes, json }: DeleteEntryOptions): Promise<void> => {
    const rollcall = connectInteractive();
    const { body } = await rollcall.call(operations.get, { path: { serial } });
    await confirmOrAbort(
      `Remove the ${noun} ${formatNamed(body.data)} from the directory? This cannot be undone.`,
      yes,
    );
    const deleted = await rollcall.call(operations.delete, { path: { serial } });
    if (json) printJson(deleted.body.data);
    else printMessage(`Removed ${formatNamed(body.data)} from the directory.`);
  };
}

/** In a sentence or as the value of an option; quoted if it has spaces or other punctuation. */
export function formatSerial(serial: string): string {
  return shellQuoted(sanitize(serial));
}

/** A command to paste, with the serial before the options, as in the help, unless it looks like an option itself. */
export function commandWith(command: string, serial: string, options = ''): string {
  const word = formatSerial(serial);
  const words = word.startsWith('-') ? [command, options, '--', word] : [command, word, options];
  return words.filter((each) => each !== '').join(' ');
}

async function* indented(entries: AsyncIterable<Entry>): AsyncGenerator<Entry, void, void> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  for (const { entry, level } of treeOf(all)) {
    yield { ...entry, serial: `${'  '.repeat(level)}${entry.serial}` };
  }
}

function entryList(directory: Directory, search: string | undefined): ListShape<Entry> {
  const parent = hasParents(directory);
  const { noun, nouns } = directory;
  return {
    headings: ['SERIAL', 'NAME', ...(parent ? ['PARENT'] : []), 'USERS', 'ACTIVE'],
    row: ({ serial, displayName, parentSerial, users }) => [
      serial,
      displayName ?? '',
      ...(parent ? [parentSerial ?? ''] : []),
      formatUsers(users, 'total'),
      formatUsers(users, 'active'),
    ],
    empty: emptyText(directory, search),
    summary: ({ printed, isMore }) => `${isMore ? 'The first ' : ''}${counted(printed, noun, nouns)}`,
  };
}

function emptyText({ nouns, userOption }: Directory, search: string | undefined): string {
  if (search !== undefined) {
    return `No ${nouns} match "${sanitize(search)}". Try part of a serial or of a display name.`;
  }
  return `There are no ${nouns} yet. They appear once a user has one (rollcall users update E1001 ${userOption}) or once you name one (rollcall ${nouns} set --help).`;
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

function formatEntry(entry: Entry): [name: string, value: string][] {
  return [
    ['serial', entry.serial],
    ['name', entry.displayName ?? ''],
    ...(entry.parentSerial === undefined
      ? []
      : [['parent', entry.parentSerial ?? ''] satisfies [string, string]]),
    ['users', formatUsers(entry.users, 'total')],
    ['active', formatUsers(entry.users, 'active')],
  ];
}

/** "42", or "~42" if many users have just changed. */
function formatUsers(users: Entry['users'], which: 'total' | 'active'): string {
  return `${users.isExact ? '' : '~'}${count(users[which])}`;
}

/** "ORG7 (Sales, Berlin)" */
function formatNamed({ serial, displayName }: Pick<Entry, 'serial' | 'displayName'>): string {
  return `${formatSerial(serial)}${displayName === null ? '' : ` (${sanitize(displayName)})`}`;
}
