import {
  type DataArgument,
  type ErrorName,
  type Failure,
  type FieldRuleName,
  failure,
} from '../contract/errors.js';
import type { FieldUse, NullMeaning } from '../contract/shapes.js';

export type Normalized = Readonly<Record<string, unknown>>;

export type Parsed<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** Fields that are stored in another form than they were sent in, as they are stored. */
      readonly normalized?: Normalized | undefined;
      /** Unknown fields, if the caller has asked to ignore them. */
      readonly ignored?: readonly string[] | undefined;
    }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** The employee ID of an item that is invalid otherwise. */
      readonly employeeID?: string | undefined;
    };

/** Facts about a user's JSON that its value does not show. */
export interface Origin {
  /** The item of a bulk call; undefined if the body is the user itself. */
  readonly position?: number | undefined;
  /** Whether the caller has asked to ignore unknown fields. */
  readonly ignoresUnknown?: boolean | undefined;
  /** Whether its attributes have a key twice in the JSON text. */
  readonly repeatsKey?: boolean | undefined;
  /** The attributes whose numbers parsing has changed. */
  readonly changedNumbers?: ReadonlySet<string> | undefined;
  /** The first field that occurs twice in the JSON text, if any. Its meaning would be ambiguous. */
  readonly repeatedField?: string | undefined;
}

/** How errors in one kind of object are worded. */
export interface ObjectRules {
  readonly noun: string;
  /** The field whose value the object is. Errors name it together with the field of the object. */
  readonly within?: string;
  /** Fields that other operations accept: known, but not allowed here. */
  readonly known?: ReadonlySet<string>;
  /** In a partial object, a required field may be absent but not cleared. */
  readonly partial?: boolean;
  readonly nulls: NullMeaning;
  /** What is wrong with a field that no operation has. */
  strayProblem?(name: string): string;
  readonly errors: {
    readonly notAnObject: 'USER_NOT_AN_OBJECT' | 'USER_FIELD_INVALID' | 'REQUEST_BODY_INVALID';
    readonly notAccepted: 'USER_FIELD_NOT_ACCEPTED' | 'REQUEST_BODY_INVALID';
    readonly required: 'USER_FIELD_REQUIRED' | 'REQUEST_BODY_INVALID';
    readonly invalid: 'USER_FIELD_INVALID' | 'REQUEST_BODY_INVALID';
  };
}

type FieldUses = Readonly<Record<string, FieldUse>>;

/**
 * Checks an object against the fields of an operation. Returns the fields that were specified, normalized: empty strings
 * become null, and texts have the form in which they are stored. Where null means "not specified", a field that the operation does not accept may
 * be null: many callers send one type to all operations.
 */
export function readFields(
  value: unknown,
  uses: FieldUses,
  origin: Origin,
  rules: ObjectRules,
): Parsed<Record<string, unknown>> {
  const { noun, within, partial, nulls, errors } = rules;
  const full = (name: string) => (within === undefined ? name : `${within}.${name}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const text = `${noun} must be a JSON object, not ${described(value)}.`;
    return { ok: false, failure: itemFailure(errors.notAnObject, origin.position, text) };
  }
  const raw = value as Readonly<Record<string, unknown>>;
  let ignored: string[] | undefined;
  for (const name in raw) {
    if (Object.hasOwn(uses, name) || (raw[name] === null && nulls === 'keep')) continue;
    if (origin.ignoresUnknown && !rules.known?.has(name)) {
      ignored ??= [];
      ignored.push(full(quoted(name)));
      continue;
    }
    return reject(errors.notAccepted, origin, full(quoted(name)), strayProblem(name, uses, rules));
  }
  if (origin.repeatedField !== undefined) {
    return reject(
      errors.notAccepted,
      origin,
      full(quoted(origin.repeatedField)),
      'appears twice. Send it once.',
    );
  }
  const read: Record<string, unknown> = {};
  let normalized: Record<string, unknown> | undefined;
  for (const name in uses) {
    const { field, required, isKept = false } = uses[name] as FieldUse;
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    const mayBeAbsent = !required || isKept;
    if (sent === undefined && (mayBeAbsent || partial)) continue;
    if (sent === null && mayBeAbsent && nulls === 'keep') continue;
    const normal = field.normalize(sent);
    if (normal === null || normal === undefined) {
      if (required)
        return reject(errors.required, origin, full(name), `is required. It must be ${field.rule}.`);
      read[name] = null;
    } else if (field.accepts(normal)) {
      read[name] = normal;
    } else {
      const got = isOfOtherType(sent, field) ? `, not ${described(sent)}` : '';
      const problem = field.explainProblem?.(normal) ?? `must be ${field.rule}${got}`;
      return reject(errors.invalid, origin, full(name), `${problem}.`);
    }
    if (normal !== sent && sent !== '') {
      normalized ??= {};
      normalized[name] = normal;
    }
  }
  return acceptRead(read, { normalized, ignored });
}

function strayProblem(name: string, uses: FieldUses, rules: ObjectRules): string {
  if (rules.strayProblem) return rules.strayProblem(name);
  if (rules.known?.has(name)) return 'is not accepted by this operation. Remove it.';
  return `is not a field of this operation. Use ${Object.keys(uses).join(', ')}.`;
}

/** The position of the item, followed by the problem. Without an item, the problem is a sentence of its own. */
export function sentence(position: number | undefined, text: string): string {
  return position === undefined
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : `items[${position}]: ${text}`;
}

/** Makes a name chosen by the caller safe to show in an error message. */
export function quoted(name: string): string {
  const characters = [...name.slice(0, 2 * quotedMaxLength + 2).replace(/[\p{C}"\\]/gu, '?')];
  return characters.length <= quotedMaxLength
    ? characters.join('')
    : `${characters.slice(0, quotedMaxLength).join('')}…`;
}

const quotedMaxLength = 64;

/** A value of the right type broke its rule in its content, which the rule explains. Any other type is named. */
function isOfOtherType(sent: unknown, { schema }: FieldUse['field']): boolean {
  if (typeof sent === 'string' || Array.isArray(sent)) return false;
  const { type } = schema as { readonly type?: string };
  return typeof sent !== (type === 'integer' ? 'number' : type);
}

/** Names only the type of a value, because its content may be private. */
export function described(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export function accept<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

type ReadNotes = Pick<Parsed<unknown> & { ok: true }, 'normalized' | 'ignored'>;

/** The same for a value made of fields that were read. */
export function acceptRead<T>(value: T, { normalized, ignored }: ReadNotes): Parsed<T> {
  return normalized || ignored ? { ok: true, value, normalized, ignored } : accept(value);
}

/** The problem follows the name of the field: "must be a boolean." */
export function reject(
  error: 'USER_FIELD_NOT_ACCEPTED' | 'USER_FIELD_REQUIRED' | 'USER_FIELD_INVALID' | 'REQUEST_BODY_INVALID',
  { position }: Origin,
  field: string,
  problem: string,
  rule?: FieldRuleName,
): { ok: false; failure: Failure } {
  const text = `"${field}" ${problem}`;
  return {
    ok: false,
    failure:
      error === 'REQUEST_BODY_INVALID'
        ? failure(error, sentence(position, text), { field })
        : itemFailure(error, position, text, { field, problem, ...(rule && { rule }) }),
  };
}

/** A failure of an item of a bulk call, or, without a position, of a request about one user. */
export function itemFailure<Name extends ErrorName>(
  error: Name,
  position: number | undefined,
  text: string,
  ...data: DataArgument<Name>
): Failure<Name> {
  const problem = failure(error, sentence(position, text), ...data);
  return position === undefined ? problem : { ...problem, reason: sentence(undefined, text) };
}
