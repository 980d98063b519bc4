import type { DirectoryKind } from '../../contract/directories.js';
import { type Executor, snapshot } from '../../storage/database.js';
import { type DirectoryWord, listDirectory as readPage } from '../../storage/directories/entries.js';
import { countsWithParts } from '../../storage/directories/parents.js';
import type { Context } from '../context.js';
import {
  fingerprintOf,
  invalidCursor,
  type Page,
  type PageRequest,
  readCursor,
  writeCursor,
} from '../cursor.js';
import { foldedSpellings } from '../indexing/fold.js';
import { containsPattern, searchWordsMax } from '../indexing/search-query.js';
import { type EntryView, viewOf } from './entry-view.js';
import { type FreshCounts, freshCounts } from './fresh-counts.js';

export interface DirectoryQuery {
  readonly search?: string | undefined;
  /** Whether the users of all parts are counted, too. */
  readonly includeParts?: boolean | undefined;
}

/** Entries in the order of their serials, with current counts. */
export async function listDirectory(
  context: Context,
  kind: DirectoryKind,
  { search, includeParts }: DirectoryQuery,
  { limit, cursor }: PageRequest,
): Promise<Page<EntryView>> {
  const fingerprint = fingerprintOf(kind, search ?? null);
  const position = cursor === undefined ? [] : readCursor(cursor, fingerprint);
  if (!position || position.length > 1) return invalidCursor();
  const words = wordsOf(search);
  const { items, isLast } = await snapshot(context.database, async (tx) => {
    const counts = await freshCounts(tx);
    const page = { fresh: counts.fresh, after: position[0], limit: limit + 1, words };
    const rows = await readPage(tx, kind, page);
    const items = rows.slice(0, limit).map((entry) => viewOf(kind, entry, counts));
    const isLast = rows.length <= limit;
    return { items: includeParts ? await withCountsOfParts(tx, items, counts) : items, isLast };
  });
  const last = items.at(-1);
  const nextCursor = isLast || !last ? null : writeCursor(fingerprint, [last.serial]);
  return { ok: true, items, nextCursor };
}

async function withCountsOfParts(
  tx: Executor,
  items: readonly EntryView[],
  { fresh, isExact }: FreshCounts,
): Promise<EntryView[]> {
  const serials = items.filter(({ hasParts }) => hasParts).map(({ serial }) => serial);
  const counts = await countsWithParts(tx, serials, fresh);
  const bySerial = new Map(counts.map(({ serial, total, active }) => [serial, { total, active, isExact }]));
  return items.map((item) => ({ ...item, usersWithParts: bySerial.get(item.serial) ?? item.users }));
}

/** Serials can consist of anything, so a word is searched as typed, and by its parts as in a search for users. */
function wordsOf(search: string | undefined): DirectoryWord[] {
  const typed = search?.trim().toLowerCase() ?? '';
  return typed === ''
    ? []
    : [...new Set(typed.split(/\s+/))].slice(0, searchWordsMax).map((word) => ({
        typed: containsPattern(word),
        folded: foldedSpellings(word).map((spellings) => spellings.map(containsPattern)),
      }));
}
