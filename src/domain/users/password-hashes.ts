import type { Database } from '../../storage/database.js';
import { readUsers } from '../../storage/users/read-users.js';
import type { PasswordHasher } from '../passwords/password.js';
import type { Parsed } from '../read-fields.js';
import { targetFinder } from './plans/target.js';
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
 * Hashes only the passwords of users who may be created or rehired: those who are missing now or inactive, and those whom
 * an item renames or deactivates. A nightly call may well send a password with every user.
 */
export async function hashesForNewUsers(
  { database, passwords }: { readonly database: Database; readonly passwords: PasswordHasher },
  items: readonly Parsed<BulkChange>[],
): Promise<Map<number, string>> {
  const given = items.flatMap((item, index) => {
    const { creation, rehire } = item.ok ? item.value : {};
    const password = (creation ?? rehire)?.password ?? null;
    return item.ok && password !== null ? [{ index, password, item: item.value }] : [];
  });
  if (given.length === 0) return new Map();
  const existing = await readUsers(database.pool, {
    employeeIDs: [...new Set(given.map(({ item }) => item.targetEmployeeID))],
    usernames: [],
    serials: given.flatMap(({ item }) => (item.rehire && item.targetThen?.serial) || []),
  });
  const userOf = targetFinder(existing);
  const held = new Set(existing.map(({ employeeID }) => employeeID));
  const deactivated = new Set<string>();
  for (const item of items) {
    if (!item.ok) continue;
    const { targetEmployeeID, change } = item.value;
    if (change.employeeID !== undefined) held.delete(targetEmployeeID);
    if (change.isActive === false) deactivated.add(targetEmployeeID);
  }
  const needsPassword = (item: BulkChange) => {
    if (!held.has(item.targetEmployeeID)) return true;
    const user = item.rehire && userOf(item);
    return user !== undefined && (!user.isActive || deactivated.has(item.targetEmployeeID));
  };
  return passwordHashes(
    passwords,
    given.filter(({ item }) => needsPassword(item)),
  );
}
