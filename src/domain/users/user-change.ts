import { type Failure, failure } from '../../contract/errors.js';
import { type ChangeableField, changeableFields, type StoredUser } from '../../contract/users.js';
import { sentence } from '../read-fields.js';
import type { UserChange } from './user-rules.js';

/** The user with the change applied; what the change does not name stays. */
export function applyChange(user: StoredUser, change: UserChange): StoredUser {
  return {
    serial: user.serial,
    version: user.version,
    employeeID: change.employeeID ?? user.employeeID,
    name: change.name ?? user.name,
    username: change.username === undefined ? user.username : change.username,
    email: change.email === undefined ? user.email : change.email,
    phone: change.phone === undefined ? user.phone : change.phone,
    isActive: change.isActive ?? user.isActive,
    tagSerials: change.tagSerials ?? user.tagSerials,
    organizationSerial:
      change.organizationSerial === undefined ? user.organizationSerial : change.organizationSerial,
  };
}

/** Whether two states of a user differ; the fields in which they do are added to the set. */
export function noteDifferences(
  before: StoredUser,
  after: StoredUser,
  fields: Set<ChangeableField>,
): boolean {
  let differs = false;
  for (const field of changeableFields) {
    if (before[field] === after[field] || (field === 'tagSerials' && sameTags(before, after))) continue;
    fields.add(field);
    differs = true;
  }
  return differs;
}

function sameTags({ tagSerials: a }: StoredUser, { tagSerials: b }: StoredUser): boolean {
  return a.length === b.length && a.every((serial, index) => serial === b[index]);
}

export function lacksContact(user: StoredUser): boolean {
  return user.email === null && user.phone === null;
}

export function contactLost(position: number | undefined): Failure {
  return failure(
    'USER_CONTACT_REQUIRED',
    sentence(position, 'this would leave the user with neither email nor phone.'),
  );
}

/** An administrator who can sign in, and so administer. */
export function canAdminister(user: StoredUser): boolean {
  return user.isActive && user.username !== null;
}

export function lastAdministrator(position: number | undefined): Failure {
  return failure(
    'USER_LAST_ADMINISTRATOR',
    sentence(
      position,
      'this would leave nobody who can sign in as administrator; make somebody else an administrator first.',
    ),
  );
}

/** Names the holder as closely as the caller may know it: an earlier item of the same call, or some existing user. */
export function employeeIdTaken(
  position: number | undefined,
  employeeID: string,
  takenByItem?: number,
): Failure {
  return failure(
    'USER_EMPLOYEE_ID_EXISTS',
    sentence(position, `the employee ID "${employeeID}" is taken ${by(takenByItem)}.`),
  );
}

export function usernameTaken(position: number | undefined, username: string, takenByItem?: number): Failure {
  return failure(
    'USER_USERNAME_EXISTS',
    sentence(position, `the username "${username}" is taken ${by(takenByItem)}.`),
  );
}

function by(item: number | undefined): string {
  return item === undefined ? 'by an existing user' : `by items[${item}] of this call`;
}
