import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';

/** How far the tables for listing and searching have followed the change log. */
export interface IndexState {
  /** Every change up to this number is indexed. */
  readonly position: number;
  /** Users up to this serial are indexed. Undefined once all users are. */
  readonly builtTo: string | undefined;
}

interface StateRow {
  readonly position: string;
  readonly builtTo: string | null;
}

function stateOf({ position, builtTo }: StateRow): IndexState {
  return { position: Number(position), builtTo: builtTo ?? undefined };
}

/** Locks the state until the transaction ends. Undefined if another node is indexing right now. */
export async function lockIndexState(tx: Executor): Promise<IndexState | undefined> {
  const { rows } = await tx.query<StateRow>({
    name: 'lock-index-state',
    text: 'SELECT position, built_to AS "builtTo" FROM index_state FOR UPDATE SKIP LOCKED',
  });
  return rows[0] && stateOf(rows[0]);
}

/** Waits for a batch that is being indexed, and lets no node index until the transaction ends. */
export async function pauseIndexing(tx: Executor): Promise<void> {
  await tx.query('SELECT FROM index_state FOR UPDATE');
}

export async function readIndexState(executor: Executor): Promise<IndexState> {
  const { rows } = await executor.query<StateRow>({
    name: 'read-index-state',
    text: 'SELECT position, built_to AS "builtTo" FROM index_state',
  });
  return stateOf(rows[0] as StateRow);
}

export async function writeIndexState(tx: Executor, { position, builtTo }: IndexState): Promise<void> {
  await tx.query({
    name: 'write-index-state',
    text: 'UPDATE index_state SET position = $1, built_to = $2',
    values: [position, builtTo ?? null],
  });
}

/** Before the serials of all users. */
export const firstSerial = '00000000-0000-0000-0000-000000000000';

/** Has every user indexed again, for example after users were written without the service. */
export async function rebuildIndex(executor: Executor): Promise<void> {
  await executor.query('UPDATE index_state SET built_to = $1', [firstSerial]);
}

/** Empties the listing and resets what is counted with it. */
export async function resetListing(tx: Executor): Promise<void> {
  await tx.query('DELETE FROM user_listing');
  await tx.query('UPDATE organizations SET users_total = 0, users_active = 0');
  await tx.query('UPDATE tags SET users_total = 0, users_active = 0');
  await tx.query('UPDATE index_state SET users_total = 0, users_active = 0');
}

/** What a read has to take from the users table itself. */
export interface Freshness {
  readonly isBuilding: boolean;
  /** Users changed since they were indexed; undefined if there are more than the given number of changes. */
  readonly fresh: readonly string[] | undefined;
}

/** Must be read in the same snapshot as the tables for listing and searching. */
export async function readFreshness(tx: Executor, changesMax: number): Promise<Freshness> {
  const { rows } = await tx.query<{ isBuilding: boolean; count: number; fresh: string[] }>({
    name: 'read-freshness',
    text: `WITH newer AS MATERIALIZED (
             SELECT user_serial FROM changes
             WHERE seq > (SELECT position FROM index_state) AND user_serial IS NOT NULL ORDER BY seq LIMIT $1 + 1)
           SELECT built_to IS NOT NULL AS "isBuilding", (SELECT count(*)::integer FROM newer) AS count,
                  ARRAY(SELECT DISTINCT user_serial FROM newer) AS fresh
           FROM index_state`,
    values: [changesMax],
  });
  const [row] = rows;
  if (!row) throw new Error('the index has no state');
  return { isBuilding: row.isBuilding, fresh: row.count > changesMax ? undefined : row.fresh };
}

export interface BuildProgress {
  readonly done: number;
  readonly total: number;
}

/** Roughly how many users are indexed. */
export async function readBuildProgress(executor: Executor): Promise<BuildProgress> {
  const { rows } = await executor.query<BuildProgress>(
    `SELECT users_total AS done, (SELECT count(*)::integer FROM users) AS total FROM index_state`,
  );
  return rows[0] as BuildProgress;
}

/** The numbers and users of changes that are not indexed yet, oldest first. */
export interface UnindexedChange {
  readonly seq: number;
  readonly userSerial: string | null;
}

export async function unindexedChanges(
  tx: Executor,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<UnindexedChange[]> {
  const { rows } = await tx.query<[seq: string, userSerial: string | null]>({
    name: 'unindexed-changes',
    text: 'SELECT seq, user_serial FROM changes WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3',
    values: [after, upTo, limit],
    rowMode: 'array',
  });
  return rows.map(([seq, userSerial]) => ({ seq: Number(seq), userSerial }));
}

/** Makes the changes between two numbers findable by user and by call. */
export async function indexChanges(
  tx: Executor,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  await tx.query({
    name: 'index-changes',
    text: `WITH newer AS MATERIALIZED (
             SELECT seq, user_serial, call_id FROM ONLY changes WHERE seq > $1 AND seq <= $2),
           by_user AS (
             INSERT INTO user_changes (user_serial, seq)
             SELECT user_serial, seq FROM newer WHERE user_serial IS NOT NULL ORDER BY user_serial
             ON CONFLICT DO NOTHING)
           INSERT INTO call_changes (call_id, first_seq, last_seq)
           SELECT call_id, min(seq), max(seq) FROM newer WHERE call_id IS NOT NULL GROUP BY call_id
           ON CONFLICT (call_id) DO UPDATE SET last_seq = excluded.last_seq`,
    values: [after, upTo],
  });
}

export async function usersAfter(tx: Executor, serial: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<[serial: string]>({
    name: 'users-after',
    text: 'SELECT serial FROM users WHERE serial > $1 ORDER BY serial LIMIT $2',
    values: [serial, limit],
    rowMode: 'array',
  });
  return rows.map(([found]) => found);
}

/**
 * Copies what lists filter and sort by from the users table, and adjusts the number of users of each organization and
 * tag by the difference.
 */
export async function indexListing(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'index-listing',
    text: `WITH given AS MATERIALIZED (SELECT unnest($1::uuid[]) AS serial),
           before AS MATERIALIZED (
             SELECT serial, is_active, name, organization_serial, tag_serials FROM user_listing JOIN given USING (serial)),
           after AS MATERIALIZED (
             SELECT serial, is_active, name, organization_serial, tag_serials FROM users JOIN given USING (serial)),
           written AS (
             INSERT INTO user_listing (serial, is_active, name, organization_serial, tag_serials)
             SELECT * FROM after EXCEPT SELECT * FROM before ORDER BY serial
             ON CONFLICT (serial) DO UPDATE SET
               is_active = excluded.is_active, name = excluded.name,
               organization_serial = excluded.organization_serial, tag_serials = excluded.tag_serials),
           removed AS (
             DELETE FROM user_listing WHERE serial IN (SELECT serial FROM before EXCEPT SELECT serial FROM after)),
           difference AS MATERIALIZED (
             SELECT is_active, organization_serial, tag_serials, 1 AS users FROM after
             UNION ALL
             SELECT is_active, organization_serial, tag_serials, -1 FROM before),
           by_organization AS (
             INSERT INTO organizations (serial, users_total, users_active)
             SELECT organization_serial, ${difference}
             FROM difference WHERE organization_serial IS NOT NULL
             GROUP BY organization_serial ${changed} ORDER BY organization_serial
             ON CONFLICT (serial) DO UPDATE SET ${added('organizations')}),
           by_tag AS (
             INSERT INTO tags (serial, users_total, users_active)
             SELECT tag, ${difference}
             FROM difference CROSS JOIN LATERAL (SELECT DISTINCT unnest(tag_serials) AS tag) AS tagged
             GROUP BY tag ${changed} ORDER BY tag
             ON CONFLICT (serial) DO UPDATE SET ${added('tags')})
           UPDATE index_state SET
             users_total = users_total + (SELECT coalesce(sum(users), 0) FROM difference),
             users_active = users_active + (SELECT coalesce(sum(users) FILTER (WHERE is_active), 0) FROM difference)`,
    values: [plainArray(serials)],
  });
}

const difference = 'sum(users), coalesce(sum(users) FILTER (WHERE is_active), 0)';
const changed = 'HAVING sum(users) <> 0 OR coalesce(sum(users) FILTER (WHERE is_active), 0) <> 0';
const added = (table: string) =>
  `users_total = ${table}.users_total + excluded.users_total, users_active = ${table}.users_active + excluded.users_active`;
