import { type TObject, type TSchema, Type } from 'typebox';
import { isWithin } from '../contract/code-points.js';
import { failure } from '../contract/errors.js';
import { withoutNul } from '../contract/fields.js';
import { fieldLimits, pageLimitDefault, pageLimitMax } from '../contract/limits.js';
import { readTime, timePattern } from '../contract/times.js';
import type { PageRequest } from '../domain/cursor.js';
import { quoted } from '../domain/read-fields.js';
import { RequestRejected } from './request-rejected.js';

export type Query = Record<string, unknown>;
export type GivenQuery = Record<string, string | undefined>;

/** The parameters of every list. */
export const pageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageLimitMax, default: pageLimitDefault })),
  cursor: Type.Optional(
    Type.String({
      pattern: withoutNul.required,
      minLength: 1,
      description: 'The nextCursor of the previous page; absent for the first.',
    }),
  ),
};

/** The values sent for each parameter. */
export type GivenValues = Record<string, readonly string[]>;

/** Returns the parameters as sent. Unknown ones are rejected: ignoring them would do something other than requested. */
export function readQuery(query: Query, parameters: object): GivenQuery {
  return firstValues(readValues(query, parameters));
}

/** The same for parameters of which some can be repeated, and others have names that begin with a prefix. */
export function readValues(
  query: Query,
  parameters: object,
  { repeatable = [], prefix }: { repeatable?: readonly string[]; prefix?: string | undefined } = {},
): GivenValues {
  const known = Object.keys(parameters);
  const hasPrefix = (name: string) => prefix !== undefined && name.startsWith(prefix);
  const given: GivenValues = {};
  for (const [name, value] of Object.entries(query)) {
    if (!known.includes(name) && !hasPrefix(name)) {
      throw invalidParameter(
        quoted(name),
        known.length === 0
          ? 'is unknown. This operation has no parameters.'
          : `is unknown. Use ${known.join(', ')}.`,
      );
    }
    const values = typeof value === 'string' ? [value] : (value as string[]);
    if (values.length > 1 && !repeatable.includes(name) && !hasPrefix(name)) {
      throw invalidParameter(name, 'appears more than once. Send it once.');
    }
    const problem = values.map((text) => textProblem(name, text)).find((each) => each !== undefined);
    if (problem) throw invalidParameter(quoted(name), problem);
    given[name] = values;
  }
  return given;
}

/** What is wrong with a text to search for, wherever it was sent. */
export function textProblem(name: string, text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain NUL characters.';
  if (/\p{Cs}/u.test(text)) return 'must not contain lone surrogates.';
  const maxLength = name === 'types' ? fieldLimits.eventTypesMaxLength : fieldLimits.searchMaxLength;
  return name !== 'cursor' && !isWithin(text, maxLength)
    ? `must not exceed ${maxLength} characters.`
    : undefined;
}

export function firstValues(values: GivenValues): GivenQuery {
  return Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first]));
}

export function readPage({ limit = String(pageLimitDefault), cursor }: GivenQuery): PageRequest {
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > pageLimitMax) {
    throw invalidParameter('limit', `must be a whole number from 1 to ${pageLimitMax}.`);
  }
  return { limit: Number(limit), cursor };
}

/** A query parameter: how it is described, and what its text means. */
export interface Parameter<T> {
  readonly schema: TSchema;
  /** What an absent parameter means. */
  readonly otherwise: T;
  read(text: string, name: string): T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

type Value<P> = P extends Parameter<infer T> ? T : never;

/** Without the parameters that are absent and have no default. */
export type ParameterValues<P extends Parameters> = {
  readonly [Name in keyof P as undefined extends Value<P[Name]> ? never : Name]: Value<P[Name]>;
} & {
  readonly [Name in keyof P as undefined extends Value<P[Name]> ? Name : never]?: Exclude<
    Value<P[Name]>,
    undefined
  >;
};

export function schemasOf(parameters: Parameters): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { schema }]) => [name, Type.Optional(schema)] as const),
  );
}

export const querySchema = (parameters: Parameters): TObject => Type.Object(schemasOf(parameters));

/** The values of all parameters. Unknown ones are rejected. */
export function readParameters<P extends Parameters>(query: Query, parameters: P): ParameterValues<P> {
  return valuesOf(readQuery(query, parameters), parameters);
}

/** The values of some of the parameters. */
export function valuesOf<P extends Parameters>(given: GivenQuery, parameters: P): ParameterValues<P> {
  const values: Record<string, unknown> = {};
  for (const [name, { read, otherwise }] of Object.entries(parameters)) {
    const text = given[name];
    const value = text === undefined ? otherwise : read(text, name);
    if (value !== undefined) values[name] = value;
  }
  return values as ParameterValues<P>;
}

export function flagParameter<Otherwise extends boolean | undefined>(
  description: string,
  otherwise: Otherwise,
): Parameter<boolean | Otherwise> {
  const byDefault = otherwise === undefined ? {} : { default: otherwise };
  return {
    schema: Type.Boolean({ ...byDefault, description }),
    otherwise,
    read: (text, name) => readChoice(text, name, ['true', 'false']) === 'true',
  };
}

/** One of a set of values. */
export function choiceParameter<T extends string, Otherwise extends T | undefined>(
  choices: readonly T[],
  otherwise: Otherwise,
  description?: string,
): Parameter<T | Otherwise> {
  const byDefault = otherwise === undefined ? {} : { default: otherwise };
  const described = description === undefined ? {} : { description };
  return {
    schema: Type.String({ enum: [...choices], ...byDefault, ...described }),
    otherwise,
    read: (text, name) => readChoice(text, name, choices),
  };
}

const countDigitsMax = 9;
const countMax = 10 ** countDigitsMax - 1;
const wholeNumber = new RegExp(`^\\d{1,${countDigitsMax}}$`);

export function countParameter(description: string): Parameter<number | undefined> {
  return {
    schema: Type.Integer({ minimum: 0, maximum: countMax, description }),
    otherwise: undefined,
    read: (text, name) => {
      if (wholeNumber.test(text)) return Number(text);
      throw invalidParameter(name, `must be a whole number from 0 to ${countMax}.`);
    },
  };
}

/** Any text. The pattern and the length only describe it: the reader has to reject what they exclude. */
export function textParameter(
  description: string,
  example: string,
  {
    pattern = withoutNul.optional,
    read = (text: string, _name: string) => text,
    maxLength = fieldLimits.searchMaxLength as number,
  } = {},
): Parameter<string | undefined> {
  const schema = Type.String({ pattern, maxLength, description, examples: [example] });
  return { schema, otherwise: undefined, read };
}

export function timeParameter(
  description: string,
  example = '2026-11-15T08:30:00Z',
  read = requireTime,
): Parameter<string | undefined> {
  return textParameter(description, example, { pattern: timePattern, read });
}

/** From 1970 on: before, time zones had offsets of odd minutes and seconds. */
const dayPattern = '^(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

export function dayParameter(description: string, example: string) {
  return textParameter(description, example, {
    pattern: dayPattern,
    read: (text, name) => {
      if (new RegExp(dayPattern).test(text) && readTime(`${text}T00:00:00Z`)) return text;
      throw invalidParameter(name, 'must be a day such as 2026-11-15, from 1970 on.');
    },
  });
}

export const confirmParameter = countParameter(
  'Confirms that the call deactivates, renames, or clears the username, email or phone of this many users, if that exceeds the safety limit.',
);

function readChoice<T extends string>(text: string, name: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw invalidParameter(name, `must be one of ${choices.join(', ')}.`);
}

export const timeRule = 'must be a time with an offset, such as 2026-11-15T08:30:00Z.';

/** In the database format. */
export function requireTime(text: string, name: string): string {
  const time = readTime(text);
  if (time !== undefined) return time;
  throw invalidParameter(name, timeRule);
}

/** The problem follows the name of the parameter: "must be a whole number." */
export function invalidParameter(parameter: string, problem: string): RequestRejected {
  return new RequestRejected(
    failure('REQUEST_PARAMETER_INVALID', `"${parameter}" ${problem}`, { parameter }),
  );
}
