import type { Failure } from '../../../contract/errors.js';
import type { Administrator, Role } from '../../../contract/scopes.js';
import { textForms } from '../../../contract/text-forms.js';
import { type StoredUser, usernameKey } from '../../../contract/users.js';
import { itemFailure } from '../../read-fields.js';

/**
 * Users with a role are protected. Changing where their password is sent, or their username, is enough to take over the
 * account, so these changes need more than `users:write`.
 */

/** What a plan needs to know about roles. */
export interface RoleFacts {
  readonly administrators: readonly Administrator[];
  /** Maps serials to roles, for the stored users that have one. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The caller has the scope `access:admin`. */
  readonly mayChangeProtected: boolean;
}

export const noRoles: RoleFacts = { administrators: [], roles: new Map(), mayChangeProtected: false };

/** Passwords are sent to the email address, or to the phone if there is no email address. */
export function changesAddress(before: StoredUser, after: StoredUser): boolean {
  return before.email !== after.email || (after.email === null && !isSamePhone(before.phone, after.phone));
}

/** A phone that was stored before white space was collapsed is the same without it. */
function isSamePhone(one: string | null, other: string | null): boolean {
  return one === other || (one !== null && other !== null && textForms.line(one) === textForms.line(other));
}

/** Users sign in with a username in any case, so one in another case gives nobody access. */
function isSameUsername(one: string | null, other: string | null): boolean {
  return one === other || (one !== null && other !== null && usernameKey(one) === usernameKey(other));
}

/** Whether the user signs in with another name. */
export function changesSignIn(before: StoredUser, after: StoredUser): boolean {
  return before.username !== after.username || before.signInName !== after.signInName;
}

export function deactivates(before: StoredUser, after: StoredUser): boolean {
  return before.isActive && !after.isActive;
}

/** Whether the user's role affects this change. */
export function concernsRole(before: StoredUser, after: StoredUser): boolean {
  return before.isActive !== after.isActive || changesSignIn(before, after) || changesAddress(before, after);
}

/**
 * The fields that the caller may not change on a user with a role. A deactivation is never rejected, whatever else it
 * changes: leavers must be removable, and the role is removed with it, so there is nothing left to protect.
 */
function protectedFieldsChanged(before: StoredUser, after: StoredUser): string[] {
  if (before === after || deactivates(before, after)) return [];
  return [
    ...(isSameUsername(before.username, after.username) ? [] : ['username']),
    ...(before.signInName === after.signInName ? [] : ['signInName']),
    ...(changesAddress(before, after) ? [before.email === after.email ? 'phone' : 'email'] : []),
    ...(after.isActive && !before.isActive ? ['isActive'] : []),
  ];
}

export function isProtectedFrom(
  { roles, mayChangeProtected }: Pick<RoleFacts, 'roles' | 'mayChangeProtected'>,
  before: StoredUser,
  after: StoredUser,
): boolean {
  return !mayChangeProtected && roles.has(before.serial) && protectedFieldsChanged(before, after).length > 0;
}

export function protectedUser(position: number | undefined, before: StoredUser, after: StoredUser): Failure {
  const fields = protectedFieldsChanged(before, after);
  const names = fields.map((field) => `"${field}"`).join(' and ');
  return itemFailure(
    'USER_PROTECTED',
    position,
    `the user has a role, so you need the scope access:admin to change ${names}. Ask an administrator to change it.`,
    { fields, scope: 'access:admin' },
  );
}
