import { readUsers } from '../../storage/users/read-users.js';
import type { Context } from '../context.js';
import type { PasswordHasher } from '../passwords/password.js';
import type { Parsed } from '../read-fields.js';
import type { BulkChange } from './user-rules.js';

/** A password, and the index of its item in the chunk. */
export interface GivenPassword {
  readonly index: number;
  readonly password: string;
}

/** By index. Hashing is slow by design, so it happens before any lock is taken. */
export async function passwordHashes(
  passwords: PasswordHasher,
  given: readonly GivenPassword[],
): Promise<Map<number, string>> {
  const hashes = await passwords.hashAll(given.map(({ password }) => password));
  return new Map(given.map(({ index }, at) => [index, hashes[at] as string]));
}

/**
 * Hashes only the passwords of users who may be created: those who are missing now, and those whose employee ID an item
 * releases. A nightly call may well send a password with every user.
 */
export async function hashesForNewUsers(
  { database, passwords }: Context,
  items: readonly Parsed<BulkChange>[],
): Promise<Map<number, string>> {
  const given = items.flatMap((item, index) => {
    if (!item.ok || item.value.creation == null || item.value.creation.password === null) return [];
    return [{ index, password: item.value.creation.password, employeeID: item.value.targetEmployeeID }];
  });
  if (given.length === 0) return new Map();
  const employeeIDs = [...new Set(given.map(({ employeeID }) => employeeID))];
  const existing = await readUsers(database.pool, { employeeIDs, usernames: [] });
  const kept = new Set(existing.map(({ employeeID }) => employeeID));
  for (const item of items)
    if (item.ok && item.value.change.employeeID !== undefined) kept.delete(item.value.targetEmployeeID);
  return passwordHashes(
    passwords,
    given.filter(({ employeeID }) => !kept.has(employeeID)),
  );
}
