import type { Executor } from '../database.js';
import type { StoredCounts } from './feed-runs.js';

/** Returns false if the digest of this day was claimed before. Others wait until the transaction ends. */
export async function claimDigest(tx: Executor, day: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO feed_digest (day) VALUES ($1) ON CONFLICT (id) DO UPDATE SET day = excluded.day
     WHERE feed_digest.day < excluded.day`,
    [day],
  );
  return rowCount === 1;
}

export async function isDigestDue(executor: Executor, day: string): Promise<boolean> {
  const { rows } = await executor.query<{ isDue: boolean }>(
    'SELECT EXISTS (SELECT FROM feeds) AND NOT EXISTS (SELECT FROM feed_digest WHERE day >= $1) AS "isDue"',
    [day],
  );
  return rows[0]?.isDue === true;
}

export interface DigestRun {
  readonly name: string;
  readonly feed: string;
  readonly state: string;
  readonly rows: number | null;
  readonly counts: StoredCounts;
}

/** Runs that began within the last day, oldest first, without dry runs. */
export async function runsOfLastDay(executor: Executor): Promise<DigestRun[]> {
  const { rows } = await executor.query<DigestRun>(
    `SELECT feeds.name, feeds.key AS feed, feed_runs.state, rows, counts FROM feed_runs JOIN feeds ON key = feed_key
     WHERE feed_runs.created_at > now() - interval '1 day' AND NOT is_dry_run
       AND state <> 'uploading' ORDER BY feed_runs.id`,
  );
  return rows;
}
