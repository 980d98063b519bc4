import { type ErrorName, type Failure, failure } from '../contract/errors.js';
import type { FieldUse } from '../contract/shapes.js';

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** Facts about a user's JSON that its value does not show. */
export interface Origin {
  /** The item of a bulk call; undefined if the body is the user itself. */
  readonly position?: number | undefined;
  /** The first field that occurs twice in the JSON text, if any. Its meaning would be ambiguous. */
  readonly repeatedField?: string | undefined;
}

/** How errors in one kind of object are worded. */
export interface ObjectRules {
  readonly noun: string;
  /** Fields that other operations accept: known, but not allowed here. */
  readonly known?: ReadonlySet<string>;
  /** In a partial object, a required field may be absent but not cleared. */
  readonly partial?: boolean;
  readonly errors: {
    readonly notAnObject: ErrorName;
    readonly notAccepted: ErrorName;
    readonly required: ErrorName;
    readonly invalid: ErrorName;
  };
}

type FieldUses = Readonly<Record<string, FieldUse>>;

/**
 * Checks an object against the fields of an operation. Returns the fields that were sent, normalized: empty strings
 * become null, and names are trimmed.
 */
export function readFields(
  value: unknown,
  uses: FieldUses,
  origin: Origin,
  { noun, known, partial, errors }: ObjectRules,
): Parsed<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(errors.notAnObject, origin, `${noun} must be a JSON object; ${described(value)} was sent.`);
  }
  const raw = value as Readonly<Record<string, unknown>>;
  for (const name in raw) {
    if (!Object.hasOwn(uses, name)) return refuse(errors.notAccepted, origin, strayDetail(name, uses, known));
  }
  if (origin.repeatedField !== undefined) {
    const name = quoted(origin.repeatedField);
    return refuse(errors.notAccepted, origin, `"${name}" is given twice; send it once.`);
  }
  const read: Record<string, unknown> = {};
  for (const name in uses) {
    const { field, required } = uses[name] as FieldUse;
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (sent === undefined && (!required || partial)) continue;
    const normal = field.normalize(sent);
    if (normal === null || normal === undefined) {
      if (required) return refuse(errors.required, origin, `"${name}" is required: ${field.rule}.`);
      read[name] = null;
    } else if (field.accepts(normal)) {
      read[name] = normal;
    } else {
      const got = ofOtherType(sent) ? `; ${described(sent)} was sent` : '';
      const problem = field.flaw?.(normal) ?? `must be ${field.rule}${got}`;
      return refuse(errors.invalid, origin, `"${name}" ${problem}.`);
    }
  }
  return accept(read);
}

function strayDetail(name: string, uses: FieldUses, known: ReadonlySet<string> | undefined): string {
  if (known?.has(name)) return `"${name}" is not accepted by this operation.`;
  return `"${quoted(name)}" is not a field of this operation, which takes ${Object.keys(uses).join(', ')}.`;
}

/** Prefixes the text with its item, or capitalizes it as a sentence if there is no item. */
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

/**
 * A string or array of the right type broke its rule in its content, which the rule explains. Any other type is named.
 */
function ofOtherType(sent: unknown): boolean {
  return typeof sent !== 'string' && !Array.isArray(sent);
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

export function refuse(
  error: ErrorName,
  { position }: Origin,
  text: string,
): { ok: false; failure: Failure } {
  return { ok: false, failure: failure(error, sentence(position, text)) };
}
