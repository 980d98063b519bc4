import type { DirectoryKind } from '../../contract/directories.js';
import {
  type DirectoryEntry,
  type DirectoryWord,
  listDirectory as readPage,
} from '../../storage/directories/entries.js';
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
import { withFreshUsers } from './fresh-counts.js';

/** Entries in the order of their serials, with current counts. */
export async function listDirectory(
  context: Context,
  kind: DirectoryKind,
  search: string | undefined,
  { limit, cursor }: PageRequest,
): Promise<Page<EntryView>> {
  const fingerprint = fingerprintOf(kind, search ?? null);
  const position = cursor === undefined ? [] : readCursor(cursor, fingerprint);
  if (!position || position.length > 1) return invalidCursor();
  const words = wordsOf(search);
  const rows = await withFreshUsers(context, (tx, fresh) =>
    readPage(tx, kind, { fresh, after: position[0], limit: limit + 1, words }),
  );
  if ('error' in rows) return { ok: false, failure: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1) as DirectoryEntry;
  const nextCursor = rows.length > limit ? writeCursor(fingerprint, [last.serial]) : null;
  return { ok: true, items: items.map((entry) => viewOf(kind, entry)), nextCursor };
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
