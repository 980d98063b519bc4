import type { Schemas } from '#client';
import { missingForCreate, type SyncItem } from '#sheets';
import type { Kind, Problem } from './outcome.js';

export type User = Schemas['User'];
export type CreateItem = Schemas['CreateUser'];
export type UpdateItem = Schemas['BulkUpdateItem'];
export type Patch = Schemas['PatchUser'];

/** A row that can be read: whom it is about, whom it was about before, and what it says. */
export interface SyncRow {
  readonly row: number;
  readonly employeeID: string;
  /** The employee ID until now, where it is another one. */
  readonly from?: string | undefined;
  /** As the row has them; which employee ID is meant is told above. */
  readonly fields: Readonly<SyncItem>;
}

/** What has to be done for a row, seen from what the service has now. */
export type Decision =
  | { readonly action: 'none'; readonly serial: string }
  | { readonly action: 'create'; readonly item: CreateItem }
  | ({ readonly action: 'update'; readonly item: UpdateItem } & Change)
  /** What a bulk call does not take: an email. */
  | ({ readonly action: 'patch'; readonly patch: Patch } & Change)
  | { readonly action: 'refuse'; readonly problem: Problem };

interface Change {
  readonly serial: string;
  readonly kind: Kind;
  readonly changed: readonly string[];
}

export interface Known {
  /** Who has an employee ID now. */
  user(employeeID: string): User | undefined;
  /** Whether a row of the file is about this employee ID. */
  inFile(employeeID: string): boolean;
}

export function decide(row: SyncRow, known: Known): Decision {
  const { employeeID, from } = row;
  const holder = known.user(employeeID);
  if (from === undefined) return holder ? change(row, holder) : create(row);
  const former = known.user(from);
  if (former && !holder) return change(row, former);
  // Somebody else in the file has the old ID by now, so this row was renamed on another night.
  if (holder && (!former || known.inFile(from))) return change(row, holder);
  return holder ? bothThere(row, from) : create(row);
}

function create({ employeeID, fields }: SyncRow): Decision {
  const missing = missingForCreate(fields);
  if (missing.length > 0) return { action: 'refuse', problem: asOne(missing) };
  const { employeeID: _old, newEmployeeID: _new, name = '', isActive = true, ...others } = fields;
  return { action: 'create', item: { employeeID, name, isActive, ...given(others) } as CreateItem };
}

function asOne(problems: readonly Problem[]): Problem {
  const [first] = problems;
  const details = problems.map(({ detail }) => detail).join(' ');
  return { code: first?.code ?? '', detail: `Nobody has this employee ID yet. ${details}` };
}

/** null is how a field is cleared, and a new person has nothing to clear. */
function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function bothThere({ employeeID }: SyncRow, from: string): Decision {
  const detail = `"${from}" is to become "${employeeID}", and both are in Rollcall. Decide whose data is right, and rename or deactivate the other by hand.`;
  return { action: 'refuse', problem: { code: 'RENAME_TAKEN', detail } };
}

/** Compared in this order, which is the order they are told in. */
const compared = [
  'name',
  'username',
  'email',
  'phone',
  'isActive',
  'tagSerials',
  'organizationSerial',
] as const;

function change({ employeeID, fields }: SyncRow, user: User): Decision {
  const { serial } = user;
  const isRenamed = user.employeeID !== employeeID;
  const changed: string[] = isRenamed ? ['employeeID'] : [];
  const news: Record<string, unknown> = {};
  for (const field of compared) {
    const value = fields[field];
    if (value === undefined || isSame(value, user[field])) continue;
    changed.push(field);
    news[field] = value;
  }
  if (changed.length === 0) return { action: 'none', serial };
  const isDeactivated = user.isActive && fields.isActive === false;
  const kind = isRenamed ? 'renamed' : isDeactivated ? 'deactivated' : 'updated';
  if ('email' in news) {
    if (isRenamed) news.employeeID = employeeID;
    return { action: 'patch', serial, kind, changed, patch: news as Patch };
  }
  if (isRenamed) news.newEmployeeID = employeeID;
  // Who they are and whether they are active has to be in every item, also where it stays.
  const { name, isActive } = user;
  const item = Object.assign({ employeeID: user.employeeID, name, isActive }, news) as UpdateItem;
  return { action: 'update', serial, kind, changed, item };
}

type Value = string | boolean | readonly string[] | null | undefined;

/** An empty list and none are the same; spaces around a text, and how its accents are written, make no difference. */
function isSame(given: Value, stored: Value): boolean {
  if (given === stored) return true;
  if (Array.isArray(given) || Array.isArray(stored)) {
    return JSON.stringify(plainList(given)) === JSON.stringify(plainList(stored));
  }
  return plain(given) === plain(stored);
}

function plain(value: Value): Value {
  return typeof value === 'string' ? value.trim().normalize('NFC') : value;
}

function plainList(value: Value): readonly Value[] {
  return Array.isArray(value) ? value.map(plain) : [];
}
