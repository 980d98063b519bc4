import { createHash } from 'node:crypto';
import { type Failure, failure } from '../contract/errors.js';

/**
 * A cursor is valid only for the list it came from: its position means nothing under other filters or another order.
 */
export function fingerprintOf(...list: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}

export function writeCursor(fingerprint: string, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([fingerprint, ...position])).toString('base64url');
}

/** The position of a cursor issued by this list; undefined for any other text. */
export function readCursor(cursor: string, fingerprint: string): readonly string[] | undefined {
  try {
    const [print, ...position]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (print !== fingerprint) return undefined;
    const texts = position.filter(
      (part): part is string => typeof part === 'string' && !part.includes('\u0000'),
    );
    return texts.length === position.length ? texts : undefined;
  } catch {
    return undefined;
  }
}

export function invalidCursor(): { readonly ok: false; readonly failure: Failure } {
  return {
    ok: false,
    failure: failure(
      'REQUEST_CURSOR_INVALID',
      'Send the "nextCursor" of the previous page with the same filters and sort order. For the first page, omit "cursor".',
    ),
  };
}

export const byId = ({ id }: { readonly id: string }): string => id;

export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
}

export type Page<T> =
  | {
      readonly ok: true;
      readonly items: readonly T[];
      readonly nextCursor: string | null;
      /** If it was requested. */
      readonly total?: { readonly count: number; readonly isExact: boolean };
      /** Of a list that needs the index: whether nothing is missing. */
      readonly isComplete?: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

/** Returns a page of a list sorted by one key. Reads one extra row to know whether there is a next page. */
export async function pageByKey<T>(
  { limit, cursor }: PageRequest,
  list: {
    readonly name: string;
    readonly filters: object;
    isKey(text: string): boolean;
    keyOf(item: NoInfer<T>): string;
  },
  read: (after: string | undefined, rows: number) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const fingerprint = fingerprintOf(list.name, Object.entries(list.filters).sort());
  const position = cursor === undefined ? [] : readCursor(cursor, fingerprint);
  if (!position || position.length > 1 || !position.every(list.isKey)) return invalidCursor();
  const rows = await read(position[0], limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = rows.length > limit && last ? writeCursor(fingerprint, [list.keyOf(last)]) : null;
  return { ok: true, items, nextCursor };
}
