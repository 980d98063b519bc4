import type { Schemas } from '#client';
import { missingForCreate, textForms } from '#sheets';
import { changeableFields } from '../../contract/user-values.js';
import type { SyncRow } from './file/rows.js';
import type { Kind, Problem } from './outcome.js';

export type User = Schemas['User'];
export type CreateItem = Schemas['CreateUser'];
export type UpdateItem = Schemas['BulkUpsertItem'];

/** What to do for a row, given what the service has now. */
export type Decision =
  | ({ readonly action: 'none'; readonly serial: string } & Kept)
  | { readonly action: 'create'; readonly item: CreateItem }
  | ({ readonly action: 'update'; readonly item: UpdateItem } & Change)
  | ({ readonly action: 'rehire'; readonly item: UpdateItem } & Change)
  | { readonly action: 'refuse'; readonly problem: Problem };

interface Kept {
  /** Fields that differ from the row, but may only be changed by an administrator, because the user has a role. */
  readonly kept?: readonly string[] | undefined;
}

interface Change extends Kept {
  readonly serial: string;
  readonly kind: Kind;
  readonly changed: readonly string[];
}

export interface Known {
  /** Whether inactive users are rehired if their row says that they are active. */
  readonly rehire: boolean;
  /** Whether the user has a role, and the caller may not change who can sign in as the user. */
  isProtected(user: User): boolean;
  /** The user who has an employee ID now. */
  user(employeeID: string): User | undefined;
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

function rehireOrChange(row: SyncRow, user: User, known: Known): Decision {
  const isProtected = known.isProtected(user);
  const changes = change(row, user, isProtected);
  const rehires = known.rehire && !isProtected && !user.isActive && row.fields.isActive === true;
  return rehires && 'changed' in changes ? rehired(row, user, changes.changed) : changes;
}

/** Like a new user: fields without a value are emptied. */
function rehired({ employeeID, fields }: SyncRow, user: User, changed: readonly string[]): Decision {
  const missing = missingForCreate(fields);
  if (missing.length > 0)
    return { action: 'refuse', problem: asOne('A rehire needs a whole user.', missing) };
  const { employeeID: _old, newEmployeeID: _new, name = '', isActive: _true, ...others } = fields;
  const rename = user.employeeID === employeeID ? {} : { newEmployeeID: employeeID };
  const item = { employeeID: user.employeeID, ...rename, name, isActive: true, ...given(others) };
  return { action: 'rehire', serial: user.serial, kind: 'rehired', changed, item: item as UpdateItem };
}

function create({ employeeID, fields }: SyncRow): Decision {
  const missing = missingForCreate(fields);
  if (missing.length > 0)
    return { action: 'refuse', problem: asOne('No user has this employee ID yet.', missing) };
  const { employeeID: _old, newEmployeeID: _new, name = '', isActive = true, ...others } = fields;
  return { action: 'create', item: { employeeID, name, isActive, ...given(others) } as CreateItem };
}

function asOne(why: string, problems: readonly Problem[]): Problem {
  const [first] = problems;
  const details = problems.map(({ detail }) => detail).join(' ');
  return { code: first?.code ?? '', detail: `${why} ${details}` };
}

/** An empty value clears a field, and a new user has nothing to clear. */
function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function bothExist({ employeeID }: SyncRow, from: string): Decision {
  const detail = `Cannot rename "${from}" to "${employeeID}": both users exist. Decide which one is correct, and rename or deactivate the other manually.`;
  return { action: 'refuse', problem: { code: 'RENAME_TAKEN', detail } };
}

/** In the order in which changes are reported. */
const compared = changeableFields.filter((field) => field !== 'employeeID');

function change({ employeeID, fields }: SyncRow, user: User, isProtected: boolean): Decision {
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
  const kept = differing.length > 0 ? { kept: differing } : {};
  if (changed.length === 0) return { action: 'none', serial, ...kept };
  const kind = isRenamed ? 'renamed' : isDeactivated ? 'deactivated' : 'updated';
  const rename = isRenamed ? { newEmployeeID: employeeID } : {};
  const item: UpdateItem = { employeeID: user.employeeID, ...changes, ...rename };
  return { action: 'update', serial, kind, changed, ...kept, item };
}

/** What the service lets only administrators change: the username, where passwords are sent, and a reactivation. */
function guardedFields({ email, isActive }: User): readonly string[] {
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
