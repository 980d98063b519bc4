import type { Effect, FieldChange, FieldChanges } from '../../../contract/changes.js';
import { type Failure, failure, type TakenBy } from '../../../contract/errors.js';
import type { Role } from '../../../contract/scopes.js';
import { type ChangeableField, changeableFields, type StoredUser } from '../../../contract/users.js';
import { sentence } from '../../read-fields.js';
import type { UserChange } from '../user-rules.js';

/** The user with the change applied; what the change does not name stays. The very same, if nothing changes. */
export function applyChange(user: StoredUser, change: UserChange): StoredUser {
  const changed = withChange(user, change);
  return isSame(user, changed) ? user : changed;
}

function withChange(user: StoredUser, change: UserChange): StoredUser {
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
  if (isSame(before, after)) return false;
  for (const field of changeableFields) {
    if (before[field] !== after[field] && !(field === 'tagSerials' && sameTags(before, after)))
      fields.add(field);
  }
  return true;
}

/** Field by field, by name: most people of a nightly call have not changed, and a loop over names takes seven times as long. */
function isSame(a: StoredUser, b: StoredUser): boolean {
  if (a === b) return true;
  return (
    a.employeeID === b.employeeID &&
    a.name === b.name &&
    a.username === b.username &&
    a.email === b.email &&
    a.phone === b.phone &&
    a.isActive === b.isActive &&
    a.organizationSerial === b.organizationSerial &&
    sameTags(a, b)
  );
}

/** What is different between two states of a user, of whom null is not there at all. */
export function fieldChanges(
  before: StoredUser | null,
  after: StoredUser | null,
  lostRole?: Role,
): FieldChanges {
  const changes: Partial<Record<ChangeableField | 'role', FieldChange>> = {};
  for (const field of changeableFields) {
    const was = before?.[field] ?? null;
    const is = after?.[field] ?? null;
    if (was === is || (before && after && field === 'tagSerials' && sameTags(before, after))) continue;
    if (!(before && after) && isEmpty(was) && isEmpty(is)) continue;
    changes[field] = { before: was, after: is };
  }
  if (lostRole !== undefined) changes.role = { before: lostRole, after: null };
  return changes;
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

export function effectOf(before: StoredUser | null, after: StoredUser | null, lostRole?: Role): Effect {
  const fields = fieldChanges(before, after, lostRole);
  if (before === null && after === null) return { kind: 'unchanged', fields };
  if (before === null) return { kind: 'created', fields };
  if (after === null) return { kind: 'deleted', fields };
  return { kind: Object.keys(fields).length > 0 ? 'updated' : 'unchanged', fields };
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

/** Who has a name: a user, and the item of the same call that gave it to them, if one did. */
export interface Holder {
  readonly serial: string;
  readonly position?: number | undefined;
}

export function employeeIdTaken(position: number | undefined, employeeID: string, taker: Holder): Failure {
  const holder = seenFrom(position, taker);
  return {
    error: 'USER_EMPLOYEE_ID_EXISTS',
    detail: sentence(position, `the employee ID "${employeeID}" is taken ${by(holder)}.`),
    takenBy: takenBy('employeeID', employeeID, holder),
  };
}

export function usernameTaken(position: number | undefined, username: string, taker: Holder): Failure {
  const holder = seenFrom(position, taker);
  return {
    error: 'USER_USERNAME_EXISTS',
    detail: sentence(position, `the username "${username}" is taken ${by(holder)}.`),
    takenBy: takenBy('username', username, holder),
  };
}

/** Only among items does the number of an item mean anything. */
function seenFrom(position: number | undefined, { serial, position: taker }: Holder): Holder {
  return position === undefined ? { serial } : { serial, position: taker };
}

function by({ serial, position }: Holder): string {
  return position === undefined
    ? `by an existing user${holderSerial(serial)}`
    : `by items[${position}] of this call`;
}

/** The part of a detail that not every caller may read. */
export function holderSerial(serial: string): string {
  return `, serial ${serial}`;
}

function takenBy(field: TakenBy['field'], value: string, { serial, position }: Holder): TakenBy {
  return { field, value, position: position ?? null, serial };
}
