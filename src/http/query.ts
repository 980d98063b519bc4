import { Type } from 'typebox';
import { type Failure, failure } from '../contract/errors.js';
import { fieldLimits, pageLimitDefault, pageLimitMax } from '../contract/limits.js';
import type { PageRequest } from '../domain/cursor.js';
import { quoted } from '../domain/read-fields.js';

export type Query = Record<string, unknown>;
export type GivenQuery = Record<string, string | undefined>;

/** The parameters of every list. */
export const pageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageLimitMax, default: pageLimitDefault })),
  cursor: Type.Optional(Type.String({ description: 'The nextCursor of the previous page.' })),
};

export const filterText = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: fieldLimits.searchMaxLength, description, examples: [example] }));

/** Returns the parameters as sent. Unknown ones are rejected: ignoring them would do something other than requested. */
export function readQuery(query: Query, parameters: object): GivenQuery | Failure {
  const known = Object.keys(parameters);
  for (const [name, value] of Object.entries(query)) {
    if (!known.includes(name)) {
      return invalidParameter(
        quoted(name),
        known.length === 0
          ? 'is unknown. This operation has no parameters.'
          : `is unknown. Use ${known.join(', ')}.`,
      );
    }
    if (typeof value !== 'string') return invalidParameter(name, 'appears more than once. Send it once.');
    if (value.includes('\u0000')) return invalidParameter(name, 'must not contain NUL characters.');
    if (value.length > fieldLimits.searchMaxLength && name !== 'cursor') {
      return invalidParameter(name, `must not exceed ${fieldLimits.searchMaxLength} characters.`);
    }
  }
  return query as GivenQuery;
}

export function readPage({ limit = String(pageLimitDefault), cursor }: GivenQuery): PageRequest | Failure {
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > pageLimitMax) {
    return invalidParameter('limit', `must be a whole number from 1 to ${pageLimitMax}.`);
  }
  return { limit: Number(limit), cursor };
}

export const flagParameter = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, description }));

/** Absent means false. */
export function readFlag(given: GivenQuery, name: string): boolean | Failure {
  const value = readChoice(given, name, ['true', 'false']);
  return isFailure(value) ? value : value === 'true';
}

export const confirmParameter = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      'Confirms that the call deactivates or renames this many users, if that exceeds the safety limit.',
  }),
);

/** A whole number; undefined if absent. */
export function readCount(given: GivenQuery, name: string): number | undefined | Failure {
  const value = given[name];
  if (value === undefined) return undefined;
  return /^\d{1,9}$/.test(value) ? Number(value) : invalidParameter(name, 'must be a whole number.');
}

/** One of a set of values; undefined if absent. */
export function readChoice<T extends string>(
  given: GivenQuery,
  name: string,
  choices: readonly T[],
): T | undefined | Failure {
  const value = given[name];
  const choice = choices.find((candidate) => candidate === value);
  if (value === undefined || choice !== undefined) return choice;
  return invalidParameter(name, `must be one of ${choices.join(', ')}.`);
}

const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Converts an RFC 3339 time to the database format; undefined for an invalid date or a year out of range. */
export function readTime(text: string): string | undefined {
  const [, year, month, day] = timestamp.exec(text) ?? [];
  if (day === undefined) return undefined;
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const time = new Date(text);
  const utcYear = time.getUTCFullYear(); // the offset can move a time into another year
  return utcYear >= 1 && utcYear <= 9999 ? time.toISOString() : undefined;
}

/** The problem follows the name of the parameter: "must be a whole number." */
export function invalidParameter(parameter: string, problem: string): Failure {
  return failure('REQUEST_PARAMETER_INVALID', `"${parameter}" ${problem}`, { parameter });
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'error' in value && 'detail' in value;
}
