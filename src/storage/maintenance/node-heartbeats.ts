import type { Executor } from '../database.js';

/** A process that serves requests. The workers of a node share its host and port. */
export interface NodeProcess {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly version: string;
}

export interface Heartbeat extends NodeProcess {
  readonly startedAt: string;
  readonly lastSeenAt: string;
  readonly secondsAgo: number;
}

/** Processes that have been silent for this long are forgotten. */
const forgottenAfterHours = 24;

/** Says that the process is alive, and forgets those that have long been silent. */
export async function beat(executor: Executor, { id, host, port, version }: NodeProcess): Promise<void> {
  await executor.query({
    name: 'beat',
    text: `WITH forgotten AS (
             DELETE FROM node_heartbeats WHERE last_seen_at < now() - make_interval(hours => ${forgottenAfterHours}))
           INSERT INTO node_heartbeats (id, host, port, version) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO UPDATE SET last_seen_at = now()`,
    values: [id, host, port, version],
  });
}

/** A process that stops as it should is not missed. */
export async function deleteHeartbeat(executor: Executor, id: string): Promise<void> {
  await executor.query('DELETE FROM node_heartbeats WHERE id = $1', [id]);
}

export async function listHeartbeats(executor: Executor): Promise<Heartbeat[]> {
  const { rows } = await executor.query<
    Omit<Heartbeat, 'startedAt' | 'lastSeenAt'> & { startedAt: Date; lastSeenAt: Date }
  >(
    `SELECT id, host, port, version, started_at AS "startedAt", last_seen_at AS "lastSeenAt",
            extract(epoch FROM now() - last_seen_at)::float8 AS "secondsAgo"
     FROM node_heartbeats ORDER BY host, port, started_at LIMIT 1000`,
  );
  return rows.map(({ startedAt, lastSeenAt, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }));
}
