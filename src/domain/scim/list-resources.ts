import type { JsonObject } from '../../scim/language/json.js';
import { failed, type ScimFailure } from '../../scim/language/outcome.js';
import { projection } from '../../scim/language/project.js';
import type { ScimSchema } from '../../scim/language/schema.js';
import { type BoundQuery, bindQuery, type ListQuery, type ResourceList } from '../../scim/list-query.js';
import { isStatementTimeout } from '../../storage/errors.js';
import { fingerprintOf, readCursor, writeCursor } from '../cursor.js';
import type { Result } from '../result.js';
import { rejected } from './failures.js';
import type { ProviderRequest } from './resource-facts.js';

/** Resources of one type that lists contain. */
export interface ListedType {
  readonly type: 'User' | 'Group';
  readonly schema: ScimSchema;
  /** Why the type cannot be listed so. */
  problem?(query: OrderedQuery): ScimFailure | undefined;
  /** Those that match, in an order that the query determines. */
  list(query: OrderedQuery, start: PageStart, limit: number): Promise<readonly PlacedResource[]>;
  count(query: OrderedQuery): Promise<number>;
  /** Whether a position, which comes from a client, can be one of the list. */
  isPosition(query: OrderedQuery, position: ResourcePosition): boolean;
}

/** Attributes that a type doesn't have are without a value (RFC 7644, section 3.4.2.1). */
export interface OrderedQuery extends BoundQuery {
  readonly descending: boolean;
}

export type PageStart = { readonly offset: number } | { readonly after: ResourcePosition };

export interface ResourcePosition {
  /** What the resource is sorted by, as a text. Null if there is no value. */
  readonly key: string | null;
  readonly serial: string;
}

export interface PlacedResource {
  readonly resource: JsonObject;
  readonly position: ResourcePosition;
}

/** Resources of all these types, one type after the other. */
export async function listResources(
  types: readonly ListedType[],
  query: ListQuery,
  request: ProviderRequest,
): Promise<Result<{ readonly list: ResourceList }>> {
  try {
    return await boundList(types, query, request);
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    return rejected(
      failed(
        'tooMany',
        'The list takes too long, because no index finds or sorts these resources. Narrow the filter with "and" and "eq", or leave out "sortBy".',
      ),
    );
  }
}

async function boundList(
  types: readonly ListedType[],
  query: ListQuery,
  { provider }: ProviderRequest,
): Promise<Result<{ readonly list: ResourceList }>> {
  const bound = bindQuery(query, jointSchema(types));
  if (!bound.ok) return rejected(bound);
  const ordered = { ...bound.value, descending: query.descending };
  for (const type of types) {
    const problem = type.problem?.(ordered);
    if (problem) return rejected(problem);
  }
  const { paging } = query;
  if (paging.kind === 'index') {
    return { ok: true, list: await listByIndex(types, query, ordered, paging.startIndex) };
  }
  const { filter = '', sortBy = '', descending } = query;
  const fingerprint = fingerprintOf(
    ...[provider.clientId, provider.visibleUsers, types.map(({ type }) => type)],
    ...[filter, sortBy.toLowerCase(), descending],
  );
  const place = paging.cursor === '' ? firstPlace : placeIn(paging.cursor, fingerprint, types, ordered);
  if (!place) {
    return rejected(
      failed(
        'invalidCursor',
        'The cursor belongs to another list. For the first page, send an empty "cursor"; then send each "nextCursor" with the same filter and order.',
      ),
    );
  }
  return { ok: true, list: await listByCursor(types, query, ordered, place, fingerprint) };
}

/** Whatever any of the types has. */
function jointSchema(types: readonly ListedType[]): ScimSchema {
  const [first, ...others] = types.map(({ schema }) => schema);
  const attributes = [...(first?.attributes ?? [])];
  for (const each of others.flatMap((schema) => schema.attributes)) {
    if (!attributes.some(({ name }) => name === each.name)) attributes.push(each);
  }
  return { id: first?.id ?? '', attributes };
}

function shown(type: ListedType, page: readonly PlacedResource[], { requested }: ListQuery): JsonObject[] {
  const project = projection(requested, type.schema);
  return page.map(({ resource }) => project(resource));
}

/** Counts only what doesn't follow from the page. */
async function listByIndex(
  types: readonly ListedType[],
  query: ListQuery,
  ordered: OrderedQuery,
  startIndex: number,
): Promise<ResourceList> {
  const resources: JsonObject[] = [];
  let total = 0;
  for (const type of types) {
    const offset = Math.max(startIndex - 1 - total, 0);
    const wanted = query.count - resources.length;
    const page = wanted > 0 ? await type.list(ordered, { offset }, wanted) : [];
    const hasEnded = page.length < wanted && (page.length > 0 || offset === 0);
    total += hasEnded ? offset + page.length : await type.count(ordered);
    resources.push(...shown(type, page, query));
  }
  return { resources, totalResults: total, startIndex };
}

/** Where a page starts. The total is counted for the first page, so that every other one costs the same. */
interface CursorPlace {
  readonly total: number | undefined;
  readonly typeIndex: number;
  readonly after: ResourcePosition | undefined;
}

const firstPlace: CursorPlace = { total: undefined, typeIndex: 0, after: undefined };

async function listByCursor(
  types: readonly ListedType[],
  query: ListQuery,
  ordered: OrderedQuery,
  place: CursorPlace,
  fingerprint: string,
): Promise<ResourceList> {
  const totalResults = place.total ?? (await countAll(types, ordered));
  const resources: JsonObject[] = [];
  let { after } = place;
  for (const [index, type] of types.entries()) {
    const wanted = query.count - resources.length;
    if (index < place.typeIndex || wanted === 0) continue;
    const page = await type.list(ordered, after ? { after } : { offset: 0 }, wanted + 1);
    resources.push(...shown(type, page.slice(0, wanted), query));
    const isLast = page.length <= wanted && (page.length < wanted || index === types.length - 1);
    const last = page[Math.min(wanted, page.length) - 1]?.position;
    if (!isLast && last) {
      const key = last.key === null ? [] : [last.key];
      const position = [String(totalResults), String(index), last.serial, ...key];
      return { resources, totalResults, nextCursor: writeCursor(fingerprint, position) };
    }
    after = undefined;
  }
  return { resources, totalResults };
}

async function countAll(types: readonly ListedType[], ordered: OrderedQuery): Promise<number> {
  let total = 0;
  for (const type of types) total += await type.count(ordered);
  return total;
}

function placeIn(
  cursor: string,
  fingerprint: string,
  types: readonly ListedType[],
  ordered: OrderedQuery,
): CursorPlace | undefined {
  const [total = '', index = '', serial, key = null, ...others] = readCursor(cursor, fingerprint) ?? [];
  const type = /^\d$/.test(index) ? types[Number(index)] : undefined;
  if (!type || serial === undefined || !/^\d{1,12}$/.test(total) || others.length > 0) return undefined;
  const after = { key, serial };
  return type.isPosition(ordered, after)
    ? { total: Number(total), typeIndex: Number(index), after }
    : undefined;
}
