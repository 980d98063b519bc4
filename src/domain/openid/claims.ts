import { parseAttributes } from '../../contract/attribute-values.js';
import type { Executor } from '../../storage/database.js';
import type { ApplicationClient } from '../../storage/openid/applications.js';
import { confirmedContactsOf } from '../../storage/openid/confirmed-contacts.js';
import type { Member } from '../../storage/openid/members.js';
import { loadAttributes } from '../attributes/attribute-facts.js';

/** Which scope includes which claims. */
export const claimsByScope = {
  openid: ['sub'],
  profile: ['name', 'preferred_username', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  employee: ['employee_id', 'organization', 'organization_name', 'tags', 'manager', 'attributes'],
} as const;

type Claim = (typeof claimsByScope)[keyof typeof claimsByScope][number];
type Claims = Readonly<Partial<Record<Claim, unknown>>>;

/**
 * Everything that the application may be told about the user now, whatever its tokens were issued for. The scopes of a token
 * select from it.
 */
export async function claimsOf(
  executor: Executor,
  user: Member,
  { attributes, scopes }: Pick<ApplicationClient, 'attributes' | 'scopes'>,
): Promise<Claims> {
  const [confirmed, values] = await Promise.all([
    confirmedContactsOf(executor, user.serial),
    attributesOf(executor, user, attributes),
  ]);
  const { email, phone, managerSerial } = user;
  return permitted(scopes, {
    // Never changes, unlike the employee ID and the username.
    sub: user.serial,
    name: user.name,
    preferred_username: user.username,
    locale: user.language,
    updated_at: Math.floor(user.updatedAt.getTime() / 1_000),
    email,
    // Only if the user has shown that messages arrive: an administrator may have mistyped it.
    email_verified: email === null ? null : confirmed.get('email') === email,
    phone_number: phone,
    phone_number_verified: phone === null ? null : confirmed.get('phone') === phone,
    employee_id: user.employeeID,
    organization: user.organizationSerial,
    organization_name: user.organizationName,
    tags: user.tagSerials,
    manager:
      managerSerial === null
        ? null
        : { sub: managerSerial, employee_id: user.managerEmployeeID, name: user.managerName },
    attributes: values,
  });
}

async function attributesOf(
  executor: Executor,
  { attributes: stored }: Member,
  chosen: readonly string[],
): Promise<object | null> {
  if (chosen.length === 0) return null;
  const definitions = await loadAttributes(executor);
  const values = stored === null ? {} : definitions.shown(parseAttributes(stored), true);
  return Object.fromEntries(
    chosen.flatMap((key) => (Object.hasOwn(values, key) ? [[key, values[key]]] : [])),
  );
}

function permitted(scopes: ApplicationClient['scopes'], claims: Claims): Claims {
  const allowed = new Set<string>(
    scopes.flatMap((scope) => (scope === 'offline_access' ? [] : claimsByScope[scope])),
  );
  return Object.fromEntries(
    Object.entries(claims).filter(
      ([name, value]) => allowed.has(name) && value !== null && value !== undefined,
    ),
  );
}
