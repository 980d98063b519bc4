import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';
import { firstSerial } from './index-state.js';

/** The orders in which users are divided into blocks. */
const blockSorts = ['name', 'employeeID'] as const;
type BlockSort = (typeof blockSorts)[number];

/** A range of users in one order. It ends before a key and a serial, or with the last user. */
export interface SearchBlock {
  readonly sort: BlockSort;
  readonly firstKey: string;
  readonly firstSerial: string;
  readonly endKey: string | null;
  readonly endSerial: string | null;
}

/** In the order of their bits. */
export async function readFrequentTerms(tx: Executor): Promise<number[]> {
  const { rows } = await tx.query<{ terms: number[] | null }>({
    name: 'read-frequent-terms',
    text: 'SELECT array_agg(term ORDER BY bit) AS terms FROM frequent_terms',
  });
  return rows[0]?.terms ?? [];
}

export interface TermSample {
  /** Percent of users to look at. */
  readonly percent: number;
  /** The share of users from which a term is frequent. */
  readonly share: number;
  readonly termsMax: number;
  /** What remains of an indexed term without its bucket. */
  readonly termMask: number;
}

/**
 * Chooses the frequent terms and makes one block of all users, for each order. As long as nobody has looked, any of
 * these users may have any of the terms.
 */
export async function resetBlocks(
  tx: Executor,
  { percent, share, termsMax, termMask }: TermSample,
): Promise<void> {
  await tx.query('DELETE FROM search_blocks');
  await tx.query('DELETE FROM frequent_terms');
  await tx.query(
    `WITH sample AS MATERIALIZED (SELECT terms FROM user_search TABLESAMPLE SYSTEM ($1)),
     frequent AS (
       SELECT term & $4 AS term FROM sample CROSS JOIN unnest(terms) AS term GROUP BY 1
       HAVING count(*) >= $2::float8 * (SELECT count(*) FROM sample) ORDER BY count(*) DESC, 1 LIMIT $3)
     INSERT INTO frequent_terms (term, bit) SELECT term, row_number() OVER (ORDER BY term) - 1 FROM frequent`,
    [percent, share, termsMax, termMask],
  );
  await tx.query(
    `INSERT INTO search_blocks (sort, first_key, first_serial, terms)
     SELECT sort, '', $2, (SELECT repeat('1', ${bitmapLength})::bit varying FROM frequent_terms)
     FROM unnest($1::text[]) AS sort WHERE EXISTS (SELECT FROM frequent_terms)`,
    [textArray(blockSorts), firstSerial],
  );
}

/** Full bytes, so that bitmaps can be written in hexadecimal digits. */
const bitmapLength = '(count(*)::integer + 7) / 8 * 8';

/** A user who was written to the search index, with the frequent terms as a bitmap in hexadecimal digits. */
export interface MarkedUser {
  readonly serial: string;
  readonly name: string;
  readonly employeeID: string;
  readonly bitmap: string;
  /** Whether the user was elsewhere in this order before, or is new. */
  readonly hasMovedByName: boolean;
  readonly hasMovedByEmployeeID: boolean;
}

/** Adds the terms of users to the blocks in which they are now. */
export async function markBlocks(
  tx: Executor,
  users: readonly MarkedUser[],
  collation: string,
): Promise<void> {
  const blockOf = (sort: BlockSort, key: string) => {
    const first = `(${firstColumn(sort, collation)}, first_serial)`;
    const serial = sort === 'name' ? 'serial' : `'${firstSerial}'::uuid`;
    return `SELECT sort, first_key, first_serial FROM search_blocks WHERE sort = '${sort}' AND ${first} <= (${key}, ${serial})
      ORDER BY ${firstColumn(sort, collation)} DESC, first_serial DESC LIMIT 1`;
  };
  await tx.query({
    name: `mark-blocks-${collation}`,
    text: `WITH written AS MATERIALIZED (
             SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::boolean[])
               AS written (serial, name, employee_id, bitmap, has_moved_by_name, has_moved_by_employee_id)),
           located AS (
             SELECT block.*, bitmap, has_moved_by_name AS has_moved
             FROM written CROSS JOIN LATERAL (${blockOf('name', 'name')}) AS block
             UNION ALL
             SELECT block.*, bitmap, has_moved_by_employee_id
             FROM written CROSS JOIN LATERAL (${blockOf('employeeID', 'employee_id')}) AS block),
           gained AS (
             SELECT sort, first_key, first_serial, bit_or(bitmap::bit varying) AS terms,
                    count(*) FILTER (WHERE has_moved)::integer AS users
             FROM located GROUP BY sort, first_key, first_serial)
           UPDATE search_blocks AS block SET terms = block.terms | gained.terms, users = block.users + gained.users
           FROM gained
           WHERE block.sort = gained.sort AND block.first_key = gained.first_key
             AND block.first_serial = gained.first_serial
             AND (gained.users > 0 OR block.terms | gained.terms <> block.terms)`,
    values: [
      plainArray(users.map(({ serial }) => serial)),
      textArray(users.map(({ name }) => name)),
      textArray(users.map(({ employeeID }) => employeeID)),
      plainArray(users.map(({ bitmap }) => `x${bitmap}`)),
      plainArray(users.map(({ hasMovedByName }) => hasMovedByName)),
      plainArray(users.map(({ hasMovedByEmployeeID }) => hasMovedByEmployeeID)),
    ],
  });
}

function firstColumn(sort: BlockSort, collation: string): string {
  return sort === 'name' ? `first_key COLLATE "${collation}"` : 'first_key';
}

/** A block whose users were never looked at, or that has grown to this size. */
export async function findDueBlock(tx: Executor, usersMax: number): Promise<SearchBlock | undefined> {
  const { rows } = await tx.query<SearchBlock>({
    name: 'find-due-block',
    text: `SELECT sort, first_key AS "firstKey", first_serial AS "firstSerial", end_key AS "endKey",
                  end_serial AS "endSerial"
           FROM search_blocks WHERE users IS NULL OR users >= $1 LIMIT 1`,
    values: [usersMax],
  });
  return rows[0];
}

export interface BlockUsers {
  /** Counted up to a number. */
  readonly users: number;
  /** Where the block has to be split for the first part to have the wanted size; undefined if it has fewer users. */
  readonly split: { readonly key: string; readonly serial: string } | undefined;
}

/** Counts the users of a block up to a number and finds the one at a place. */
export async function countBlockUsers(
  tx: Executor,
  block: SearchBlock,
  collation: string,
  { upTo, splitAt }: { upTo: number; splitAt: number },
): Promise<BlockUsers> {
  const values: unknown[] = [];
  const members = membersOf(block, collation, values);
  const { rows } = await tx.query<{ users: number; key: string | null; serial: string | null }>({
    text: `WITH members AS MATERIALIZED (${members} LIMIT ${upTo})
           SELECT (SELECT count(*) FROM members)::integer AS users, split.key, split.serial
           FROM (VALUES (true)) AS one LEFT JOIN (SELECT * FROM members OFFSET ${splitAt} LIMIT 1) AS split ON true`,
    values,
  });
  const [row] = rows;
  const split =
    row?.key != null && row.serial !== null
      ? { key: row.key, serial: block.sort === 'name' ? row.serial : firstSerial }
      : undefined;
  return { users: row?.users ?? 0, split };
}

/** Turns a block into two, of which the second is yet to be looked at. Returns the first. */
export async function splitBlock(
  tx: Executor,
  block: SearchBlock,
  { key, serial }: { key: string; serial: string },
): Promise<SearchBlock> {
  const { sort, firstKey, firstSerial: first } = block;
  await tx.query(
    `WITH shortened AS (
       UPDATE search_blocks SET end_key = $4, end_serial = $5
       WHERE sort = $1 AND first_key = $2 AND first_serial = $3 RETURNING terms)
     INSERT INTO search_blocks (sort, first_key, first_serial, end_key, end_serial, terms)
     SELECT $1, $4, $5, $6, $7, terms FROM shortened`,
    [sort, firstKey, first, key, serial, block.endKey, block.endSerial],
  );
  return { ...block, endKey: key, endSerial: serial };
}

/**
 * Replaces the terms of a block with those that its users have. The subquery with OFFSET keeps the planner, which can't
 * tell how large a block is, from reading everybody's terms.
 */
export async function collectTerms(
  tx: Executor,
  block: SearchBlock,
  { collation, users, termMask }: { collation: string; users: number; termMask: number },
): Promise<void> {
  const values: unknown[] = [users, termMask, block.sort, block.firstKey, block.firstSerial];
  const members = membersOf(block, collation, values);
  await tx.query({
    text: `WITH members AS MATERIALIZED (${members}),
           present AS MATERIALIZED (
             SELECT DISTINCT term & $2 AS term
             FROM (SELECT serial FROM members ${changedMembers(block, values)}) AS member
             CROSS JOIN LATERAL (SELECT terms FROM user_search WHERE serial = member.serial OFFSET 0) AS indexed
             CROSS JOIN unnest(terms) AS term)
           UPDATE search_blocks SET users = $1, terms = (
             SELECT rpad(string_agg(CASE WHEN term IN (SELECT term FROM present) THEN '1' ELSE '0' END, '' ORDER BY bit),
                         ${bitmapLength}, '0')::bit varying FROM frequent_terms)
           WHERE sort = $3 AND first_key = $4 AND first_serial = $5`,
    values,
  });
}

/** The users of a block, in order. */
function membersOf(block: SearchBlock, collation: string, values: unknown[]): string {
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { sort, firstKey, firstSerial: first, endKey, endSerial } = block;
  if (sort === 'employeeID') {
    const end = endKey === null ? '' : `AND employee_id < ${parameter(endKey)}`;
    return `SELECT employee_id AS key, serial FROM users WHERE employee_id >= ${parameter(firstKey)} ${end}
      ORDER BY employee_id`;
  }
  const place = `(name COLLATE "${collation}", serial)`;
  const end = endKey === null ? '' : `AND ${place} < (${parameter(endKey)}, ${parameter(endSerial)}::uuid)`;
  return `SELECT name AS key, serial FROM user_listing
    WHERE ${place} >= (${parameter(firstKey)}, ${parameter(first)}::uuid) ${end}
    ORDER BY name COLLATE "${collation}", serial`;
}

/**
 * The users table has the employee IDs of now. Who changed since being indexed is also in the block of the indexed ID:
 * if the change is taken back, there is nothing to index, and nobody would add the terms.
 */
function changedMembers({ sort, firstKey, endKey }: SearchBlock, values: unknown[]): string {
  if (sort === 'name') return '';
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const end = endKey === null ? '' : `AND employee_id < ${parameter(endKey)}`;
  return `UNION SELECT serial FROM user_search
    WHERE serial IN (SELECT user_serial FROM changes WHERE seq > (SELECT position FROM index_state))
      AND employee_id >= ${parameter(firstKey)} ${end}`;
}
