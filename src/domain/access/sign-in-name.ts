import { type StoredUser, usernameKey } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { nameHolders } from '../../storage/users/user-names.js';

/** The name that a user signs in with: the username or, if it is nobody's username, the employee ID. Otherwise null. */
export async function signInNameOf(
  executor: Executor,
  { serial, username, employeeID }: Pick<StoredUser, 'serial' | 'username' | 'employeeID'>,
): Promise<string | null> {
  if (username !== null) return username;
  const names = { employeeID: null, usernameKey: usernameKey(employeeID) };
  const holders = await nameHolders(executor, names, serial);
  return holders.username === null ? employeeID : null;
}
