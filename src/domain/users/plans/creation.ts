import type { Failure } from '../../../contract/errors.js';
import { valuesIn } from '../../../contract/user-values.js';
import type { StoredUser } from '../../../contract/users.js';
import {
  type BulkChange,
  type Creation,
  contactRequired,
  nameRequired,
  passwordRejected,
} from '../user-rules.js';
import { applyChange, lacksContact } from './user-change.js';

/** A user that a plan creates or rehires, and who gets an initial password. */
export interface CreatedUser {
  /** At the end of the plan: later items may have changed the user again. */
  readonly user: StoredUser;
  /** The given password; null if one has to be generated. */
  readonly password: string | null;
  /** The item that gives the password, by its index in the chunk. */
  readonly index: number;
}

/** Returns the serial of the next user to create. Only called for items that may create one: serials take time. */
export type SerialSource = () => string;

export const noSerials: SerialSource = () => {
  throw new Error('This plan cannot create users.');
};

/** The user that an item creates if no user has its employee ID: active, unless the item says otherwise. */
export function newUser(serial: string, { targetEmployeeID, change }: BulkChange): StoredUser {
  const blank = blankUser({ serial, version: 1, employeeID: targetEmployeeID });
  return applyChange({ ...blank, isActive: true }, change);
}

export function blankUser(identity: Pick<StoredUser, 'serial' | 'version' | 'employeeID'>): StoredUser {
  return { ...valuesIn({ name: '', isActive: false }), ...identity };
}

/** Why the user cannot be created, whoever holds the names. The same rules as for a single create. */
export function creationProblem(
  position: number | undefined,
  user: StoredUser,
  { passwordProblem }: Creation,
): Failure | undefined {
  if (user.name === '') return nameRequired(position);
  if (lacksContact(user)) return contactRequired(position);
  return passwordProblem === undefined ? undefined : passwordRejected(position, passwordProblem);
}
