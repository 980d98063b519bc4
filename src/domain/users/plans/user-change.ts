import type { Attribute } from '../../../contract/attributes.js';
import type { Failure, TakenAttribute, TakenBy } from '../../../contract/errors.js';
import {
  type ChangeableField,
  changeableFields,
  changedUser,
  isSameIn,
  isSameUser,
  type UserChange,
} from '../../../contract/user-values.js';
import type { StoredUser } from '../../../contract/users.js';
import { itemFailure } from '../../read-fields.js';

/** Applies the change; fields that it does not name keep their value. Returns the same object if nothing changes. */
export function applyChange(user: StoredUser, change: UserChange): StoredUser {
  const changed = changedUser(user, change);
  return isSameUser(user, changed) ? user : changed;
}

/** Whether two states of a user differ. Adds the fields that differ to the set. */
export function noteDifferences(
  before: StoredUser,
  after: StoredUser,
  fields: Set<ChangeableField>,
): boolean {
  if (before === after || isSameUser(before, after)) return false;
  for (const field of changeableFields) if (!isSameIn(field, before, after)) fields.add(field);
  return true;
}

export function lacksContact(user: StoredUser): boolean {
  return user.email === null && user.phone === null;
}

export function contactLost(position: number | undefined): Failure {
  return itemFailure(
    'USER_CONTACT_REQUIRED',
    position,
    'this would leave the user with neither an email address nor a phone number. Keep at least one.',
  );
}

/**
 * Whether an administrator in this state can always sign in. An employee ID is not enough: it stops working once it
 * becomes another user's username.
 */
export function canAdminister(user: StoredUser): boolean {
  return user.isActive && (user.username !== null || user.signInName !== null);
}

export function lastAdministrator(position: number | undefined): Failure {
  return itemFailure(
    'USER_LAST_ADMINISTRATOR',
    position,
    'no other active administrator has a username. Give one a username, or make another user an administrator, first.',
  );
}

/** The holder of a name, and the item of the same call that assigned it, if any. */
export interface Holder {
  readonly serial: string;
  readonly position?: number | undefined;
  readonly isActive?: boolean | undefined;
}

export function employeeIdTaken(position: number | undefined, employeeID: string, taker: Holder): Failure {
  return nameTaken(position, takenBy('employeeID', employeeID, holderFor(position, taker)));
}

export function usernameTaken(position: number | undefined, username: string, taker: Holder): Failure {
  return nameTaken(position, takenBy('username', username, holderFor(position, taker)));
}

/** Neither the value of a sensitive attribute nor whose it is appears, because failures are stored. */
export function attributeTaken(
  position: number | undefined,
  { key, isSensitive }: Pick<Attribute, 'key' | 'isSensitive'>,
  taker: Holder,
): Failure {
  const { serial, position: taken } = holderFor(position, taker);
  return attributeValueTaken(position, {
    attribute: key,
    position: isSensitive ? null : (taken ?? null),
    serial: isSensitive ? null : serial,
  });
}

export function attributeValueTaken(position: number | undefined, taken: TakenAttribute): Failure {
  const { attribute, serial } = taken;
  const user = serial === null ? 'another user' : `another user with the serial ${serial}`;
  const holder = taken.position === null ? user : `items[${taken.position}] of this call`;
  return itemFailure(
    'USER_ATTRIBUTE_EXISTS',
    position,
    `the value of the unique attribute "${attribute}" is already taken by ${holder}.`,
    taken,
  );
}

/** An item number only means something to another item of the call. */
function holderFor(position: number | undefined, { position: taker, ...holder }: Holder): Holder {
  return position === undefined ? holder : { ...holder, position: taker };
}

/** The serial is null for callers who may not learn whose name it is. */
export function nameTaken(position: number | undefined, taken: TakenBy): Failure {
  const { field, value, serial } = taken;
  const name = field === 'employeeID' ? 'employee ID' : 'username';
  const user = serial === null ? 'another user' : `another user with the serial ${serial}`;
  const holder = taken.position === null ? user : `items[${taken.position}] of this call`;
  const advice =
    taken.isActive === false
      ? ', who is inactive. To reactivate them with this data, resend with rehire=true and isActive true.'
      : '.';
  return itemFailure(
    field === 'employeeID' ? 'USER_EMPLOYEE_ID_EXISTS' : 'USER_USERNAME_EXISTS',
    position,
    `the ${name} "${value}" is already taken by ${holder}${advice}`,
    { takenBy: taken },
  );
}

function takenBy(field: TakenBy['field'], value: string, { serial, position, isActive }: Holder): TakenBy {
  const taken = { field, value, position: position ?? null, serial };
  return isActive === false ? { ...taken, isActive } : taken;
}
