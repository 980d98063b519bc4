import { type TSchema, Type } from 'typebox';
import { codePoints, isWithin } from './code-points.js';
import { attributeLimits, fieldLimits } from './limits.js';
import { hasManyMarks, marksInARowMax, type TextForm, textForms } from './text-forms.js';

/**
 * A wire field: its schema for the API description and the types, the sentence that states its rule, and the check.
 * Patterns of schemas are portable: they use neither \\p{…} nor lookahead, which many validators do not know. The few
 * characters that only the check excludes are named by the rule, which ends the description.
 */
export interface Field<T> {
  readonly schema: TSchema;
  /** The schema where the field is optional, and "" means empty. */
  readonly optionalSchema?: TSchema;
  readonly rule: string;
  /** The form in which a text is stored, and its exact pattern in that form, for checks outside the service. */
  readonly form?: TextForm | undefined;
  readonly pattern?: string;
  /** An object of which only what is sent changes, so that a patch can't clear it as a whole. */
  readonly isPatched?: true;
  /** The rule of the elements of a list. */
  readonly item?: Field<string>;
  /** The normalized value: removes what the field ignores, and returns null for what it treats as empty. */
  normalize(sent: unknown): unknown;
  accepts(value: unknown): value is T;
  /** What exactly is wrong with a rejected value, if the rule alone does not make it obvious. */
  explainProblem?(value: unknown): string | undefined;
}

interface TextOptions {
  /** Decides, together with the length. */
  pattern: string;
  /** Accepts everything that `pattern` accepts, before normalization; also "" for the optional field. */
  portable: { required: string; optional: string };
  minLength: number;
  maxLength: number;
  rule: string;
  description: string;
  examples: string[];
  /** By default, a text is stored as sent. */
  form?: TextForm;
  /** Names the first character that the pattern excludes. */
  flaw?: (text: string) => string | undefined;
}

/** Text that PostgreSQL can store: no NUL, and no unpaired surrogates. */
const STORABLE = '[^\\u0000\\p{Cs}]';
const storable = new RegExp(`^${STORABLE}*$`, 'u');

export function isStorable(text: string): boolean {
  return storable.test(text);
}

function text(options: TextOptions): Field<string> {
  const { pattern, portable, minLength, maxLength, rule, examples } = options;
  const { form, flaw } = options;
  const stored = form ? textForms[form] : (text: string) => text;
  const regex = new RegExp(pattern, 'u');
  const fits = (value: string) => value.length >= minLength && isWithin(value, maxLength);
  const description = `${options.description} ${capital(rule)}.`;
  return {
    schema: Type.String({ pattern: portable.required, minLength, maxLength, description, examples }),
    optionalSchema: Type.String({ pattern: portable.optional, maxLength, description, examples }),
    rule,
    form,
    pattern,
    normalize: (sent) => (typeof sent === 'string' ? stored(sent) || null : sent),
    accepts: (value): value is string => typeof value === 'string' && fits(value) && regex.test(value),
    ...(flaw && {
      explainProblem: (value) => (typeof value === 'string' && fits(value) ? flaw(value) : undefined),
    }),
  };
}

/**
 * Text for display: without the control characters C0, DEL and C1 (including tabs and line breaks), and without
 * characters that change the display order of surrounding text. Joiners (U+200C, U+200D) and direction marks (U+200E,
 * U+200F, U+061C) are allowed: Persian, Indic, Arabic and Hebrew names need them.
 */
const HIDDEN = '\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069';
const DISPLAYABLE = `[^${HIDDEN}]`;
/** At least one character that can be seen. Fillers, which are letters or symbols to Unicode, cannot. */
const NOT_BLANK = '(?=[\\s\\p{Cf}\\p{DI}\\u2800]*[^\\s\\p{C}\\p{DI}\\u2800])';
const withoutHidden = 'without control characters, bidirectional overrides and lone surrogates';
const hidden = new RegExp(`[${HIDDEN}]`, 'u');

function hiddenCharacter(text: string, holder = ''): string | undefined {
  const found = hidden.exec(text);
  if (!found) return undefined;
  const code = found[0].codePointAt(0) as number; // there is one: the pattern matches one character
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  const kind = /\p{Cc}/u.test(found[0])
    ? 'control character'
    : /\p{Cs}/u.test(found[0])
      ? 'lone surrogate'
      : 'bidirectional control character';
  const place = codePoints(text.slice(0, found.index)) + 1;
  return `must not contain the ${kind} U+${hex} (${holder}character ${place}); remove it`;
}

/** The portable patterns of any text that PostgreSQL can store. */
export const withoutNul = { required: '^[^\\x00]+$', optional: '^[^\\x00]*$' };

/** Control characters that all regular expressions can write. In Ruby, \x80 to \x9f are bytes, not characters. */
const CONTROL = '\\x00-\\x1f\\x7f';
const VISIBLE = `[^\\s${CONTROL}]`;

const SPACES = '[\\s\\x01-\\x1f\\x7f]*';

/** The portable pattern of text that may be surrounded by white space and control characters, which are removed. */
function surrounded(text: string): TextOptions['portable'] {
  return { required: `^${SPACES}${text}${SPACES}$`, optional: `^${SPACES}(${text}${SPACES})?$` };
}

const displayed = surrounded(`${VISIBLE}[^\\x00]*`);

function tooManyMarks(text: string): string | undefined {
  return hasManyMarks(text)
    ? `must not contain more than ${marksInARowMax} combining marks in a row; remove some`
    : undefined;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function alphanumeric(maxLength: number, description: string, example: string): Field<string> {
  return text({
    pattern: '^[A-Za-z0-9]+$',
    portable: { required: '^[A-Za-z0-9]+$', optional: '^[A-Za-z0-9]*$' },
    minLength: 1,
    maxLength,
    rule: `a string of 1 to ${maxLength} characters from a-z, A-Z and 0-9`,
    description,
    examples: [example],
  });
}

export const employeeIdField = alphanumeric(
  fieldLimits.employeeIdMaxLength,
  'The employee ID, compared exactly, including case.',
  'E1001',
);

export const newEmployeeIdField = alphanumeric(
  fieldLimits.employeeIdMaxLength,
  'Replaces the employee ID. Null, "" and the current ID mean no change.',
  'E2001',
);

export const managerIdField = alphanumeric(
  fieldLimits.employeeIdMaxLength,
  'The employee ID of the manager. In a bulk call, it means who has it at that item, or at the end of the call if nobody has it yet.',
  'E2001',
);

export const usernameField = alphanumeric(
  fieldLimits.usernameMaxLength,
  'The name the user signs in with. Keeps its case; unique ignoring case.',
  'ada',
);

export const keyField = text({
  pattern: '^[a-z][A-Za-z0-9]*$',
  portable: { required: '^[a-z][A-Za-z0-9]*$', optional: '^([a-z][A-Za-z0-9]*)?$' },
  minLength: 1,
  maxLength: attributeLimits.keyMaxLength,
  rule: `a string of 1 to ${attributeLimits.keyMaxLength} letters and digits that begins with a lower-case letter`,
  description: 'The name of the attribute in the API. Unique ignoring case.',
  examples: ['department'],
});

const lineDescription = 'Stored on one line: control characters and runs of white space become one space.';

export const nameField = text({
  // No nested quantifiers: the matching time must not grow faster than the text.
  pattern: `^${NOT_BLANK}(?:[^${HIDDEN}\\p{M}]|\\p{M}{1,${marksInARowMax}}(?!\\p{M}))+$`,
  portable: displayed,
  minLength: 1,
  maxLength: fieldLimits.nameMaxLength,
  rule: `a string of 1 to ${fieldLimits.nameMaxLength} characters that is not blank, ${withoutHidden}`,
  description: `The name of the user. ${lineDescription}`,
  examples: ['Ada Lovelace'],
  form: 'name',
  flaw: (text) => hiddenCharacter(text) ?? tooManyMarks(text),
});

/** At least one character that can be seen. */
const VISIBLE_PART = `(?=\\p{Cf}*[^@\\s\\p{C}])[^@\\s${HIDDEN}]+`;
const ADDRESS_PART = `[^@\\s${CONTROL}]+`;

/** Free text within reason. Whether a message can be sent to it is decided when one is. */
export const emailField = text({
  pattern: `^${VISIBLE_PART}@${VISIBLE_PART}$`,
  portable: surrounded(`${ADDRESS_PART}@${ADDRESS_PART}`),
  minLength: 3,
  maxLength: fieldLimits.emailMaxLength,
  rule: `an email address with one @, like name@example.com, of at most ${fieldLimits.emailMaxLength} characters, without spaces, control characters, bidirectional overrides and lone surrogates`,
  description: `Required when phone is empty. Not unique. ${lineDescription}`,
  examples: ['ada@example.com'],
  form: 'line',
  flaw: (text) => hiddenCharacter(text),
});

/** Free text: companies also write extensions and notes. Whether a text message can be sent is decided when one is. */
export const phoneField = text({
  pattern: `^${NOT_BLANK}${DISPLAYABLE}+$`,
  portable: displayed,
  minLength: 1,
  maxLength: fieldLimits.phoneMaxLength,
  rule: `a string of 1 to ${fieldLimits.phoneMaxLength} characters that is not blank, ${withoutHidden}`,
  description: `Required when email is empty. Not unique. ${lineDescription}`,
  examples: ['+44 20 7946 0958'],
  form: 'line',
  flaw: (text) => hiddenCharacter(text),
});

export const passwordField = text({
  pattern: `^${STORABLE}+$`,
  portable: withoutNul,
  minLength: 1,
  maxLength: fieldLimits.passwordMaxLength,
  rule: `a string of 1 to ${fieldLimits.passwordMaxLength} characters without NUL and lone surrogates`,
  description: 'The initial password. When empty, the service generates one.',
  examples: ['correct horse battery staple'],
});

export const serialReferenceField = text({
  pattern: `^${DISPLAYABLE}+$`,
  portable: withoutNul,
  minLength: 1,
  maxLength: fieldLimits.serialMaxLength,
  rule: `a string of 1 to ${fieldLimits.serialMaxLength} characters ${withoutHidden}`,
  description: 'A serial of another service; not verified. Stored as is, without control characters.',
  examples: ['ORG7'],
  form: 'serial',
  flaw: (text) => hiddenCharacter(text),
});

/** As written in a file: whatever people call something, with any white space. */
export const writtenNameField = text({
  pattern: `^${STORABLE}+$`,
  portable: withoutNul,
  minLength: 1,
  maxLength: fieldLimits.labelMaxLength,
  rule: `a string of 1 to ${fieldLimits.labelMaxLength} characters without NUL and lone surrogates`,
  description: 'A serial, a display name or a former name; names are compared ignoring case and white space.',
  examples: ['sales,  Berlin'],
});

export const flagField = (description: string): Field<boolean> => ({
  schema: Type.Boolean({ description, examples: [true] }),
  rule: 'a boolean, true or false',
  normalize: (sent) => sent,
  accepts: (value): value is boolean => typeof value === 'boolean',
});

export const isActiveField = flagField('Status of the user: true or false.');

export const tagSerialsField: Field<string[]> = {
  schema: Type.Array(serialReferenceField.schema, {
    maxItems: fieldLimits.tagSerialsMaxCount,
    description: 'Serials of tags, in order. Duplicates and empty elements (null and "") are removed.',
    examples: [['T1', 'T2']],
  }),
  rule: `an array of at most ${fieldLimits.tagSerialsMaxCount} strings of 1 to ${fieldLimits.serialMaxLength} characters ${withoutHidden}`,
  item: serialReferenceField,
  normalize: (sent) => (Array.isArray(sent) ? distinctTags(sent) : sent),
  accepts: (value): value is string[] =>
    Array.isArray(value) &&
    value.length <= fieldLimits.tagSerialsMaxCount &&
    value.every((serial) => serialReferenceField.accepts(serial)),
  explainProblem: (value) => {
    if (!Array.isArray(value) || value.length > fieldLimits.tagSerialsMaxCount) return undefined;
    const index = value.findIndex((serial) => !serialReferenceField.accepts(serial));
    const serial: unknown = value[index];
    const isLong = typeof serial !== 'string' || serial.length > 2 * fieldLimits.serialMaxLength;
    return isLong ? undefined : hiddenCharacter(serial, `tag ${index + 1}, `);
  },
};

/** The same array if there is nothing to remove. */
function distinctTags(sent: unknown[]): unknown[] {
  const tags = new Set(sent.map((tag) => serialReferenceField.normalize(tag)));
  tags.delete(null);
  const distinct = [...tags];
  return distinct.length === sent.length && distinct.every((tag, at) => tag === sent[at]) ? sent : distinct;
}

/** One or more of a set of values; duplicates are removed. */
export function choicesField<T extends string>(
  choices: readonly T[],
  options: { description: string; examples: unknown[] },
): Field<T[]> {
  return {
    schema: Type.Array(Type.String({ enum: [...choices] }), {
      minItems: 1,
      maxItems: choicesMax,
      ...options,
    }),
    rule: `a list of one or more of ${choices.join(', ')}`,
    normalize: (sent) => (Array.isArray(sent) && sent.length <= choicesMax ? [...new Set(sent)] : sent),
    accepts: (value): value is T[] =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= choicesMax &&
      value.every((entry) => choices.includes(entry)),
  };
}

/** Duplicates included. */
const choicesMax = 100;

/** A human-readable description of what something is for. */
export function labelField(description: string, example: string): Field<string> {
  return lineField({ description, example });
}

/** Text on one line, without a rule of its own. */
export function lineField({
  description = '',
  maxLength = fieldLimits.labelMaxLength,
  example,
}: {
  readonly description?: string;
  readonly maxLength?: number;
  readonly example: unknown;
}): Field<string> {
  return text({
    pattern: `^${NOT_BLANK}${DISPLAYABLE}+$`,
    portable: displayed,
    minLength: 1,
    maxLength,
    rule: `a string of 1 to ${maxLength} characters that is not blank, ${withoutHidden}`,
    description,
    examples: [String(example)],
    form: 'line',
    flaw: (text) => hiddenCharacter(text),
  });
}

export function wholeNumberField(options: {
  minimum: number;
  maximum: number;
  default?: number;
  description: string;
}): Field<number> {
  const { minimum, maximum } = options;
  return {
    schema: Type.Integer(options),
    rule: `a whole number from ${minimum} to ${maximum}`,
    normalize: (sent) => sent,
    accepts: (value): value is number =>
      Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
  };
}

/** Text that is compared with stored values. Any text is accepted: one that breaks a rule simply does not match. */
export function anyText(description: string, example: string): Field<string> {
  return {
    schema: Type.String({ minLength: 1, description, examples: [example] }),
    rule: 'a non-empty string',
    normalize: (sent) => (sent === '' ? null : sent),
    accepts: (value): value is string => typeof value === 'string',
  };
}

/** A schema that also accepts null; null and absent are not always equivalent. */
export function nullable(schema: TSchema): TSchema {
  const { description, examples, ...rest } = schema as TSchema & {
    description?: string;
    examples?: unknown[];
  };
  return Type.Union([rest as TSchema, Type.Null()], {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  });
}
