import type { Schemas } from '@rollcall/client';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';
import { usersKey } from '../list/use-users.js';
import type { User } from './user.js';

/** A person, and which version of them this is. */
export interface VersionedUser {
  readonly user: User;
  readonly etag: string;
}

type RoleData = Schemas['RoleReply']['data'];
export type Role = RoleData['role'];

export function userQuery(serial: string) {
  return queryOptions({
    queryKey: ['person', serial],
    queryFn: async ({ signal }): Promise<VersionedUser> =>
      versioned(await rollcall.call('getUser', { path: { serial }, signal })),
  });
}

export function roleQuery(serial: string) {
  return queryOptions({
    queryKey: ['person', serial, 'role'],
    queryFn: async ({ signal }): Promise<RoleData> =>
      (await rollcall.call('getRole', { path: { serial }, signal })).body.data,
  });
}

export function historyQuery(serial: string) {
  return infiniteQueryOptions({
    queryKey: ['person', serial, 'history'],
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { cursor: pageParam };
      return (await rollcall.call('userHistory', { path: { serial }, query, signal })).body.data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Changes fields of the version that was seen; of a later one nothing is changed. */
export async function saveUser(
  { user, etag }: VersionedUser,
  changes: Schemas['PatchUser'],
): Promise<VersionedUser> {
  const { serial } = user;
  const headers = { 'if-match': etag };
  const { etag: newEtag = '', body } = await rollcall.call('updateUser', {
    path: { serial },
    headers,
    body: changes,
  });
  // Only a token without users:read is told less than the user, and every role that may change people may read them.
  if (!('employeeID' in body.data)) return versioned(await rollcall.call('getUser', { path: { serial } }));
  return { user: body.data, etag: newEtag };
}

/** What was shown of a person is not true any more; what they are now is known. */
export async function updateCachedUser(queries: QueryClient, saved: VersionedUser): Promise<void> {
  const { queryKey } = userQuery(saved.user.serial);
  queries.setQueryData(queryKey, saved);
  await Promise.all([
    queries.invalidateQueries({ queryKey: usersKey }),
    queries.invalidateQueries({ queryKey: [...queryKey, 'history'] }),
    // A deactivation removes the role.
    queries.invalidateQueries({ queryKey: [...queryKey, 'role'] }),
  ]);
}

/** The number in an ETag grows with every change. */
export function isNewer(one: VersionedUser, other: VersionedUser): boolean {
  return versionOf(one) > versionOf(other);
}

function versionOf({ etag }: VersionedUser): number {
  return Number(etag.replace(/\D/g, ''));
}

function versioned(reply: { etag: string | undefined; body: { data: User } }): VersionedUser {
  return { user: reply.body.data, etag: reply.etag ?? '' };
}
