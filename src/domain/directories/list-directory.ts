import type { DirectoryKind } from '../../contract/directories.js';
import { type DirectoryEntry, listDirectory as readPage } from '../../storage/directories/directories.js';
import type { Context } from '../context.js';
import {
  fingerprintOf,
  invalidCursor,
  type Page,
  type PageRequest,
  readCursor,
  writeCursor,
} from '../cursor.js';
import { foldedWords } from '../indexing/fold.js';
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
  const patterns = patternsOf(search);
  const rows = await withFreshUsers(context, (tx, fresh) =>
    readPage(tx, kind, { fresh, after: position[0], limit: limit + 1, patterns }),
  );
  if ('error' in rows) return { ok: false, failure: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1) as DirectoryEntry;
  const nextCursor = rows.length > limit ? writeCursor(fingerprint, [last.serial]) : null;
  return { ok: true, items: items.map((entry) => viewOf(kind, entry)), nextCursor };
}

/** Every word must be in the serial or in the display name. Serials can consist of anything, so they match as typed. */
function patternsOf(search: string | undefined): string[] {
  const typed = search?.trim().toLowerCase() ?? '';
  if (typed === '') return [];
  const words = foldedWords(typed);
  const literal = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return words.length > 0 && words.join(' ') !== typed ? words.map(literal) : typed.split(/\s+/).map(literal);
}
