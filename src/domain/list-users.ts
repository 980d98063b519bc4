import { createHash } from 'node:crypto';
import { type Failure, failure } from '../contract/errors.js';
import { type UserView, usernameKey } from '../contract/users.js';
import {
  type PagePosition,
  listUsers as readPage,
  type SortKey,
  sortKeys,
  type UserFilters,
} from '../storage/list-users.js';
import type { Context } from './context.js';
import { isSerial } from './serial.js';

export type { SortKey, UserFilters };
export { sortKeys };

export interface ListRequest {
  readonly filters: UserFilters;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export type Listed =
  | { readonly ok: true; readonly items: readonly UserView[]; readonly nextCursor: string | null }
  | { readonly ok: false; readonly failure: Failure };

export async function listUsers({ database }: Context, request: ListRequest): Promise<Listed> {
  const { filters, sort, descending, limit, cursor } = request;
  const fingerprint = fingerprintOf(request);
  const after = cursor === undefined ? undefined : readCursor(cursor, fingerprint, sort);
  if (after === 'invalid') return { ok: false, failure: invalidCursor() };
  const page = await readPage(database.pool, {
    filters: asStored(filters),
    sort,
    descending,
    limit,
    after,
  });
  return { ok: true, items: page.users, nextCursor: page.end ? writeCursor(page.end, fingerprint) : null };
}

/** The forms in which the database compares usernames and finds names. */
function asStored(filters: UserFilters): UserFilters {
  const { username, search } = filters;
  return {
    ...filters,
    ...(username === undefined ? {} : { username: usernameKey(username) }),
    ...(search === undefined ? {} : { search: search.normalize('NFC') }),
  };
}

/** A cursor is good for the list it came from: under other filters or another order its position means nothing. */
function fingerprintOf({ filters, sort, descending }: ListRequest): string {
  const list = JSON.stringify([Object.entries(filters).sort(), sort, descending]);
  return createHash('sha256').update(list).digest('base64url').slice(0, 12);
}

function writeCursor({ key, serial }: PagePosition, fingerprint: string): string {
  return Buffer.from(JSON.stringify([fingerprint, serial, key])).toString('base64url');
}

function readCursor(cursor: string, fingerprint: string, sort: SortKey): PagePosition | 'invalid' {
  try {
    const [print, serial, key, ...rest]: unknown[] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString('utf8'),
    );
    if (print !== fingerprint || rest.length > 0 || typeof serial !== 'string' || !isSerial(serial))
      return 'invalid';
    if (typeof key !== 'string' || key.includes('\u0000') || (sort === 'createdAt' && key !== serial))
      return 'invalid';
    return { key, serial };
  } catch {
    return 'invalid';
  }
}

function invalidCursor(): Failure {
  return failure(
    'REQUEST_CURSOR_INVALID',
    'Send the "nextCursor" of the page before, with the same filters and sort; leave "cursor" out for the first page.',
  );
}
