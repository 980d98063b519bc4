import { isStorable } from '../contract/fields.js';
import { scimLimits } from '../contract/limits.js';
import { type BoundFilter, bindFilter, comparedSteps, lastOf } from './language/bound-filter.js';
import { operandsIn, parseFilter } from './language/filter.js';
import type { JsonObject } from './language/json.js';
import { done, failed, type Outcome, quoted } from './language/outcome.js';
import { type Path, parsePaths } from './language/path.js';
import type { RequestedAttributes } from './language/project.js';
import { locate, pathOf, type ScimSchema, type Steps } from './language/schema.js';
import { explainSyntax } from './language/tokens.js';
import { messageField } from './message.js';
import { urns } from './schemas.js';

/** What a list of resources is asked for (RFC 7644, sections 3.4.2 and 3.4.3; RFC 9865). */
export interface ListQuery {
  readonly filter: string | undefined;
  readonly sortBy: string | undefined;
  readonly descending: boolean;
  readonly count: number;
  readonly paging:
    | { readonly kind: 'index'; readonly startIndex: number }
    /** An empty cursor asks for the first page. */
    | { readonly kind: 'cursor'; readonly cursor: string };
  readonly requested: RequestedAttributes;
}

/** Reads the parameters of a URL, or a SearchRequest. Their names are compared in any case. */
export function readListQuery(sent: JsonObject): Outcome<ListQuery> {
  const filter = readText('filter', sent, 'invalidFilter');
  if (!filter.ok) return filter;
  const sortBy = readText('sortBy', sent);
  if (!sortBy.ok) return sortBy;
  const sortOrder = readText('sortOrder', sent);
  if (!sortOrder.ok) return sortOrder;
  const order = (sortOrder.value ?? 'ascending').toLowerCase();
  if (order !== 'ascending' && order !== 'descending') {
    return failed('invalidValue', '"sortOrder" must be ascending or descending.');
  }
  const paging = readPaging(sent);
  if (!paging.ok) return paging;
  const requested = readRequestedAttributes(sent);
  if (!requested.ok) return requested;
  return done({
    ...{ filter: filter.value, sortBy: sortBy.value, descending: order === 'descending' },
    ...paging.value,
    requested: requested.value,
  });
}

/** The body of a POST to `/.search`. */
export function readSearchRequest(body: JsonObject): Outcome<ListQuery> {
  const schemas = messageField(body, 'schemas');
  const isSearch = Array.isArray(schemas) && schemas.includes(urns.search);
  if (!isSearch) return failed('invalidSyntax', `"schemas" must contain ${quoted(urns.search)}.`);
  return readListQuery(body);
}

/** An empty text asks for nothing. */
function readText(
  name: string,
  sent: JsonObject,
  problem: 'invalidFilter' | 'invalidValue' | 'invalidCursor' = 'invalidValue',
): Outcome<string | undefined> {
  const value = messageField(sent, name) ?? undefined;
  if (value === undefined || value === '') return done(undefined);
  return typeof value === 'string' ? done(value) : failed(problem, `"${name}" must be one string.`);
}

function readPaging(sent: JsonObject): Outcome<Pick<ListQuery, 'count' | 'paging'>> {
  const cursor = messageField(sent, 'cursor') ?? undefined;
  const isByCursor = cursor !== undefined;
  const count = readInteger('count', sent, isByCursor ? 'invalidCount' : 'invalidValue');
  if (!count.ok) return count;
  const startIndex = readInteger('startIndex', sent, 'invalidValue');
  if (!startIndex.ok) return startIndex;
  const limited = Math.min(Math.max(count.value ?? scimLimits.pageDefault, 0), scimLimits.pageMax);
  if (isByCursor) {
    if (typeof cursor !== 'string') return failed('invalidCursor', '"cursor" must be one string.');
    if (startIndex.value !== undefined) {
      return failed('invalidCursor', 'Send "cursor" or "startIndex", not both.');
    }
    return done({ count: limited, paging: { kind: 'cursor', cursor } });
  }
  const index = Math.max(startIndex.value ?? 1, 1);
  if (index > scimLimits.startIndexMax) {
    return failed(
      'tooMany',
      `"startIndex" can be at most ${scimLimits.startIndexMax}. To list more, use "cursor" (RFC 9865).`,
    );
  }
  return done({ count: limited, paging: { kind: 'index', startIndex: index } });
}

function readInteger(
  name: string,
  sent: JsonObject,
  problem: 'invalidCount' | 'invalidValue',
): Outcome<number | undefined> {
  const value = messageField(sent, name) ?? undefined;
  if (value === undefined || value === '') return done(undefined);
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number)
    ? done(number)
    : failed(problem, `"${name}" must be an integer.`);
}

/** `attributes` and `excludedAttributes`, of which only one may be sent. */
export function readRequestedAttributes(sent: JsonObject): Outcome<RequestedAttributes> {
  const attributes = readPaths('attributes', sent);
  if (!attributes.ok) return attributes;
  const excluded = readPaths('excludedAttributes', sent);
  if (!excluded.ok) return excluded;
  if (attributes.value && excluded.value) {
    return failed('invalidValue', 'Send "attributes" or "excludedAttributes", not both.');
  }
  return done({ attributes: attributes.value, excludedAttributes: excluded.value });
}

function readPaths(name: string, sent: JsonObject): Outcome<RequestedAttributes['attributes']> {
  const value = messageField(sent, name) ?? undefined;
  const text = Array.isArray(value) ? value.join(',') : value;
  if (text === undefined || text === '') return done(undefined);
  const paths = parsePaths(String(text));
  if (!paths.ok) {
    return failed('invalidValue', `"${name}" must be a list of attributes. ${explainSyntax(paths.problem)}`);
  }
  const distinct = distinctPaths(paths.value);
  const { requestedPathsMax: pathsMax, filterComparisonsMax: comparisonsMax } = scimLimits;
  const comparisons = distinct.flatMap(({ filter }) => (filter ? operandsIn(filter) : [])).length;
  return distinct.length <= pathsMax && comparisons <= comparisonsMax
    ? done(distinct)
    : failed(
        'invalidValue',
        `"${name}" may have at most ${pathsMax} attributes, and ${comparisonsMax} comparisons in their filters.`,
      );
}

function distinctPaths(paths: readonly Path[]): readonly Path[] {
  const byText = new Map(
    paths.map((path) => [JSON.stringify({ ...path, attribute: path.attribute.toLowerCase() }), path]),
  );
  return [...byText.values()];
}

/** What a query means in a schema. */
export interface BoundQuery {
  readonly filter: BoundFilter | undefined;
  readonly sortBy: Steps | undefined;
}

export function bindQuery(
  { filter, sortBy }: Pick<ListQuery, 'filter' | 'sortBy'>,
  schema: ScimSchema,
): Outcome<BoundQuery> {
  const bound = filter === undefined ? done(undefined) : readFilter(filter, schema);
  if (!bound.ok) return bound;
  const steps = sortBy === undefined ? done(undefined) : readSort(sortBy, schema);
  return steps.ok ? done({ filter: bound.value, sortBy: steps.value }) : steps;
}

function readFilter(text: string, schema: ScimSchema): Outcome<BoundFilter> {
  const parsed = parseFilter(text);
  if (!parsed.ok) return failed('invalidFilter', explainSyntax(parsed.problem));
  const operands = operandsIn(parsed.value);
  if (operands.length > scimLimits.filterComparisonsMax) {
    return failed(
      'invalidFilter',
      `A filter may have at most ${scimLimits.filterComparisonsMax} comparisons, and this has ${operands.length}.`,
    );
  }
  const isStrange = operands.some((each) => typeof each === 'string' && !isStorable(each));
  if (isStrange)
    return failed('invalidFilter', 'A value contains NUL or a lone surrogate, which no text has.');
  return bindFilter(parsed.value, schema);
}

/** RFC 7644 has no error for `sortBy`, but says that values which don't fit the schema are invalid. */
function readSort(text: string, schema: ScimSchema): Outcome<Steps> {
  const located = locate(text, schema);
  if (!located.ok) return failed('invalidValue', `"sortBy": ${located.detail}`);
  const steps = comparedSteps(located.steps);
  const { type, returned } = lastOf(steps);
  if (type !== 'complex' && returned !== 'never') return done(steps);
  return failed(
    'invalidValue',
    `"sortBy": ${quoted(pathOf(steps))} has no values to sort by. Name a part of it.`,
  );
}

/** A page of resources. */
export interface ResourceList {
  readonly resources: readonly JsonObject[];
  readonly totalResults: number;
  /** Of a list by index. */
  readonly startIndex?: number;
  /** Of a list by cursor that goes on. */
  readonly nextCursor?: string;
}

export function listResponse({ resources, totalResults, startIndex, nextCursor }: ResourceList): JsonObject {
  return {
    schemas: [urns.list],
    totalResults,
    itemsPerPage: resources.length,
    ...(startIndex !== undefined && { startIndex }),
    ...(nextCursor !== undefined && { nextCursor }),
    Resources: resources,
  };
}
