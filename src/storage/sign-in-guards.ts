import { v4 } from 'uuid';
import type { Executor } from './database.js';

export interface Guard {
  readonly key: string;
  /** Failures before the next attempt has to wait. */
  readonly freeFailures: number;
  readonly delayMaxSeconds: number;
  /** Failures are forgotten when none was added for this long. */
  readonly forgetAfterSeconds: number;
}

/**
 * Counts an attempt before it is looked at, in one statement, so that attempts sent at once are counted one after the
 * other and cannot slip through together. Gives the seconds to wait, 0 for an attempt that may go on. One that has to
 * wait does not count: whoever keeps knocking does not make the wait longer.
 */
export async function countAttempt(executor: Executor, guard: Guard): Promise<number> {
  const { rows } = await executor.query<{ wait: number }>({
    name: 'count-attempt',
    text: `
      INSERT INTO sign_in_guards AS guard (key, failures, last_at, open_at, attempt)
      VALUES ($1, 1, clock_timestamp(),
              clock_timestamp() + make_interval(secs => CASE WHEN $2::int <= 1 THEN 1 ELSE 0 END), $5)
      ON CONFLICT (key) DO UPDATE SET (failures, last_at, open_at, attempt) = (
        SELECT
          CASE WHEN waits THEN guard.failures ELSE next_failures END,
          CASE WHEN waits THEN guard.last_at ELSE at END,
          CASE WHEN waits THEN guard.open_at
               ELSE at + make_interval(secs => CASE WHEN next_failures < $2 THEN 0
                    ELSE least($3::float8, power(2::float8, least(next_failures - $2, 30))) END) END,
          CASE WHEN waits THEN guard.attempt ELSE $5 END
        FROM (SELECT clock_timestamp() AS at) AS clock,
             LATERAL (SELECT guard.open_at > at AS waits,
                        CASE WHEN guard.last_at < at - make_interval(secs => $4) THEN 1
                             ELSE guard.failures + 1 END AS next_failures) AS step)
      RETURNING CASE WHEN attempt = $5 THEN 0
                     ELSE extract(epoch FROM open_at - clock_timestamp()) END AS wait`,
    values: [guard.key, guard.freeFailures, guard.delayMaxSeconds, guard.forgetAfterSeconds, v4()],
  });
  // A wait that has just ended still refused this attempt: a moment is left of it for the caller.
  const wait = Number(rows[0]?.wait ?? 0);
  return wait === 0 ? 0 : Math.max(wait, 0.001);
}

/** An attempt that succeeded was none: what it counted is taken back. */
export async function uncountAttempt(executor: Executor, key: string): Promise<void> {
  await executor.query({
    name: 'uncount-attempt',
    text: 'UPDATE sign_in_guards SET failures = greatest(failures - 1, 0), open_at = last_at WHERE key = $1',
    values: [key],
  });
}

export async function deleteGuard(executor: Executor, key: string): Promise<void> {
  await executor.query({
    name: 'delete-guard',
    text: 'DELETE FROM sign_in_guards WHERE key = $1',
    values: [key],
  });
}

export async function deleteOldGuards(executor: Executor, olderThanSeconds: number): Promise<void> {
  await executor.query('DELETE FROM sign_in_guards WHERE last_at < now() - make_interval(secs => $1)', [
    olderThanSeconds,
  ]);
}
