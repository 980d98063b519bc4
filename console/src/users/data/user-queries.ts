import type { Schemas } from '@rollcall/client';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';
import type { User } from './user.js';

export type UpcomingChange = Schemas['UpcomingChange'];

export interface VersionedUser {
  readonly user: User;
  readonly etag: string;
  /** Not part of the reply to a change. */
  readonly upcomingChanges?: readonly UpcomingChange[];
}

/** The key of every list of users. */
export const usersKey = ['users'] as const;

type RoleData = Schemas['RoleReply']['data'];
export type Role = RoleData['role'];

export function userQuery(serial: string) {
  return queryOptions({
    queryKey: ['user', serial],
    queryFn: async ({ signal }): Promise<VersionedUser> =>
      versioned(await rollcall.call('getUser', { path: { serial }, signal })),
  });
}

export function roleQuery(serial: string) {
  return queryOptions({
    queryKey: ['user', serial, 'role'],
    queryFn: async ({ signal }): Promise<RoleData> =>
      (await rollcall.call('getRole', { path: { serial }, signal })).body.data,
  });
}

export function employeeIdsQuery(serial: string) {
  return queryOptions({
    queryKey: ['user', serial, 'employee-ids'],
    queryFn: async ({ signal }) =>
      (await rollcall.call('userEmployeeIds', { path: { serial }, signal })).body.data.items,
  });
}

export function idHistoryQuery(employeeID: string) {
  return queryOptions({
    queryKey: ['employee-id', employeeID],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getEmployeeId', { path: { employeeID }, signal })).body.data,
  });
}

export function historyQuery(serial: string) {
  return infiniteQueryOptions({
    queryKey: ['user', serial, 'history'],
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { cursor: pageParam };
      return (await rollcall.call('userHistory', { path: { serial }, query, signal })).body.data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Fails if the user has been changed since. */
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
  // Only tokens without users:read get less than the user, and every role that may change users may read them.
  if (!('employeeID' in body.data)) return versioned(await rollcall.call('getUser', { path: { serial } }));
  return { user: body.data, etag: newEtag };
}

export async function updateCachedUser(queries: QueryClient, saved: VersionedUser): Promise<void> {
  const { queryKey } = userQuery(saved.user.serial);
  queries.setQueryData(queryKey, (before: VersionedUser | undefined) => ({ ...before, ...saved }));
  await Promise.all([
    queries.invalidateQueries({ queryKey: usersKey }),
    queries.invalidateQueries({ queryKey: [...queryKey, 'history'] }),
    queries.invalidateQueries({ queryKey: [...queryKey, 'employee-ids'] }),
    queries.invalidateQueries({ queryKey: ['employee-id'] }),
    // A deactivation removes the role.
    queries.invalidateQueries({ queryKey: [...queryKey, 'role'] }),
  ]);
}

/** The number in the ETag increases with every change. */
export function isNewer(one: VersionedUser, other: VersionedUser): boolean {
  return versionOf(one) > versionOf(other);
}

function versionOf({ etag }: VersionedUser): number {
  return Number(etag.replace(/\D/g, ''));
}

type ReadUser = User & { readonly upcomingChanges: readonly UpcomingChange[] };

function versioned(reply: { etag: string | undefined; body: { data: ReadUser } }): VersionedUser {
  const { upcomingChanges, ...user } = reply.body.data;
  return { user, etag: reply.etag ?? '', upcomingChanges };
}
