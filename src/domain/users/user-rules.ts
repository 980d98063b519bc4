import type { AttributePatch } from '../../contract/attribute-values.js';
import type { Failure } from '../../contract/errors.js';
import { ownProfileFields } from '../../contract/own-profile.js';
import type { FieldUse, NullMeaning } from '../../contract/shapes.js';
import { changeIn, type UserChange, type UserValues, valuesIn } from '../../contract/user-values.js';
import {
  bulkUpdateFields,
  bulkUpsertFields,
  createUserFields,
  patchUserFields,
} from '../../contract/users.js';
import { type AttributeReader, withoutAttributes } from '../attributes/attribute-set.js';
import type { PasswordProblem } from '../passwords/password-rules.js';
import {
  acceptRead,
  itemFailure,
  type ObjectRules,
  type Origin,
  type Parsed,
  readFields,
  reject,
} from '../read-fields.js';

/** A create that passed every check that needs no database. */
export interface NewUser extends UserValues {
  readonly password: string | null;
  /** Whose serial is not known yet. */
  readonly managerEmployeeID?: string | null;
}

export type { UserChange };

/** One item of a bulk update or upsert. A rename is `change.employeeID`. */
export interface BulkChange {
  readonly targetEmployeeID: string;
  /** With as-of addressing: the user who had the employee ID then; null if nobody did. */
  readonly targetThen?: TargetThen | undefined;
  readonly change: UserChange;
  /** Present if a missing user is created, with the change as its fields. Absent in an update, and in a rename. */
  readonly creation: Creation | undefined;
  /** Present if an inactive user is rehired, with the change as the new fields. */
  readonly rehire?: Creation | undefined;
  /** An earlier item of the same chunk, by its position, and how this one fails if that one does. */
  readonly requires?: { readonly position: number; readonly failure: Failure } | undefined;
}

/** The user that a parsed item of any bulk call selects and the names that it asks for, or its error. */
export function namesInItem(item: Parsed<unknown>, employeeID: string | null): readonly unknown[] {
  if (!item.ok) return [employeeID, item.failure];
  if (typeof item.value !== 'object' || item.value === null) return [employeeID];
  const { targetEmployeeID, change, ...user } = item.value as Partial<NewUser & BulkChange>;
  return [
    employeeID,
    targetEmployeeID,
    ...[user, change].flatMap((each) => [each?.employeeID, each?.username, each?.managerEmployeeID]),
  ];
}

/** Whom an employee ID meant at a time in the past. */
export interface TargetThen {
  readonly asOf: string;
  readonly serial: string | null;
}

/** What a new user has beyond the fields of a change. */
export interface Creation {
  readonly password: string | null;
  /** The rule that the password breaks. It matters only if the user is created. */
  readonly passwordProblem: PasswordProblem | undefined;
}

const userObject: ObjectRules = {
  noun: 'a user',
  nulls: 'keep',
  known: new Set([...Object.keys(createUserFields), ...Object.keys(bulkUpdateFields)]),
  errors: {
    notAnObject: 'USER_NOT_AN_OBJECT',
    notAccepted: 'USER_FIELD_NOT_ACCEPTED',
    required: 'USER_FIELD_REQUIRED',
    invalid: 'USER_FIELD_INVALID',
  },
};

const clearing: ObjectRules = { ...userObject, nulls: 'clear' };
const mergePatch: ObjectRules = { ...clearing, partial: true };

/** Returns the rule that a password breaks, if any. */
export interface InitialPasswordRules {
  /** The rules for a password given on create; undefined accepts any text. */
  readonly initialPasswordCheck: PasswordCheck | undefined;
}

export type PasswordCheck = (
  password: string,
  user: { readonly employeeID: string; readonly username: string | null },
) => PasswordProblem | undefined;

/** A given password is an initial password, so any text is accepted unless a check is passed. */
export function parseNewUser(
  value: unknown,
  origin: Origin,
  passwordCheck?: PasswordCheck,
  attributes: AttributeReader = withoutAttributes,
): Parsed<NewUser> {
  const fields = readUser(value, createUserFields, origin, userObject, attributes);
  if (!fields.ok) return fields;
  const raw = fields.value;
  if (raw.email == null && raw.phone == null) {
    return { ok: false, failure: contactRequired(origin.position) };
  }
  const employeeID = raw.employeeID as string;
  const username = (raw.username ?? null) as string | null;
  const password = (raw.password ?? null) as string | null;
  const problem = password === null ? undefined : passwordCheck?.(password, { employeeID, username });
  if (problem !== undefined) return { ok: false, failure: passwordRejected(origin.position, problem) };
  const managerEmployeeID = (raw.managerEmployeeID ?? null) as string | null;
  return acceptRead({ ...valuesIn(raw), password, managerEmployeeID }, fields);
}

export function contactRequired(position: number | undefined): Failure {
  const text = '"email" and "phone" are both empty. Send at least one.';
  return itemFailure('USER_CONTACT_REQUIRED', position, text);
}

/** Of an item for a user who turns out to be new, or is rehired. */
export function nameRequired(position: number | undefined): Failure {
  const problem = `is required for a new user. It must be ${bulkUpsertFields.name.field.rule}.`;
  return reject('USER_FIELD_REQUIRED', { position }, 'name', problem).failure;
}

export function passwordRejected(position: number | undefined, { text, rule }: PasswordProblem): Failure {
  return reject('USER_FIELD_INVALID', { position }, 'password', text, rule).failure;
}

/** null keeps a field unless the caller has asked for the other meaning; "" and [] clear it either way. */
export function parseBulkChange(
  value: unknown,
  origin: Origin,
  nulls: NullMeaning = 'keep',
  attributes: AttributeReader = withoutAttributes,
): Parsed<BulkChange> {
  const rules = nulls === 'keep' ? userObject : clearing;
  const fields = readUser(value, bulkUpdateFields, origin, rules, attributes);
  if (!fields.ok) return fields;
  const { employeeID, newEmployeeID } = fields.value;
  return acceptRead(
    {
      targetEmployeeID: employeeID as string,
      change: changeOf(fields.value, (newEmployeeID ?? undefined) as string | undefined),
      creation: undefined,
    },
    fields,
  );
}

export interface UpsertOptions {
  readonly nulls?: NullMeaning;
  /** Whether inactive users are rehired. */
  readonly rehire?: boolean;
  /** Whether missing users are created. */
  readonly create?: boolean;
}

/**
 * Like an update, but a missing user is created, unless the item renames. What only a new user needs is checked once it
 * is known that the user is new.
 */
export function parseUpsert(
  value: unknown,
  origin: Origin,
  { nulls = 'keep', rehire = false, create = true }: UpsertOptions = {},
  passwordCheck?: PasswordCheck,
  attributes: AttributeReader = withoutAttributes,
): Parsed<BulkChange> {
  const rules = nulls === 'keep' ? userObject : clearing;
  const fields = readUser(value, bulkUpsertFields, origin, rules, attributes);
  if (!fields.ok) return fields;
  const employeeID = fields.value.employeeID as string;
  const newEmployeeID = (fields.value.newEmployeeID ?? undefined) as string | undefined;
  const username = (fields.value.username ?? null) as string | null;
  const password = (fields.value.password ?? null) as string | null;
  const passwordProblem = password === null ? undefined : passwordCheck?.(password, { employeeID, username });
  const renames = newEmployeeID !== undefined && newEmployeeID !== employeeID;
  const creation = { password, passwordProblem };
  return acceptRead(
    {
      targetEmployeeID: employeeID,
      change: changeOf(fields.value, newEmployeeID),
      creation: renames || !create ? undefined : creation,
      ...(rehire && { rehire: creation }),
    },
    fields,
  );
}

export function parsePatch(
  value: unknown,
  origin: Origin,
  attributes: AttributeReader = withoutAttributes,
): Parsed<UserChange> {
  const fields = readUser(value, patchUserFields, origin, mergePatch, attributes);
  if (!fields.ok) return fields;
  return acceptRead(changeOf(fields.value, fields.value.employeeID as string | undefined), fields);
}

/** What users change of their own account. */
export function parseOwnChange(
  value: unknown,
  origin: Origin,
  attributes: AttributeReader,
): Parsed<UserChange> {
  const fields = readUser(value, ownProfileFields, origin, mergePatch, attributes);
  return fields.ok ? acceptRead(changeOf(fields.value, undefined), fields) : fields;
}

/** The employee ID that somebody gets if the item succeeds. */
export function givenEmployeeId({ targetEmployeeID, change, creation }: BulkChange): string | undefined {
  return change.employeeID ?? (creation ? targetEmployeeID : undefined);
}

/** The attributes that the items change. */
export function patchesIn(items: readonly Parsed<BulkChange>[]): AttributePatch[] {
  return items.flatMap((item) =>
    item.ok && item.value.change.attributes ? [item.value.change.attributes] : [],
  );
}

/** The fields of a user; company attributes come last, and are read by the rules that the company has defined. */
function readUser(
  value: unknown,
  uses: Readonly<Record<string, FieldUse>>,
  origin: Origin,
  rules: ObjectRules,
  attributes: AttributeReader,
): Parsed<Record<string, unknown>> {
  const fields = readFields(value, uses, origin, rules);
  if (!fields.ok || fields.value.attributes === undefined) return fields;
  if (fields.value.attributes === null) {
    return rules.nulls === 'keep' ? fields : reject('USER_FIELD_INVALID', origin, 'attributes', notCleared);
  }
  const read = attributes(fields.value.attributes, origin, rules.nulls);
  if (!read.ok) return read;
  const normalized = read.normalized
    ? { ...fields.normalized, attributes: read.normalized }
    : fields.normalized;
  const ignored = read.ignored ? [...(fields.ignored ?? []), ...read.ignored] : fields.ignored;
  return acceptRead({ ...fields.value, attributes: read.value }, { normalized, ignored });
}

const notCleared = 'must be an object. To clear an attribute, send its key with null.';

/** The employee ID of a bulk item selects the user; another field renames. */
function changeOf(read: Readonly<Record<string, unknown>>, newEmployeeID: string | undefined): UserChange {
  const change = changeIn({ ...read, employeeID: newEmployeeID });
  const { managerEmployeeID } = read;
  return managerEmployeeID === undefined
    ? change
    : { ...change, managerEmployeeID: managerEmployeeID as string | null };
}
