import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';
import { type IndexedSearch, type IndexedWord, isNotFresh, matchesWords } from './matching-users.js';
import {
  afterPosition,
  isInPlace,
  orderBy,
  type PageRequest,
  placeOf,
  row,
  rowsWanted,
  type StrategyLimits,
  sortColumns,
} from './page-order.js';
import { allOf, anyOf, listingConditions, type Parameter, userConditions } from './user-conditions.js';

/** A range of users in the order of the page. It ends before a place, or with the last user. */
interface Block {
  readonly firstKey: string;
  readonly firstSerial: string;
  readonly endKey: string | null;
  readonly endSerial: string | null;
  /** Null if they haven't been counted yet. */
  readonly users: number | null;
}

/** Blocks in which users may match, in the order of the page. */
export interface Walk {
  readonly blocks: readonly Block[];
  /** Whether nobody else can match. */
  readonly isComplete: boolean;
}

/**
 * The blocks that a search by name or employee ID can't skip, as many as one page may look at. `rare` if so few users have
 * one of the words that no page of them can be found by looking around. Undefined if the blocks don't tell, because they
 * are still being built or too many of them would do.
 */
export async function planWalk(executor: Executor, request: PageRequest): Promise<Walk | 'rare' | undefined> {
  const { search, sort, collation } = request;
  if (search === undefined || sort === 'createdAt') return undefined;
  const bits = await readBits(executor, search, collation);
  if (!bits) return undefined;
  if (search.words.some((alternatives) => alternatives.every((word) => isRare(word, bits)))) return 'rare';
  const conditions = blockConditions(search, bits);
  if (conditions.length === 0) return undefined;
  const candidates = await readCandidates(executor, request, conditions);
  const blocks = affordable(candidates, request.strategies);
  const isComplete = blocks.length === candidates.length;
  return blocks.length > 0 || isComplete ? { blocks, isComplete } : undefined;
}

/** The bits of the terms that are frequent. Undefined unless the blocks are up to date and in the order of this collation. */
async function readBits(
  executor: Executor,
  { words }: IndexedSearch,
  collation: string,
): Promise<Map<number, number> | undefined> {
  const terms = new Set(words.flat().flatMap((word) => word.terms));
  const { rows } = await executor.query<[term: number | null, bit: number]>({
    name: 'read-frequent-bits',
    text: `SELECT term, bit FROM index_state LEFT JOIN frequent_terms ON term = ANY ($1::integer[])
           WHERE blocks_position = position AND blocks_collation = $2`,
    values: [plainArray([...terms]), collation],
    rowMode: 'array',
  });
  if (rows.length === 0) return undefined;
  return new Map(rows.flatMap(([term, bit]) => (term === null ? [] : [[term, bit]])));
}

/** Whoever has the word has all of its terms, so it is at most as frequent as the least of them. */
function isRare({ terms }: IndexedWord, bits: ReadonlyMap<number, number>): boolean {
  return terms.some((term) => !bits.has(term));
}

/** For each word, that one of its alternatives may occur. An alternative without frequent terms may occur anywhere. */
function blockConditions({ words }: IndexedSearch, bits: ReadonlyMap<number, number>): string[] {
  const bitsOf = ({ terms }: IndexedWord) => terms.flatMap((term) => bits.get(term) ?? []);
  return words
    .map((alternatives) => alternatives.map(bitsOf))
    .filter((alternatives) => alternatives.every((found) => found.length > 0))
    .map((alternatives) =>
      anyOf(alternatives.map((found) => allOf(found.map((bit) => `get_bit(terms, ${bit}) = 1`)))),
    );
}

/** One more than a page looks at. */
async function readCandidates(
  executor: Executor,
  request: PageRequest,
  conditions: readonly string[],
): Promise<Block[]> {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const first = placeColumns(request, 'first');
  const { rows } = await executor.query<Block>({
    text: `SELECT first_key AS "firstKey", first_serial AS "firstSerial", end_key AS "endKey", end_serial AS "endSerial",
             users
           FROM search_blocks
           WHERE sort = '${request.sort}' AND ${allOf([reachesPosition(request, parameter), ...conditions])}
           ${orderBy(request, first)} LIMIT ${request.strategies.walkedBlocksMax + 1}`,
    values,
  });
  return rows;
}

/** Whether a block has users after the end of the previous page. */
function reachesPosition(request: PageRequest, parameter: Parameter): string {
  if (request.descending) return afterPosition(request, placeColumns(request, 'first'), parameter);
  return `end_key IS NULL OR ${afterPosition(request, placeColumns(request, 'end'), parameter)}`;
}

function placeColumns({ sort, collation }: PageRequest, which: 'first' | 'end'): string[] {
  return sort === 'name' ? [`${which}_key COLLATE "${collation}"`, `${which}_serial`] : [`${which}_key`];
}

function affordable(
  candidates: readonly Block[],
  { walkedBlocksMax, walkedUsersMax }: StrategyLimits,
): Block[] {
  const blocks: Block[] = [];
  let users = 0;
  for (const block of candidates.slice(0, walkedBlocksMax)) {
    users += block.users ?? Number.POSITIVE_INFINITY;
    if (users > walkedUsersMax) break;
    blocks.push(block);
  }
  return blocks;
}

/** The first matches in the blocks: as many as a page needs, or all. Undefined if others may follow. */
export async function walkBlocks(
  executor: Executor,
  request: PageRequest,
  { blocks, isComplete }: Walk,
): Promise<string[] | undefined> {
  const wanted = rowsWanted(request);
  const matches: string[] = [];
  let users = 0;
  for (const block of blocks) {
    if (!isPromising(users, matches.length / wanted, request.strategies)) return undefined;
    matches.push(...(await matchesIn(executor, request, block, wanted - matches.length)));
    if (matches.length === wanted) return matches;
    users += block.users ?? 0;
  }
  return isComplete ? matches : undefined;
}

function isPromising(
  users: number,
  filled: number,
  { walkedUsersMax, walkedUsersSafe }: StrategyLimits,
): boolean {
  return users < walkedUsersSafe || users <= filled * walkedUsersMax;
}

async function matchesIn(
  executor: Executor,
  request: PageRequest,
  block: Block,
  limit: number,
): Promise<string[]> {
  const { filters, search, sort, fresh = [] } = request;
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const table = sort === 'name' ? 'user_listing' : 'users';
  const columns = sortColumns(request, table);
  const onUsers = userConditions(filters, 'users', parameter);
  const inBlock = allOf([
    ...rangeOf(request, block, columns, parameter),
    afterPosition(request, columns, parameter),
    isNotFresh(fresh, table, parameter),
    isInPlace(request, table),
  ]);
  const { rows } = await executor.query<[serial: string]>({
    // A subquery with OFFSET is planned on its own: it has to read the block in order.
    text: `SELECT serial FROM (SELECT * FROM ${table} WHERE ${inBlock} ${orderBy(request, columns)} OFFSET 0) AS next
           WHERE ${allOf([
             ...listingConditions(filters, 'next', parameter),
             ...(onUsers.length > 0
               ? [`(SELECT ${allOf(onUsers)} FROM users WHERE users.serial = next.serial)`]
               : []),
             ...(search ? [matchesWords(search, 'next', parameter)] : []),
           ])}
           ${orderBy(request, sortColumns(request, 'next'))} LIMIT ${limit}`,
    values,
    rowMode: 'array',
  });
  return rows.map(([serial]) => serial);
}

function rangeOf(
  request: PageRequest,
  { firstKey, firstSerial, endKey, endSerial }: Block,
  columns: readonly string[],
  parameter: Parameter,
): string[] {
  const first = placeOf(request, { key: firstKey, serial: firstSerial }, parameter);
  const range = [`${row(columns)} >= ${first}`];
  if (endKey === null || endSerial === null) return range;
  return [...range, `${row(columns)} < ${placeOf(request, { key: endKey, serial: endSerial }, parameter)}`];
}
