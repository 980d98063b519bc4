import type { Schemas } from '@rollcall/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';
import type { User } from './user.js';

export type Change = Schemas['Change'];
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

/** Everyone above a user, and those who report to them. */
export function chartQuery(serial: string) {
  return queryOptions({
    queryKey: ['user', serial, 'chart'],
    queryFn: async ({ signal }) => {
      const [{ body: above }, below] = await Promise.all([
        rollcall.call('getUser', { path: { serial }, signal }),
        readReports(serial, signal),
      ]);
      const { managers, manager } = above.data;
      return { managers, manager, ...below };
    },
    staleTime: 0,
  });
}

/** Those who report to a user of the chart. */
export function reportsQuery(serial: string) {
  return queryOptions({
    queryKey: ['user', serial, 'reports'],
    queryFn: ({ signal }) => readReports(serial, signal),
    staleTime: 0,
  });
}

async function readReports(serial: string, signal: AbortSignal) {
  const query = { limit: chartReportsMax };
  const { items, nextCursor } = (await rollcall.call('listReports', { path: { serial }, query, signal })).body
    .data;
  return { reports: items, isMore: nextCursor !== null };
}

/** The others are in the list of users. */
const chartReportsMax = 60;

export function idHistoryQuery(employeeID: string) {
  return queryOptions({
    queryKey: ['employee-id', employeeID],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getEmployeeId', { path: { employeeID }, signal })).body.data,
  });
}

/** Another user who has this email; null if there is none. */
export function emailOwnerQuery(email: string, except: string | undefined) {
  return queryOptions({
    queryKey: [...usersKey, 'email', email, except],
    queryFn: async ({ signal }) => {
      const query = { search: email, exactFirst: true, limit: 20 };
      const { items } = (await rollcall.call('listUsers', { query, signal })).body.data;
      const isOwner = (user: User) => user.email?.toLowerCase() === email.toLowerCase();
      return items.find((user) => isOwner(user) && user.serial !== except) ?? null;
    },
  });
}

/** The key of everything that is on record about a user. */
export function historyKey(serial: string) {
  return ['user', serial, 'history'] as const;
}

/** When the user last signed in; null if that is not on record. */
export function lastSignInQuery(serial: string) {
  return queryOptions({
    queryKey: [...historyKey(serial), 'last-sign-in'],
    queryFn: async ({ signal }) => {
      const query = { userSerial: serial, kind: 'sign-in.succeeded', limit: 1 } as const;
      const { items } = (await rollcall.call('listAccessEvents', { query, signal })).body.data;
      return items[0]?.at ?? null;
    },
  });
}

const passwordKinds: readonly string[] = ['initial-password', 'reset-password', 'password-link'];

/** The last message that was to bring a password, if it failed; null otherwise. */
export function failedPasswordQuery(serial: string) {
  return queryOptions({
    queryKey: [...historyKey(serial), 'failed-password'],
    queryFn: async ({ signal }) => {
      const query = { userSerial: serial, limit: 20 };
      const { items } = (await rollcall.call('listDeliveries', { query, signal })).body.data;
      const last = items.find(({ kind }) => passwordKinds.includes(kind));
      return last?.state === 'parked' ? last : null;
    },
  });
}

/** The newest changes, for those who may see who made them. */
export function newestChangesQuery(serial: string) {
  return queryOptions({
    queryKey: [...historyKey(serial), 'newest'],
    queryFn: async ({ signal }) => {
      const request = { path: { serial }, query: { limit: 20 }, signal };
      return (await rollcall.call('userHistory', request)).body.data.items;
    },
    staleTime: 0,
  });
}

/** What happened to a user after a change, newest first. */
export function changesSinceQuery({ userSerial, sequence }: Change) {
  return queryOptions({
    queryKey: [...historyKey(userSerial), 'since', sequence],
    queryFn: async ({ signal }) => {
      const later: Change[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
        const request = { path: { serial: userSerial }, query, signal };
        const { items, nextCursor } = (await rollcall.call('userHistory', request)).body.data;
        later.push(...items.filter((each) => each.sequence > sequence));
        cursor = items.some((each) => each.sequence <= sequence) ? null : nextCursor;
      }
      return later;
    },
    staleTime: 0,
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
    queries.invalidateQueries({ queryKey: [...queryKey, 'chart'] }),
    queries.invalidateQueries({ queryKey: ['employee-id'] }),
    // A deactivation removes the role.
    queries.invalidateQueries({ queryKey: [...queryKey, 'role'] }),
  ]);
}

/** The number in the ETag increases with every change. */
export function isNewer(one: VersionedUser, other: VersionedUser): boolean {
  return versionOf(one) > versionOf(other);
}

export function versionOf({ etag }: VersionedUser): number {
  return Number(etag.replace(/\D/g, ''));
}

type ReadUser = User & { readonly upcomingChanges: readonly UpcomingChange[] };

function versioned(reply: { etag: string | undefined; body: { data: ReadUser } }): VersionedUser {
  const { upcomingChanges, ...user } = reply.body.data;
  return { user, etag: reply.etag ?? '', upcomingChanges };
}
