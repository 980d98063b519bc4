import { type ErrorName, type Failure, failure } from '../contract/errors.js';
import { bulkUpdateFields, createUserFields, type FieldUse, patchUserFields } from '../contract/users.js';

/** A create that passed every check that needs no database. */
export interface NewUser {
  readonly employeeID: string;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly password: string | null;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
  readonly organizationSerial: string | null;
}

/** Fields to set on a user. `undefined` leaves a field as it is, null clears it. */
export interface UserChange {
  readonly employeeID?: string | undefined;
  readonly name?: string | undefined;
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly isActive?: boolean | undefined;
  readonly tagSerials?: readonly string[] | undefined;
  readonly organizationSerial?: string | null | undefined;
}

/** One item of a bulk update: whom to change, and what. A rename is `change.employeeID`. */
export interface BulkChange {
  readonly selects: string;
  readonly change: UserChange;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** What is known of a user's JSON beyond its value. */
export interface Origin {
  /** The item of a bulk call; undefined where the body is the user itself. */
  readonly position?: number | undefined;
  /** The first field that the JSON text gives twice, if any: its meaning would be a guess. */
  readonly repeatedField?: string | undefined;
}

const allFieldNames = new Set([...Object.keys(createUserFields), ...Object.keys(bulkUpdateFields)]);

type RawObject = Readonly<Record<string, unknown>>;
type FieldUses = Readonly<Record<string, FieldUse>>;

export function parseNewUser(value: unknown, origin: Origin): Parsed<NewUser> {
  const fields = readFields(value, createUserFields, origin, 'whole');
  if (!fields.ok) return fields;
  const raw = fields.value;
  if (raw.email == null && raw.phone == null) {
    return refuse('USER_CONTACT_REQUIRED', origin, 'give an "email" or a "phone": both are empty.');
  }
  return accept({
    employeeID: raw.employeeID as string,
    name: raw.name as string,
    username: (raw.username ?? null) as string | null,
    email: (raw.email ?? null) as string | null,
    phone: (raw.phone ?? null) as string | null,
    password: (raw.password ?? null) as string | null,
    isActive: raw.isActive as boolean,
    tagSerials: withoutDoubles(raw.tagSerials as string[] | null | undefined) ?? [],
    organizationSerial: (raw.organizationSerial ?? null) as string | null,
  });
}

export function parseBulkChange(value: unknown, origin: Origin): Parsed<BulkChange> {
  const fields = readFields(value, bulkUpdateFields, origin, 'whole');
  if (!fields.ok) return fields;
  const { employeeID, newEmployeeID } = fields.value;
  return accept({
    selects: employeeID as string,
    change: changeOf(fields.value, (newEmployeeID ?? undefined) as string | undefined),
  });
}

export function parsePatch(value: unknown, origin: Origin): Parsed<UserChange> {
  const fields = readFields(value, patchUserFields, origin, 'partial');
  return fields.ok ? accept(changeOf(fields.value, fields.value.employeeID as string | undefined)) : fields;
}

/** Every field by name, in one order, sent or not: thousands of objects of one shape are cheaper than of many. */
function changeOf(raw: RawObject, employeeID: string | undefined): UserChange {
  return {
    employeeID,
    name: raw.name as string | undefined,
    username: raw.username as string | null | undefined,
    email: raw.email as string | null | undefined,
    phone: raw.phone as string | null | undefined,
    isActive: raw.isActive as boolean | undefined,
    tagSerials: raw.tagSerials === null ? [] : withoutDoubles(raw.tagSerials as string[] | undefined),
    organizationSerial: raw.organizationSerial as string | null | undefined,
  };
}

/**
 * Checks an object against the fields of one operation and gives back the fields that were sent, with empty strings
 * made null and the name trimmed. In a partial object a required field may be absent, but not cleared.
 */
function readFields(
  value: unknown,
  uses: FieldUses,
  origin: Origin,
  mode: 'whole' | 'partial',
): Parsed<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(
      'USER_NOT_AN_OBJECT',
      origin,
      `a user must be a JSON object; ${described(value)} was sent.`,
    );
  }
  const raw = value as RawObject;
  for (const name in raw) {
    if (!Object.hasOwn(uses, name)) return refuse('USER_FIELD_NOT_ACCEPTED', origin, strayDetail(name, uses));
  }
  if (origin.repeatedField !== undefined) {
    const name = quoted(origin.repeatedField);
    return refuse('USER_FIELD_NOT_ACCEPTED', origin, `"${name}" is given twice; send it once.`);
  }
  const read: Record<string, unknown> = {};
  for (const name in uses) {
    const { field, required } = uses[name] as FieldUse;
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (sent === undefined && (!required || mode === 'partial')) continue;
    const normal = field.normalise(sent);
    if (normal === null || normal === undefined) {
      if (required) return refuse('USER_FIELD_REQUIRED', origin, `"${name}" is required: ${field.rule}.`);
      read[name] = null;
    } else if (field.accepts(normal)) {
      read[name] = normal;
    } else {
      const got = ofOtherType(sent) ? `; ${described(sent)} was sent` : '';
      return refuse('USER_FIELD_INVALID', origin, `"${name}" must be ${field.rule}${got}.`);
    }
  }
  return accept(read);
}

function strayDetail(name: string, uses: FieldUses): string {
  if (allFieldNames.has(name)) return `"${name}" is not accepted by this operation.`;
  return `"${quoted(name)}" is not a field of this operation, which takes ${Object.keys(uses).join(', ')}.`;
}

/** What is wrong, after the item it is wrong with; a sentence of its own where there is no item. */
export function sentence(position: number | undefined, text: string): string {
  return position === undefined
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : `items[${position}]: ${text}`;
}

/** A name that a stranger chose, made fit for an error message. */
export function quoted(name: string): string {
  const characters = [...name.replace(/[\p{C}"\\]/gu, '?')];
  return characters.length <= quotedMaxLength
    ? characters.join('')
    : `${characters.slice(0, quotedMaxLength).join('')}…`;
}

const quotedMaxLength = 64;

/** A string or an array has broken its rule in its content, which the rule explains; any other type is named. */
function ofOtherType(sent: unknown): boolean {
  return typeof sent !== 'string' && !Array.isArray(sent);
}

function described(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function withoutDoubles(serials: readonly string[] | null | undefined): readonly string[] | undefined {
  if (serials == null) return undefined;
  return serials.length < 2 ? serials : [...new Set(serials)];
}

function accept<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

function refuse(error: ErrorName, { position }: Origin, text: string): { ok: false; failure: Failure } {
  return { ok: false, failure: failure(error, sentence(position, text)) };
}
