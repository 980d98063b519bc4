import { type UserView, usernameKey } from '../../contract/users.js';
import {
  type PagePosition,
  listUsers as readPage,
  type SortKey,
  sortKeys,
  type UserFilters,
} from '../../storage/users/list-users.js';
import type { Context } from '../context.js';
import { fingerprintOf, invalidCursor, type Page, readCursor, writeCursor } from '../cursor.js';
import { isSerial } from '../serial.js';

export type { SortKey, UserFilters };
export { sortKeys };

export interface ListRequest {
  readonly filters: UserFilters;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export type Listed = Page<UserView>;

export async function listUsers({ database }: Context, request: ListRequest): Promise<Listed> {
  const { filters, sort, descending, limit, cursor } = request;
  const fingerprint = fingerprintOf(Object.entries(filters).sort(), sort, descending);
  const after = cursor === undefined ? undefined : positionIn(cursor, fingerprint, sort);
  if (after === 'invalid') return invalidCursor();
  const page = await readPage(database.pool, {
    filters: asStored(filters),
    sort,
    descending,
    limit,
    after,
  });
  const nextCursor = page.end ? writeCursor(fingerprint, [page.end.serial, page.end.key]) : null;
  return { ok: true, items: page.users, nextCursor };
}

/** Normalizes filters the way usernames and names are stored. */
function asStored(filters: UserFilters): UserFilters {
  const { username, search } = filters;
  return {
    ...filters,
    ...(username === undefined ? {} : { username: usernameKey(username) }),
    ...(search === undefined ? {} : { search: search.normalize('NFC') }),
  };
}

function positionIn(cursor: string, fingerprint: string, sort: SortKey): PagePosition | 'invalid' {
  const [serial, key, ...rest] = readCursor(cursor, fingerprint) ?? [];
  if (serial === undefined || key === undefined || rest.length > 0 || !isSerial(serial)) return 'invalid';
  return sort === 'createdAt' && key !== serial ? 'invalid' : { key, serial };
}
