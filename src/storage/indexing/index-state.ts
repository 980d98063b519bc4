import type { Executor } from '../database.js';

/** How far the tables for listing and searching have followed the change log. */
export interface IndexState {
  /** Every user is indexed as of this change. */
  readonly position: number;
  /** The changes of users and calls can be found up to this one. At least `position`. */
  readonly logPosition: number;
  /** Users up to this serial are indexed. Undefined once all users are. */
  readonly builtTo: string | undefined;
  /** The same while users are indexed again because of a change to what is indexed of their attributes. */
  readonly attributesBuiltTo: string | undefined;
  /** Former names are known up to this change. Usually `logPosition`, but less while the log of before is read. */
  readonly namesPosition: number;
  /** Changes are counted up to this one. The same, and -1 if they have to be counted anew. */
  readonly countsPosition: number;
  /** How many users are indexed. */
  readonly users: number;
}

interface StateRow {
  readonly position: string;
  readonly logPosition: string;
  readonly builtTo: string | null;
  readonly attributesBuiltTo: string | null;
  readonly namesPosition: string;
  readonly countsPosition: string;
  readonly users: number;
}

/** Changes that a node of the previous version has indexed, without their attributes, are indexed again. */
const indexedTo = 'least(position, attributes_position)';

const stateColumns = `${indexedTo} AS position, log_position AS "logPosition", built_to AS "builtTo",
  attributes_built_to AS "attributesBuiltTo", names_position AS "namesPosition", counts_position AS "countsPosition",
  users_total AS users`;

function stateOf({
  position,
  logPosition,
  builtTo,
  attributesBuiltTo,
  namesPosition,
  countsPosition,
  users,
}: StateRow): IndexState {
  return {
    users,
    position: Number(position),
    logPosition: Number(logPosition),
    builtTo: builtTo ?? undefined,
    attributesBuiltTo: attributesBuiltTo ?? undefined,
    namesPosition: Number(namesPosition),
    countsPosition: Number(countsPosition),
  };
}

/** Locks the state until the transaction ends. Undefined if another node is indexing right now. */
export async function lockIndexState(tx: Executor): Promise<IndexState | undefined> {
  const { rows } = await tx.query<StateRow>({
    name: 'lock-index-state',
    text: `SELECT ${stateColumns} FROM index_state FOR UPDATE SKIP LOCKED`,
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
    text: `SELECT ${stateColumns} FROM index_state`,
  });
  return stateOf(rows[0] as StateRow);
}

export async function writeIndexState(tx: Executor, state: Omit<IndexState, 'users'>): Promise<void> {
  const { position, builtTo, attributesBuiltTo, logPosition, namesPosition, countsPosition } = state;
  await tx.query({
    name: 'write-index-state',
    text: `UPDATE index_state SET position = greatest(position, $1), attributes_position = $1, built_to = $2,
             log_position = $3, names_position = $4, counts_position = $5, attributes_built_to = $6`,
    values: [
      position,
      builtTo ?? null,
      logPosition,
      namesPosition,
      countsPosition,
      attributesBuiltTo ?? null,
    ],
  });
}

/** Before the serials of all users. */
export const firstSerial = '00000000-0000-0000-0000-000000000000';

/** Has every user indexed and every change counted again, for example after users were written without the service. */
export async function rebuildIndex(executor: Executor): Promise<void> {
  await executor.query('UPDATE index_state SET built_to = $1, counts_position = -1', [firstSerial]);
}

/** Has what is indexed of attributes brought in line with their definitions, one user after the other. */
export async function reindexAttributes(tx: Executor): Promise<void> {
  await tx.query('UPDATE index_state SET attributes_built_to = $1', [firstSerial]);
}

/** What a read has to take from the users table itself. */
export interface Freshness {
  readonly isBuilding: boolean;
  /** Whether the index lacks values or words of attributes, or has some that it should no longer have. */
  readonly isBuildingAttributes: boolean;
  /** Users changed since they were indexed. */
  readonly fresh: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** How many changes that are not indexed yet a read looks at. */
export interface FreshLimits {
  /** Up to so many, at all of them. */
  readonly allMax: number;
  /** If there are more, at the newest: somebody who has just changed a user wants to see it. */
  readonly newestMax: number;
}

/** Must be read in the same snapshot as the tables for listing and searching. */
export async function readFreshness(tx: Executor, { allMax, newestMax }: FreshLimits): Promise<Freshness> {
  const { rows } = await tx.query<Freshness>({
    name: 'read-freshness',
    text: `WITH newest AS MATERIALIZED (
             SELECT user_serial, row_number() OVER (ORDER BY seq DESC) AS place FROM (
               SELECT seq, user_serial FROM changes
               WHERE seq > (SELECT ${indexedTo} FROM index_state) AND user_serial IS NOT NULL
               ORDER BY seq DESC LIMIT $1::integer + 1) AS newer)
           SELECT built_to IS NOT NULL AS "isBuilding", attributes_built_to IS NOT NULL AS "isBuildingAttributes",
                  newer <= $1 AS "isComplete",
                  ARRAY(SELECT DISTINCT user_serial FROM newest WHERE newer <= $1 OR place <= $2::integer) AS fresh
           FROM index_state, (SELECT count(*) AS newer FROM newest) AS counted`,
    values: [allMax, newestMax],
  });
  const [row] = rows;
  if (!row) throw new Error('the index has no state');
  return row;
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
