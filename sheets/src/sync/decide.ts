import type { AttributeValue } from '../attribute-cells.js';
import { attributeField, attributeIn } from '../fields.js';
import { userFields } from '../generated/rules.js';
import { textForms } from '../generated/text-forms.js';
import type { SyncItem } from '../items.js';
import { missingForCreate } from '../missing-for-create.js';
import { type ChangeKind, kindOfUpdate } from './outcomes.js';
import { joinProblems, type SyncProblem, type SyncRow } from './rows.js';

type StoredField = keyof typeof userFields;

/** A user as the service has them now. */
export type KnownUser = {
  readonly serial: string;
  readonly attributes?: Readonly<Record<string, unknown>> | null;
  readonly manager?: { readonly employeeID: string | null } | null;
} & {
  readonly [Field in StoredField]: StoredValue<(typeof userFields)[Field]>;
};

type StoredValue<Field extends { readonly kind: string; readonly isRequired: boolean }> =
  | { text: string; boolean: boolean; list: readonly string[] }[Field['kind'] & ('text' | 'boolean' | 'list')]
  | (Field['isRequired'] extends true ? never : null);

/** What to do for a row, given what the service has now. */
export type Decision =
  /** The user is as the row says. */
  | ({ readonly action: 'none'; readonly serial: string } & Kept)
  | SendDecision
  | { readonly action: 'refuse'; readonly problem: SyncProblem };

export interface SendDecision extends Kept {
  readonly action: 'send';
  readonly kind: ChangeKind;
  /** For a bulk upsert. That of a user who exists has only the fields that differ, unless the user is rehired. */
  readonly item: SyncItem;
  /** Of a user who exists. */
  readonly serial?: string | undefined;
  readonly changed?: readonly string[] | undefined;
}

interface Kept {
  /** Fields that differ from the row, but may only be changed by an administrator, because the user has a role. */
  readonly kept?: readonly string[] | undefined;
}

export interface Known {
  /** Whether inactive users are rehired if their row says that they are active. */
  readonly rehire: boolean;
  /** Whether the user has a role, and the caller may not change who can sign in as the user. */
  isProtected(user: KnownUser): boolean;
  /** The user who has an employee ID now. */
  user(employeeID: string): KnownUser | undefined;
  /** Whether the file has a row for this employee ID. */
  inFile(employeeID: string): boolean;
}

export function decide(row: SyncRow, known: Known): Decision {
  const { employeeID, from } = row;
  const holder = known.user(employeeID);
  if (from === undefined) return holder ? rehireOrChange(row, holder, known) : create(row);
  const former = known.user(from);
  if (former && !holder) return rehireOrChange(row, former, known);
  // Another row of the file has the old ID now, so this row was renamed by an earlier sync.
  if (holder && (!former || known.inFile(from))) return rehireOrChange(row, holder, known);
  return holder ? bothExist(row, from) : create(row);
}

function rehireOrChange(row: SyncRow, user: KnownUser, known: Known): Decision {
  const isProtected = known.isProtected(user);
  const changes = change(row, user, isProtected);
  const rehires = known.rehire && !isProtected && !user.isActive && row.fields.isActive === true;
  return rehires && changes.action === 'send' ? rehired(row, user, changes) : changes;
}

/** Like a new user: fields without a value are emptied. */
function rehired(row: SyncRow, { employeeID, serial }: KnownUser, { changed }: SendDecision): Decision {
  const problem = lackOf(row, 'A rehire needs a whole user.');
  if (problem) return { action: 'refuse', problem };
  const rename = employeeID === row.employeeID ? {} : { newEmployeeID: row.employeeID };
  const item: SyncItem = { ...wholeUser(row), employeeID, ...rename };
  return { action: 'send', kind: 'rehired', serial, changed, item };
}

function create(row: SyncRow): Decision {
  const problem = lackOf(row, 'No user has this employee ID yet.');
  if (problem) return { action: 'refuse', problem };
  return { action: 'send', kind: 'created', item: wholeUser(row) };
}

/** What the row lacks to describe a user who is new, after why that matters. */
function lackOf({ fields }: SyncRow, why: string): SyncProblem | undefined {
  const lack = joinProblems(missingForCreate(fields));
  return lack && { ...lack, detail: `${why} ${lack.detail}` };
}

function wholeUser({ employeeID, fields }: SyncRow): SyncItem {
  const { employeeID: _old, newEmployeeID: _new, name = '', isActive = true, ...others } = fields;
  const { attributes = {}, ...plainFields } = others;
  const values = given(attributes);
  const some = Object.keys(values).length > 0 ? { attributes: values } : {};
  return { employeeID, name, isActive, ...given(plainFields), ...some };
}

/** An empty value clears a field, and a new user has nothing to clear. */
function given<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function bothExist({ employeeID }: SyncRow, from: string): Decision {
  const detail = `Cannot rename "${from}" to "${employeeID}": both users exist. Decide which one is correct, and rename or deactivate the other manually.`;
  return { action: 'refuse', problem: { code: 'RENAME_TAKEN', detail } };
}

/** In the order in which changes are reported. */
const compared = (Object.keys(userFields) as StoredField[]).filter((field) => field !== 'employeeID');

function change({ employeeID, fields }: SyncRow, user: KnownUser, isProtected: boolean): Decision {
  const { serial } = user;
  const isDeactivated = user.isActive && fields.isActive === false;
  // As in the service, which allows every deactivation.
  const guarded = isProtected && !isDeactivated ? guardedFields(user) : [];
  const isRenamed = user.employeeID !== employeeID;
  const changed: string[] = isRenamed ? ['employeeID'] : [];
  const changes: Record<string, unknown> = {};
  const differing: string[] = [];
  for (const field of compared) {
    const value = fields[field];
    if (value === undefined || isSame(field, value, user[field])) continue;
    if (guarded.includes(field)) {
      differing.push(field);
      continue;
    }
    changed.push(field);
    changes[field] = value;
  }
  const manager = fields.managerEmployeeID;
  if (manager !== undefined && manager !== (user.manager?.employeeID ?? '')) {
    changed.push('managerEmployeeID');
    changes.managerEmployeeID = manager;
  }
  const attributes = differingAttributes(fields.attributes ?? {}, user.attributes ?? {});
  if (attributes.length > 0) {
    changed.push(...attributes.map(([key]) => attributeField(key)));
    changes.attributes = Object.fromEntries(attributes);
  }
  const kept = differing.length > 0 ? { kept: differing } : {};
  if (changed.length === 0) return { action: 'none', serial, ...kept };
  const kind = kindOfUpdate(changes.isActive, isRenamed);
  const rename = isRenamed ? { newEmployeeID: employeeID } : {};
  const item: SyncItem = { employeeID: user.employeeID, ...changes, ...rename };
  return { action: 'send', serial, kind, changed, ...kept, item };
}

function differingAttributes(
  given: Readonly<Record<string, AttributeValue>>,
  stored: Readonly<Record<string, unknown>>,
): [key: string, value: AttributeValue][] {
  return Object.entries(given).filter(([key, value]) => {
    const now = attributeIn(stored, key);
    if (isEmpty(value)) return now !== undefined;
    return JSON.stringify(plainValue(value)) !== JSON.stringify(plainValue(now));
  });
}

/** Texts are compared in the form in which they are stored. */
function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'string' ? textForms.line(value) : value;
}

/** What the service lets only administrators change: the username, where passwords are sent, and a reactivation. */
function guardedFields({ email, isActive }: KnownUser): readonly string[] {
  return ['username', 'email', ...(email === null ? ['phone'] : []), ...(isActive ? [] : ['isActive'])];
}

type Value = string | boolean | readonly string[] | null | undefined;

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * An empty text equals no text, and an empty list no list; surrounding spaces and the form of accents are ignored. So
 * are runs of white space, which users who were stored before they were collapsed can have, except in serials.
 */
function isSame(field: string, given: Value, stored: Value): boolean {
  return given === stored || JSON.stringify(plain(field, given)) === JSON.stringify(plain(field, stored));
}

function plain(field: string, value: Value): Value {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plainSerial);
  if (typeof value !== 'string') return value ?? null;
  return (field === 'organizationSerial' ? plainSerial(value) : textForms.name(value)) || null;
}

function plainSerial(serial: string): string {
  return serial.trim().normalize('NFC');
}
