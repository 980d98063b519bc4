import type { User } from '../decide.js';
import type { SyncRow } from '../file/rows.js';
import type { SendOptions } from './send.js';

/** Users of the service, by employee ID. */
export type Users = ReadonlyMap<string, User>;

type LookupOptions = Pick<SendOptions, 'rollcall' | 'signal'>;

/** The users that rows refer to, by their new or previous employee ID. */
export function usersOf(options: LookupOptions, rows: readonly SyncRow[]): Promise<Users> {
  const ids = new Set<string>();
  for (const { employeeID, from } of rows) {
    ids.add(employeeID);
    if (from !== undefined) ids.add(from);
  }
  return lookup(options, [...ids]);
}

export async function lookup({ rollcall, signal }: LookupOptions, employeeIDs: string[]): Promise<Users> {
  if (employeeIDs.length === 0) return new Map();
  const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs }, retry: { signal } });
  return new Map(body.data.items.map((user) => [user.employeeID, user]));
}
