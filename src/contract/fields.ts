import { type TSchema, Type } from 'typebox';
import { emailPattern } from './email.js';
import { fieldLimits } from './limits.js';

/**
 * A wire field: its schema for the API page and the types, the sentence that states its rule, and the check. All are
 * built from the same pattern and limits, so they cannot diverge.
 */
export interface Field<T> {
  readonly schema: TSchema;
  readonly rule: string;
  /** The normalized value: removes what the field ignores, and returns null for what it treats as empty. */
  normalize(sent: unknown): unknown;
  accepts(value: unknown): value is T;
  /** What exactly is wrong with a rejected value, if the rule alone does not make it obvious. */
  explainProblem?(value: unknown): string | undefined;
}

interface TextOptions {
  pattern: string;
  minLength: number;
  maxLength: number;
  rule: string;
  description: string;
  examples: string[];
  /** By default "" means null. Otherwise it is an error. */
  emptyMeansNull?: boolean;
  /** Normalizes the text. By default it is kept as is. */
  kept?: (text: string) => string;
  /** Names the first character that the pattern excludes. */
  flaw?: (text: string) => string | undefined;
}

/** Text that PostgreSQL can store: no NUL, and no unpaired surrogates. */
const STORABLE = '[^\\u0000\\p{Cs}]';

/** Lengths are counted in code points, as in JSON Schema and PostgreSQL. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function text(options: TextOptions): Field<string> {
  const { pattern, minLength, maxLength, rule, description, examples } = options;
  const { emptyMeansNull = true, kept = (text) => text, flaw } = options;
  const regex = new RegExp(pattern, 'u');
  const fits = (value: string) =>
    value.length >= minLength &&
    (value.length <= maxLength || (value.length <= 2 * maxLength && codePoints(value) <= maxLength));
  return {
    schema: Type.String({
      pattern,
      minLength,
      maxLength,
      description: `${description} ${capital(rule)}.`,
      examples,
    }),
    rule,
    normalize: (sent) => {
      if (typeof sent !== 'string') return sent;
      const text = kept(sent);
      return text === '' && emptyMeansNull ? null : text;
    },
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
const NOT_BLANK = '(?=[\\s\\p{Cf}]*[^\\s\\p{C}])';
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

/** Canonical decomposition turns one character into at most four, of up to two code units each. */
const decomposedMax = 8;
/** The limit of the Stream-Safe Text Format (UAX #15). Normalization time grows with the square of a run. */
const marksInARowMax = 30;
const runsOfMarks = /\p{M}+/gu;

/** A single pass: a pattern of 31 marks would restart at every mark, and take fifteen times as long. */
function hasManyMarks(text: string): boolean {
  return text.match(runsOfMarks)?.some((run) => codePoints(run) > marksInARowMax) ?? false;
}

/**
 * Converts to normalization form C. Text that cannot be valid is left as is, and rejected for its length or its marks.
 */
function composed(text: string, maxLength: number): string {
  return text.length > decomposedMax * maxLength || hasManyMarks(text) ? text : text.normalize('NFC');
}

function tooManyMarks(text: string): string | undefined {
  return hasManyMarks(text)
    ? `must not contain more than ${marksInARowMax} combining marks in a row; remove some`
    : undefined;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function alphanumeric(
  maxLength: number,
  description: string,
  example: string,
  more: Pick<TextOptions, 'emptyMeansNull'> = {},
): Field<string> {
  return text({
    pattern: '^[A-Za-z0-9]+$',
    minLength: 1,
    maxLength,
    rule: `a string of 1 to ${maxLength} characters from a-z, A-Z and 0-9`,
    description,
    examples: [example],
    ...more,
  });
}

export const employeeIdField = alphanumeric(
  fieldLimits.employeeIdMaxLength,
  'The employee ID, compared exactly, including case.',
  'E1001',
);

export const newEmployeeIdField = alphanumeric(
  fieldLimits.employeeIdMaxLength,
  'Replaces the employee ID. Null or the current ID means no change.',
  'E2001',
  { emptyMeansNull: false },
);

export const usernameField = alphanumeric(
  fieldLimits.usernameMaxLength,
  'The name the user signs in with. Keeps its case; unique ignoring case.',
  'ada',
);

export const nameField = text({
  // No nested quantifiers: the matching time must not grow faster than the text.
  pattern: `^${NOT_BLANK}(?:[^${HIDDEN}\\p{M}]|\\p{M}{1,${marksInARowMax}}(?!\\p{M}))+$`,
  minLength: 1,
  maxLength: fieldLimits.nameMaxLength,
  rule: `a string of 1 to ${fieldLimits.nameMaxLength} characters that is not blank, ${withoutHidden}`,
  description: 'The name of the user; surrounding white space is removed.',
  examples: ['Ada Lovelace'],
  // One encoding of accents, so that a name is found and compared however it was typed.
  kept: (name) => composed(name.trim(), fieldLimits.nameMaxLength),
  flaw: (text) => hiddenCharacter(text) ?? tooManyMarks(text),
});

export const emailField = text({
  pattern: emailPattern,
  minLength: 3,
  maxLength: fieldLimits.emailMaxLength,
  rule: `an email address like name@example.com of at most ${fieldLimits.emailMaxLength} characters, without spaces or control characters`,
  description: 'Required when phone is empty. Not unique.',
  examples: ['ada@example.com'],
});

export const phoneField = text({
  pattern: `^(?=(?:[^0-9]*[0-9]){${fieldLimits.phoneMinDigits}})\\+?[0-9 ().\\-]+$`,
  minLength: fieldLimits.phoneMinLength,
  maxLength: fieldLimits.phoneMaxLength,
  rule: `a phone number of ${fieldLimits.phoneMinLength} to ${fieldLimits.phoneMaxLength} characters with at least ${fieldLimits.phoneMinDigits} digits: a leading +, digits, spaces, hyphens, dots and round brackets`,
  description: 'Required when email is empty. Stored as sent. Not unique.',
  examples: ['+44 20 7946 0958'],
});

export const passwordField = text({
  pattern: `^${STORABLE}+$`,
  minLength: 1,
  maxLength: fieldLimits.passwordMaxLength,
  rule: `a string of 1 to ${fieldLimits.passwordMaxLength} characters without NUL and lone surrogates`,
  description: 'The initial password. When empty, the service generates one.',
  examples: ['correct horse battery staple'],
});

export const serialReferenceField = text({
  pattern: `^${DISPLAYABLE}+$`,
  minLength: 1,
  maxLength: fieldLimits.serialMaxLength,
  rule: `a string of 1 to ${fieldLimits.serialMaxLength} characters ${withoutHidden}`,
  description: 'A serial of another service; stored as is and not verified.',
  examples: ['ORG7'],
  flaw: (text) => hiddenCharacter(text),
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
    description: 'Serials of tags, in order; duplicates are removed.',
    examples: [['T1', 'T2']],
  }),
  rule: `an array of at most ${fieldLimits.tagSerialsMaxCount} strings of 1 to ${fieldLimits.serialMaxLength} characters ${withoutHidden}`,
  normalize: (sent) => sent,
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

/** One or more of a set of values; duplicates are removed. */
export function choicesField<T extends string>(
  choices: readonly T[],
  options: { description: string; examples: unknown[] },
): Field<T[]> {
  return {
    schema: Type.Array(Type.String({ enum: [...choices] }), { minItems: 1, ...options }),
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
  return text({
    pattern: `^${NOT_BLANK}${DISPLAYABLE}+$`,
    minLength: 1,
    maxLength: fieldLimits.labelMaxLength,
    rule: `a string of 1 to ${fieldLimits.labelMaxLength} characters that is not blank, ${withoutHidden}`,
    description,
    examples: [example],
    kept: (label) => label.trim(),
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
