import { type BoundFilter, lastOf } from '../../scim/language/bound-filter.js';
import type { Comparison } from '../../scim/language/filter.js';
import { comparable, isCaseExact } from '../../scim/language/matches.js';
import type { ScimAttribute, Steps } from '../../scim/language/schema.js';
import type { Parameter } from '../sql.js';
import type { ComplexSource, SimpleSource, Source, Sources } from './user-sources.js';

export interface Condition {
  readonly sql: string;
  /** Whether the index of an attribute leads to the users, who are few then. */
  readonly isLookup: boolean;
}

/** The users who match a filter, as a condition on rows of `users`. */
export function userCondition(filter: BoundFilter, sources: Sources, parameter: Parameter): Condition {
  return new Compiler(parameter).condition(filter, sources, true);
}

/** What is true of a value, or of all complex values that satisfy it. Never true of NULL. */
interface Test {
  ofSimple(source: SimpleSource): string;
  ofComplex(source: ComplexSource): string;
}

class Compiler {
  readonly #parameter: Parameter;

  constructor(parameter: Parameter) {
    this.#parameter = parameter;
  }

  /** Negations go down to the comparisons, so that the indexes of those that are not negated can be used. */
  condition(filter: BoundFilter, sources: Sources, isTrue: boolean): Condition {
    switch (filter.kind) {
      case 'not':
        return this.condition(filter.filter, sources, !isTrue);
      case 'and':
      case 'or':
        return joined(
          filter.kind === 'and' ? isTrue : !isTrue,
          filter.filters.map((each) => this.condition(each, sources, isTrue)),
        );
      default: {
        const sql = this.#leaf(filter, sources);
        if (!isTrue) return { sql: `(${sql}) IS NOT TRUE`, isLookup: false };
        const lookups = lookupsOf(filter, sources);
        return {
          sql: allOf([...lookups.map((each) => each.sql), sql]),
          isLookup: lookups.some(({ isLookup }) => isLookup),
        };
      }
    }
  }

  #leaf(filter: Extract<BoundFilter, { steps: Steps }>, sources: Sources): string {
    const any = (test: Test) =>
      anyValue({ kind: 'complex', exists: 'true', sub: sources }, filter.steps, test);
    switch (filter.kind) {
      case 'present':
        return any(isPresent);
      case 'element':
        return any(this.#matching(filter.filter));
      case 'compare': {
        const { operator, operand } = filter;
        if (operand === null) return operator === 'eq' ? `(${any(isSet)}) IS NOT TRUE` : any(isSet);
        const attribute = lastOf(filter.steps);
        const found = any(this.#comparison(attribute, operator, comparable(operand, attribute, operator)));
        return operator === 'ne' ? `(${found}) OR (${any(isSet)}) IS NOT TRUE` : found;
      }
    }
  }

  #matching(filter: BoundFilter): Test {
    const matching = (sources: Sources) => this.condition(filter, sources, true).sql;
    return {
      ofSimple: (source) =>
        allOf([`(${source.sql}) IS NOT NULL`, matching((name) => (name === 'value' ? source : undefined))]),
      ofComplex: ({ exists, sub }) => allOf([exists, matching(sub)]),
    };
  }

  #comparison(attribute: ScimAttribute, operator: Comparison, operand: ReturnType<typeof comparable>): Test {
    const given = String(operand);
    const isInstant = attribute.type === 'dateTime';
    const isBetween = isInstant && /[1-9]/.test(given.slice(millisecondsLength));
    let parameter: string | undefined; // also of a second test of the same value
    const ofSql = (type: SimpleSource['type']) => (sql: string) => {
      if (isBetween && operator === 'eq') return 'false';
      if (isBetween && operator === 'ne') return `${sql} IS NOT NULL`;
      parameter ??= this.#parameter(isInstant ? `${given.slice(0, millisecondsLength)}Z` : given);
      const value = `${parameter}::${types[type]}`;
      if (type === 'text') return comparedText(foldedText(sql, attribute), operator, value);
      if (type === 'instant') return comparedInstant(sql, operator, value, isBetween);
      return `(${sql}) ${operators[operator as keyof typeof operators]} ${value}`;
    };
    return {
      ofSimple: ({ sql, type, tested, folded }) => {
        if (folded !== undefined && (operator === 'eq' || operator === 'ne')) return ofSql(type)(folded);
        return tested ? tested(ofSql(type)) : ofSql(type)(sql);
      },
      ofComplex: () => 'false',
    };
  }
}

function joined(isAnd: boolean, conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(isAnd ? ' AND ' : ' OR '),
    isLookup: isAnd
      ? conditions.some(({ isLookup }) => isLookup)
      : conditions.every(({ isLookup }) => isLookup),
  };
}

function allOf(conditions: readonly string[]): string {
  return conditions.map((each) => `(${each})`).join(' AND ');
}

/** What indexes know about an equality, also among those of one value that have to be true together. */
function lookupsOf(filter: BoundFilter, sources: Sources): Condition[] {
  switch (filter.kind) {
    case 'compare': {
      const { steps, operator, operand } = filter;
      if (operator !== 'eq' || typeof operand !== 'string') return [];
      const source = leafAt({ kind: 'complex', exists: 'true', sub: sources }, steps);
      if (source?.kind !== 'simple') return [];
      const sql = source.lookup?.(operand);
      return sql === undefined ? [] : [{ sql, isLookup: source.isCommon !== true }];
    }
    case 'and':
      return filter.filters.flatMap((each) => lookupsOf(each, sources));
    case 'element': {
      const source = leafAt({ kind: 'complex', exists: 'true', sub: sources }, filter.steps);
      return source?.kind === 'complex' ? lookupsOf(filter.filter, source.sub) : [];
    }
    default:
      return [];
  }
}

function leafAt(
  source: Source | undefined,
  [next, ...rest]: readonly ScimAttribute[],
): SimpleSource | ComplexSource | undefined {
  if (source?.kind === 'list') return leafAt(source.element, next ? [next, ...rest] : []);
  if (!next) return source;
  return source?.kind === 'complex' ? leafAt(source.sub(next.name), rest) : undefined;
}

/** Whether a test is true of any value of an attribute. */
function anyValue(source: Source | undefined, steps: readonly ScimAttribute[], test: Test): string {
  if (!source) return 'false';
  if (source.kind === 'list') {
    const { rows, element, usual } = source;
    const listed = `EXISTS (SELECT FROM ${rows} WHERE ${anyValue(element, steps, test)})`;
    return usual
      ? `CASE WHEN ${usual.when} THEN ${anyValue(usual.element, steps, test)} ELSE ${listed} END`
      : listed;
  }
  const [next, ...rest] = steps;
  if (!next) return source.kind === 'simple' ? test.ofSimple(source) : test.ofComplex(source);
  return source.kind === 'complex' ? anyValue(source.sub(next.name), rest, test) : 'false';
}

const exists = ({ exists }: ComplexSource) => exists;

const isSet: Test = {
  ofSimple: ({ sql }) => `(${sql}) IS NOT NULL`,
  ofComplex: exists,
};

const isPresent: Test = {
  ofSimple: ({ sql, type }) => (type === 'text' ? `(${sql}) <> ''` : `(${sql}) IS NOT NULL`),
  ofComplex: exists,
};

export const types = { text: 'text', boolean: 'boolean', number: 'numeric', instant: 'timestamptz' } as const;

const operators = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/**
 * As texts are compared in memory: in lower case by the rules of Unicode, whatever the locale of the database is, and in
 * the order of code points. Most texts are ASCII, for which the rules of "C" are the same and take a third of the time.
 * An expression would be computed three times, which takes longer.
 */
export function foldedText(sql: string, attribute: ScimAttribute): string {
  if (isCaseExact(attribute)) return `(${sql}) COLLATE "C"`;
  const folded = `lower((${sql}) COLLATE "und-x-icu") COLLATE "C"`;
  return /^[\w.]+$/.test(sql)
    ? `(CASE WHEN octet_length(${sql}) = length(${sql}) THEN lower(${sql} COLLATE "C") ELSE ${folded} END)`
    : folded;
}

function comparedText(text: string, operator: Comparison, value: string): string {
  switch (operator) {
    case 'co':
      return `strpos(${text}, ${value}) > 0`;
    case 'sw':
      return `starts_with(${text}, ${value})`;
    case 'ew':
      return `right(${text}, length(${value})) = ${value}`;
    default:
      return `${text} ${operators[operator]} ${value}`;
  }
}

/** Resources show milliseconds. Columns are more precise, and so may be what they are compared with. */
function comparedInstant(column: string, operator: Comparison, from: string, isBetween: boolean): string {
  const until = `${from} + interval '1 millisecond'`;
  switch (operator) {
    case 'eq':
      return `(${column} >= ${from} AND ${column} < ${until})`;
    case 'ne':
      return `(${column} < ${from} OR ${column} >= ${until})`;
    case 'gt':
      return `${column} >= ${until}`;
    case 'ge':
      return `${column} >= ${isBetween ? until : from}`;
    case 'lt':
      return `${column} < ${isBetween ? until : from}`;
    default:
      return `${column} < ${until}`;
  }
}

const millisecondsLength = '2026-01-01T00:00:00.000'.length;
