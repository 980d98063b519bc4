import type { BoundFilter } from '../../scim/language/bound-filter.js';
import type { ScimAttribute, Steps } from '../../scim/language/schema.js';
import type { Executor } from '../database.js';
import { newParameters, type Parameter } from '../sql.js';
import { countByStatus, countMatches } from '../users/count-users.js';
import { type VersionedUser, type ViewRow, versionedUser, viewColumns } from '../users/read-users.js';
import { allOf, conditionsOnUsers, type UserFilters } from '../users/user-conditions.js';
import { foldedText, types, userCondition } from './user-filter.js';
import {
  isDeleted,
  isNotDeleted,
  isOfProvider,
  type SimpleSource,
  type Source,
  type SourceFacts,
  type Sources,
  userSources,
} from './user-sources.js';

/** Which users a provider asks for. */
export interface ProvisionedUsers extends SourceFacts {
  readonly filter: BoundFilter | undefined;
  /** Whether only users whom the provider manages are listed. */
  readonly isOwn: boolean;
}

export interface UserPage {
  /** Undefined is the order of creation. */
  readonly sortBy: Steps | undefined;
  readonly descending: boolean;
  readonly limit: number;
  readonly start: PageStart;
}

export type PageStart = { readonly offset: number } | { readonly after: UserPosition };

export interface UserPosition {
  /** What the user is sorted by, as a text. Null if there is no value. */
  readonly key: string | null;
  readonly serial: string;
}

export interface PlacedUser extends VersionedUser {
  readonly position: UserPosition;
}

/** So many users are read in the order of a page, which takes some milliseconds, before all are. */
const scannedMax = 10_000;

/**
 * Users without a value to sort by come last, or first in descending order (RFC 7644, section 3.4.2.3). The planner cannot
 * tell how many users match. If they are many, an index in the order of the page soon leads to enough of them. If they are
 * few, it leads to all users one by one, which takes three times as long as to read and sort them.
 */
export async function listProvisionedUsers(
  executor: Executor,
  asked: ProvisionedUsers,
  page: UserPage,
): Promise<PlacedUser[]> {
  if (!mayBeFew(asked, page)) return pageOf(executor, asked, page, 'of all');
  // To look for each of so many users among all members of a group takes longer than to look at the groups of each.
  const next = await pageOf(executor, { ...asked, fresh: undefined }, page, 'of the next');
  return next.length === page.limit ? next : pageOf(executor, asked, page, 'sorted');
}

function mayBeFew(asked: ProvisionedUsers, { sortBy }: UserPage): boolean {
  const { parameter } = newParameters();
  const sources = userSources(asked, parameter);
  const isInOrder = (sortBy ? sortKey(sortBy, sources) : byCreation).unindexed !== undefined;
  const isLookup = asked.filter !== undefined && userCondition(asked.filter, sources, parameter).isLookup;
  return isInOrder && !isLookup && (asked.isOwn || asked.filter !== undefined);
}

async function pageOf(
  executor: Executor,
  asked: ProvisionedUsers,
  { sortBy, descending, limit, start }: UserPage,
  found: 'of all' | 'of the next' | 'sorted',
): Promise<PlacedUser[]> {
  const { values, parameter } = newParameters();
  const sources = userSources(asked, parameter);
  const key = sortBy ? sortKey(sortBy, sources) : byCreation;
  const { sql, isLookup } = listed(asked, sources, parameter, found === 'sorted' ? 'by index' : 'in order');
  const direction = descending ? 'DESC' : 'ASC';
  const order = `ORDER BY key ${direction}, serial ${direction}`;
  const position = 'after' in start ? afterPosition(start.after, key, descending, parameter) : 'true';
  const offset = 'offset' in start ? start.offset : 0;
  const sorted = found === 'sorted' ? (key.unindexed ?? key.sql) : key.sql;
  const users =
    found === 'of the next'
      ? `(SELECT * FROM (SELECT *, ${sorted} AS key FROM users) AS users WHERE ${position} ${order} LIMIT ${scannedMax}) AS users`
      : 'users';
  // Once for every user, and without the columns that only the page needs. If an index leads to the users, OFFSET keeps
  // the planner from looking for them in the order of the page instead, because it takes them to be many.
  const matching = `SELECT serial, ${sorted} AS key FROM ${users} WHERE (${sql}) ${isLookup ? 'OFFSET 0' : ''}`;
  const { rows } = await executor.query<ViewRow & { key: string | null }>({
    text: `SELECT ${viewColumns}, page.key::text AS key FROM (
             SELECT * FROM (${matching}) AS found WHERE ${position} ${order} LIMIT ${limit} OFFSET ${offset}
           ) AS page JOIN users USING (serial) ORDER BY page.key ${direction}, serial ${direction}`,
    values,
  });
  return rows.map(({ key: text, ...row }) => ({
    ...versionedUser(row),
    position: { key: text, serial: row.serial },
  }));
}

export async function countProvisionedUsers(executor: Executor, asked: ProvisionedUsers): Promise<number> {
  return (await countByListing(executor, asked)) ?? (await countOneByOne(executor, asked));
}

/** What the index has counted, or counts in an index, without those whom a provider has deleted. */
async function countByListing(
  executor: Executor,
  { filter, isOwn, fresh }: ProvisionedUsers,
): Promise<number | undefined> {
  const filters = isOwn || !fresh ? undefined : listedFilters(filter);
  if (!filters || !fresh) return undefined;
  const all = await countListed(executor, filters, fresh);
  if (filters.isActive) return all;
  const { values, parameter } = newParameters();
  const conditions = [isDeleted(parameter), ...conditionsOnUsers(filters, parameter)];
  const { rows } = await executor.query<{ count: string }>({
    text: `SELECT count(*) FROM users WHERE ${allOf(conditions)}`,
    values,
  });
  return all - Number(rows[0]?.count);
}

async function countListed(
  executor: Executor,
  filters: UserFilters,
  fresh: readonly string[],
): Promise<number> {
  const { isActive, ...others } = filters;
  if (Object.keys(others).length > 0) {
    return countMatches(executor, { filters, search: undefined, fresh, isComplete: true }, undefined);
  }
  const { active, inactive } = await countByStatus(executor, fresh);
  return (isActive === false ? 0 : active) + (isActive === true ? 0 : inactive);
}

/** The filters of the listing that find the same users, if there are any. */
function listedFilters(filter: BoundFilter | undefined): UserFilters | undefined {
  if (filter === undefined) return {};
  if (filter.kind === 'and') {
    const parts = filter.filters.map(listedFilters);
    const joined = Object.assign({}, ...parts);
    return parts.every((part) => part !== undefined) && Object.keys(joined).length === parts.length
      ? joined
      : undefined;
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return undefined;
  const { steps, operand } = filter;
  const path = steps.map(({ name }) => name).join('.');
  if (path === 'active' && typeof operand === 'boolean') return { isActive: operand };
  if (path === 'groups.value' && typeof operand === 'string') return { tagSerials: [operand] };
  return undefined;
}

async function countOneByOne(executor: Executor, asked: ProvisionedUsers): Promise<number> {
  const { values, parameter } = newParameters();
  const { sql } = listed(asked, userSources(asked, parameter), parameter, 'by index');
  const { rows } = await executor.query<{ count: string }>({
    text: `SELECT count(*) FROM users WHERE ${sql}`,
    values,
  });
  return Number(rows[0]?.count);
}

/**
 * The planner takes users of a provider to be a thousandth of all, and would sort them all for each page. They are mostly
 * many, so that a page is sooner found in its order. To count them, their index is faster.
 */
function listed(
  { filter, isOwn, clientId }: ProvisionedUsers,
  sources: Sources,
  parameter: Parameter,
  ofProvider: 'in order' | 'by index',
) {
  const matching = filter && userCondition(filter, sources, parameter);
  const conditions = [
    isNotDeleted,
    ...(isOwn ? [isOfProvider(clientId, parameter, ofProvider)] : []),
    ...(matching ? [`(${matching.sql})`] : []),
  ];
  return { sql: conditions.join(' AND '), isLookup: matching?.isLookup === true };
}

interface SortKey {
  readonly sql: string;
  readonly type: KeyType;
  /** If the expression has an index, one with the same order that has none. */
  readonly unindexed?: string;
}

/** How keys look as texts. */
const keyPatterns = {
  text: /^/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  numeric: /^-?\d{1,40}(?:\.\d{1,40})?$/,
  boolean: /^(?:true|false)$/,
} as const;

type KeyType = keyof typeof keyPatterns;

/** Whether users can be in this position of a list. */
export function isUserPosition(
  facts: SourceFacts,
  sortBy: Steps | undefined,
  { key, serial }: UserPosition,
): boolean {
  const { parameter } = newParameters();
  const { type } = sortBy ? sortKey(sortBy, userSources(facts, parameter)) : byCreation;
  return keyPatterns.uuid.test(serial) && (key === null || keyPatterns[type].test(key));
}

const byCreation: SortKey = {
  sql: 'users.serial',
  type: 'uuid',
  unindexed: `users.serial::text COLLATE "C"`,
};

/** Of several values, the primary one counts, or else the first. */
function sortKey(steps: Steps, sources: Sources): SortKey {
  const [first, ...rest] = steps;
  return keyOf(sources(first.name), rest, steps.at(-1) ?? first);
}

const noKey: SortKey = { sql: 'NULL::text', type: 'text' };

function keyOf(source: Source | undefined, steps: readonly ScimAttribute[], leaf: ScimAttribute): SortKey {
  if (!source) return noKey;
  const [next, ...rest] = steps;
  switch (source.kind) {
    case 'simple':
      return next ? noKey : simpleKey(source, leaf);
    case 'complex':
      return next ? keyOf(source.sub(next.name), rest, leaf) : noKey;
    case 'list': {
      const { rows, element, usual } = source;
      const { sql, type } = keyOf(element, steps, leaf);
      const primary = element.kind === 'complex' ? element.sub('primary') : undefined;
      const isPrimary = primary?.kind === 'simple' ? `(${primary.sql}) IS TRUE DESC, ` : '';
      const chosen = `(SELECT ${sql} FROM ${rows} ORDER BY ${isPrimary} place LIMIT 1)`;
      if (!usual) return { sql: chosen, type };
      return {
        sql: `CASE WHEN ${usual.when} THEN ${keyOf(usual.element, steps, leaf).sql} ELSE ${chosen} END`,
        type,
      };
    }
  }
}

function simpleKey({ sql, type, sorted }: SimpleSource, attribute: ScimAttribute): SortKey {
  if (sorted) return sorted.type === 'uuid' ? byCreation : { ...sorted, unindexed: `(${sorted.sql} || '')` };
  if (type === 'instant') return { sql: `extract(epoch FROM ${sql})`, type: 'numeric' };
  const key = type === 'text' ? `left(${foldedText(sql, attribute)}, ${sortedLength})` : sql;
  return { sql: key, type: types[type] as KeyType };
}

/** Positions are in cursors, which are in URLs. */
const sortedLength = 100;

function afterPosition(
  { key, serial }: UserPosition,
  { type }: SortKey,
  descending: boolean,
  parameter: Parameter,
): string {
  const beyond = descending ? '<' : '>';
  const place = `${parameter(serial)}::uuid`;
  // The key is the serial. Compared with both, the planner would not start at the place in the index.
  if (type === 'uuid') return `serial ${beyond} ${place}`;
  if (key === null) {
    const isBeyond = `serial ${beyond} ${place}`;
    return descending ? `(key IS NOT NULL OR ${isBeyond})` : `(key IS NULL AND ${isBeyond})`;
  }
  const others = `(key, serial) ${beyond} (${parameter(key)}::${type}, ${place})`;
  return descending ? others : `(${others} OR key IS NULL)`;
}
