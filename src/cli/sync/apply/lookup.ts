import type { Schemas } from '#client';
import type { SyncRow } from '#sheets';
import type { SendOptions } from './send.js';

/** Users of the service, by employee ID. */
export type Users = ReadonlyMap<string, Schemas['User']>;

/** What a lookup depends on besides the employee IDs. */
export interface LookupOptions extends Pick<SendOptions, 'rollcall' | 'signal' | 'asOf'> {
  /** Notes employee IDs that meant another user when the file was written. */
  readonly reassigned?: ReassignedIds | undefined;
}

/** Employee IDs of a file that have changed hands since it was written. */
export interface ReassignedIds {
  readonly since: string;
  readonly ids: Set<string>;
}

/** The users that rows refer to, by their new or previous employee ID. */
export function usersOf(options: LookupOptions, rows: readonly SyncRow[]): Promise<Users> {
  const ids = new Set<string>();
  for (const { employeeID, from } of rows) {
    ids.add(employeeID);
    if (from !== undefined) ids.add(from);
  }
  return lookup(options, [...ids]);
}

export async function lookup(
  { rollcall, signal, asOf, reassigned }: LookupOptions,
  employeeIDs: string[],
): Promise<Users> {
  if (employeeIDs.length === 0) return new Map();
  const query = { asOf, changedSince: reassigned?.since };
  const { body } = await rollcall.call('lookupUsers', { query, body: { employeeIDs }, retry: { signal } });
  for (const id of body.data.reassigned ?? []) reassigned?.ids.add(id);
  return new Map(body.data.items.map(asOfThen).map((user) => [user.employeeID, user]));
}

/** With as-of addressing, a row names a user by the employee ID of then, and does not change the present one. */
function asOfThen({ employeeIDAsOf, ...user }: Schemas['FoundUser']): Schemas['User'] {
  return employeeIDAsOf === undefined ? user : { ...user, employeeID: employeeIDAsOf };
}
