import type { ProviderUserField } from '../../contract/enums.js';
import { employeeIdField, usernameField } from '../../contract/fields.js';
import { usernameKey } from '../../contract/users.js';
import { type MatchingUser, usersMatching } from '../../storage/access/provider-sign-ins.js';
import type { Executor } from '../../storage/database.js';

export type UserFound =
  | { readonly found: 'user'; readonly user: MatchingUser }
  | { readonly found: 'nobody' }
  | { readonly found: 'several' };

/** Whom the provider means. Inactive users don't keep an active one with the same email address out. */
export async function findProviderUser(
  executor: Executor,
  field: ProviderUserField,
  value: string,
): Promise<UserFound> {
  const key = keyOf(field, value);
  const matching = key === undefined ? [] : await usersMatching(executor, field, key);
  const same = field === 'email' ? matching.filter(({ email }) => sameAddress(email, value)) : matching;
  const active = same.filter(({ isActive }) => isActive);
  const [user, another] = active.length > 0 ? active : same;
  if (!user) return { found: 'nobody' };
  return another ? { found: 'several' } : { found: 'user', user };
}

function keyOf(field: ProviderUserField, value: string): string | undefined {
  if (field === 'employeeID') return employeeIdField.accepts(value) ? value : undefined;
  if (field === 'username') return usernameField.accepts(value) ? usernameKey(value) : undefined;
  return value.toLowerCase();
}

/** Ignores case in ASCII only: some other letters fold into these, such as the Kelvin sign into a k. */
function sameAddress(stored: string | null, sent: string): boolean {
  return stored !== null && asciiLowerCase(stored) === asciiLowerCase(sent);
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
