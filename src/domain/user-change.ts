import { type Failure, failure } from '../contract/errors.js';
import type { StoredUser } from '../contract/users.js';
import { sentence, type UserChange } from './user-rules.js';

/** The user with the change applied; what the change does not name stays. */
export function applyChange(user: StoredUser, change: UserChange): StoredUser {
  return { ...user, ...change };
}

export function isSameUser(a: StoredUser, b: StoredUser): boolean {
  return (
    a.employeeID === b.employeeID &&
    a.name === b.name &&
    a.username === b.username &&
    a.email === b.email &&
    a.phone === b.phone &&
    a.isActive === b.isActive &&
    a.organizationSerial === b.organizationSerial &&
    a.tagSerials.length === b.tagSerials.length &&
    a.tagSerials.every((serial, index) => serial === b.tagSerials[index])
  );
}

export function lacksContact(user: StoredUser): boolean {
  return user.email === null && user.phone === null;
}

export function contactLost(prefix: string): Failure {
  return failure(
    'USER_CONTACT_REQUIRED',
    sentence(prefix, 'this would leave the user with neither email nor phone.'),
  );
}

/** Names the holder as closely as the caller may know it: an earlier item of the same call, or some existing user. */
export function employeeIdTaken(prefix: string, employeeID: string, takenByItem?: number): Failure {
  return failure(
    'USER_EMPLOYEE_ID_EXISTS',
    sentence(prefix, `the employee ID "${employeeID}" is taken ${by(takenByItem)}.`),
  );
}

export function usernameTaken(prefix: string, username: string, takenByItem?: number): Failure {
  return failure(
    'USER_USERNAME_EXISTS',
    sentence(prefix, `the username "${username}" is taken ${by(takenByItem)}.`),
  );
}

function by(item: number | undefined): string {
  return item === undefined ? 'by an existing user' : `by items[${item}] of this call`;
}
