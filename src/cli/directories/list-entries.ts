import { type ListOptions, type ListShape, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { counted } from '../terminal/numbers.js';
import { sanitize } from '../terminal/text-width.js';
import { type Directory, type Entry, hasParents } from './directory.js';
import { formatUsers } from './format-entry.js';
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
