import type { ProviderUserField } from './enums.js';
import { claimNamed } from './issuers.js';
import { type Role, roles } from './scopes.js';

/** Which role a value of the role claim gives. */
export type RoleMapping = readonly (readonly [value: string, role: Role])[];

/** Most likely pairs that are separated by something else. */
const anotherPair = new RegExp(`=\\s*(?:${roles.join('|')})\\b`);
const pair = new RegExp(`\\s*(.*?[^\\s,])\\s*=\\s*(${roles.join('|')})\\s*(?:,|$)`, 'y');

/** `value=role` pairs separated by commas. A value may contain commas and equals signs itself, as names in LDAP do. */
export function parseRoleMapping(text: string): RoleMapping | undefined {
  const pairs: [string, Role][] = [];
  pair.lastIndex = 0;
  for (let at = 0; at < text.length; at = pair.lastIndex) {
    const [, value, role] = pair.exec(text) ?? [];
    if (value === undefined || anotherPair.test(value)) return undefined;
    pairs.push([value, role as Role]);
  }
  return pairs.length > 0 ? pairs : undefined;
}

/** The most powerful role that the claim gives; null for none. */
export function roleIn(claims: object, claim: string, mapping: RoleMapping): Role | null {
  const sent = claimNamed(claim, claims);
  const values: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  const given = mapping.filter(([value]) => values.includes(value)).map(([, role]) => role);
  return roles.findLast((role) => given.includes(role)) ?? null;
}

/** What the provider says about who signs in; undefined if it says nothing that counts. */
export function userNameIn(claims: object, claim: string, field: ProviderUserField): string | undefined {
  const sent = claimNamed(claim, claims);
  // Some directories keep employee numbers as numbers.
  const value = typeof sent === 'number' ? String(sent) : sent;
  if (typeof value !== 'string' || value.trim() === '' || value.includes('\u0000')) return undefined;
  if (field === 'email' && claimNamed('email_verified', claims) !== true) return undefined;
  return value.trim();
}
