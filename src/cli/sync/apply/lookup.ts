import type { SyncRow, User } from '../decide.js';
import type { SendOptions } from './send.js';

/** What the service has, by employee ID. */
export type Users = ReadonlyMap<string, User>;

type Asking = Pick<SendOptions, 'rollcall' | 'signal'>;

/** Everybody whom some rows are about, by the ID that they have or had. */
export function usersOf(asking: Asking, rows: readonly SyncRow[]): Promise<Users> {
  const ids = new Set<string>();
  for (const { employeeID, from } of rows) {
    ids.add(employeeID);
    if (from !== undefined) ids.add(from);
  }
  return lookup(asking, [...ids]);
}

export async function lookup({ rollcall, signal }: Asking, employeeIDs: string[]): Promise<Users> {
  if (employeeIDs.length === 0) return new Map();
  const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs }, retry: { signal } });
  return new Map(body.data.items.map((user) => [user.employeeID, user]));
}
