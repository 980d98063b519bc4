import type { ChangeKind } from '../../contract/enums.js';
import type { Executor } from '../database.js';

/**
 * How to follow the change log without missing a row. Numbers are drawn before a transaction commits, so a row with a
 * lower number may appear after one with a higher number. But each writer holds a lock on the table from before it
 * draws a number until its commit is visible. So: read the last number drawn, then who holds the lock. Once all of them
 * have ended, every row up to that number is committed or never will be.
 */
export async function lastChangeNumber(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ last: string }>({
    name: 'last-change-number',
    text: 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM change_numbers',
  });
  return Number(rows[0]?.last);
}

/** The transactions that are writing to the change log right now. */
export async function changeWriters(executor: Executor): Promise<string[]> {
  const { rows } = await executor.query<{ writer: string }>({
    name: 'change-writers',
    text: `SELECT virtualtransaction AS writer FROM pg_locks
           WHERE locktype = 'relation' AND relation = 'changes'::regclass AND mode = 'RowExclusiveLock' AND granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  });
  return rows.map(({ writer }) => writer);
}

export async function prunedTo(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ prunedTo: string }>(
    'SELECT pruned_to AS "prunedTo" FROM change_log',
  );
  return Number(rows[0]?.prunedTo);
}

/** Longer than any transaction. Rows have the time at which their transaction began, so they are not quite in order. */
const longestTransaction = `interval '1 hour'`;

/** The number of the first change since a time, among those after a number. */
export async function firstChangeSince(
  executor: Executor,
  since: string,
  after: number,
): Promise<number | undefined> {
  const { rows } = await executor.query<{ first: string | null }>(
    `SELECT min(seq) AS first FROM changes WHERE at >= $1 AND seq > greatest($2::bigint, (
       SELECT seq FROM changes WHERE at < $1::timestamptz - ${longestTransaction} ORDER BY seq DESC LIMIT 1))`,
    [since, after],
  );
  const first = rows[0]?.first ?? null;
  return first === null ? undefined : Number(first);
}

/** What happens to a planned call before it runs. The row of a call that is done is simply `call`. */
export type CallEventKind =
  | 'call.planned'
  | 'call.approved'
  | 'call.takenOver'
  | 'call.cancelled'
  | 'call.expired';

export type FeedEventKind = 'feed.waiting' | 'feed.ended';

/** A change log row as sent to followers. */
export interface FeedRow {
  readonly sequence: number;
  readonly at: Date;
  readonly kind: ChangeKind | 'call' | CallEventKind | FeedEventKind;
  readonly userSerial: string | null;
  readonly employeeID: string | null;
  readonly version: number | null;
  readonly callId: string | null;
  readonly actor: { readonly kind: string; readonly id: string } | null;
  readonly requestId: string | null;
  /** As JSON. */
  readonly fields: string;
}

type FeedTuple = [
  sequence: string,
  at: Date,
  kind: FeedRow['kind'],
  userSerial: string | null,
  employeeID: string | null,
  version: number | null,
  callId: string | null,
  actorKind: string | null,
  actorId: string | null,
  requestId: string | null,
  fields: string,
];

export async function readFeed(
  executor: Executor,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<FeedRow[]> {
  const { rows } = await executor.query<FeedTuple>({
    name: 'read-feed',
    text: `SELECT seq, at, kind, user_serial, employee_id, version, call_id, actor_kind, actor_id, request_id, fields::text
           FROM changes WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`,
    values: [after, upTo, limit],
    rowMode: 'array',
  });
  return rows.map((row) => ({
    sequence: Number(row[0]),
    at: row[1],
    kind: row[2],
    userSerial: row[3],
    employeeID: row[4],
    version: row[5],
    callId: row[6],
    actor: row[7] !== null && row[8] !== null ? { kind: row[7], id: row[8] } : null,
    requestId: row[9],
    fields: row[10],
  }));
}
