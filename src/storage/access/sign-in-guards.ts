import { v4 } from 'uuid';
import type { Executor } from '../database.js';
import { textArray } from '../sql.js';

export interface Guard {
  readonly key: string;
  /** Failures before the next attempt has to wait. */
  readonly freeFailures: number;
  readonly delayMaxSeconds: number;
  /** Failures are reset if none is added for this long. */
  readonly forgetAfterSeconds: number;
}

/** The guards an attempt is counted under, in this order. */
export interface AttemptGuards {
  readonly address: Guard;
  readonly name: Guard;
  readonly user: Guard;
}

export interface Waits {
  /** In seconds; 0 if the attempt may proceed. */
  readonly address: number;
  /** Undefined if the attempt was already stopped by an earlier guard. */
  readonly name: number | undefined;
  readonly user: number | undefined;
}

/**
 * Counts an attempt before it is checked, in one statement, so that concurrent attempts are counted one by one and
 * cannot slip through together. An attempt that has to wait does not count, so repeated attempts do not extend the
 * wait. The wait doubles with each failure beyond the free ones. Does not wait for the disk: attempts from one address
 * wait for each other, and a crash may lose the last of them.
 */
export async function countAttempt(
  executor: Executor,
  { address, name, user }: AttemptGuards,
): Promise<Waits> {
  const { rows } = await executor.query<{ [guard in keyof AttemptGuards]: number | null }>({
    name: 'count-attempt',
    text: `WITH by_address AS (${countUnder('$2', '$3', '$4', '$5', '')}),
                by_name AS (${countUnder('$6', '$7', '$8', '$9', 'FROM by_address WHERE wait = 0')}),
                by_user AS (${countUnder('$10', '$11', '$12', '$13', 'FROM by_name WHERE wait = 0')})
           SELECT (SELECT wait FROM by_address) AS address, (SELECT wait FROM by_name) AS name,
                  (SELECT wait FROM by_user) AS user, set_config('synchronous_commit', 'off', true)`,
    values: [v4(), ...valuesOf(address), ...valuesOf(name), ...valuesOf(user)],
  });
  const waits = rows[0];
  return {
    address: seconds(waits?.address ?? 0),
    name: waits?.name == null ? undefined : seconds(waits.name),
    user: waits?.user == null ? undefined : seconds(waits.user),
  };
}

function valuesOf(guard: Guard): (string | number)[] {
  return [guard.key, guard.freeFailures, guard.delayMaxSeconds, guard.forgetAfterSeconds];
}

/** A wait that has just ended still blocked this attempt, so the caller gets at least a moment. */
function seconds(wait: number | string): number {
  return Number(wait) === 0 ? 0 : Math.max(Number(wait), 0.001);
}

function countUnder(key: string, free: string, delayMax: string, forgetAfter: string, from: string): string {
  return `
    INSERT INTO sign_in_guards AS guard (key, failures, last_at, open_at, attempt)
    SELECT ${key}, 1, clock_timestamp(),
           clock_timestamp() + make_interval(secs => CASE WHEN ${free}::int <= 1 THEN 1 ELSE 0 END), $1::uuid ${from}
    ON CONFLICT (key) DO UPDATE SET (failures, last_at, open_at, attempt) = (
      SELECT
        CASE WHEN waits THEN guard.failures ELSE next_failures END,
        CASE WHEN waits THEN guard.last_at ELSE at END,
        CASE WHEN waits THEN guard.open_at
             ELSE at + make_interval(secs => CASE WHEN next_failures < ${free} THEN 0
                  ELSE least(${delayMax}::float8, power(2::float8, least(next_failures - ${free}, 30))) END) END,
        CASE WHEN waits THEN guard.attempt ELSE excluded.attempt END
      FROM (SELECT clock_timestamp() AS at) AS clock,
           LATERAL (SELECT guard.open_at > at AS waits,
                      CASE WHEN guard.last_at < at - make_interval(secs => ${forgetAfter}::float8) THEN 1
                           ELSE guard.failures + 1 END AS next_failures) AS step)
    RETURNING CASE WHEN attempt = $1::uuid THEN 0
                   ELSE extract(epoch FROM open_at - clock_timestamp()) END AS wait`;
}

/** Takes back an attempt that succeeded or could not be checked. */
export const uncount = 'UPDATE sign_in_guards SET failures = greatest(failures - 1, 0), open_at = last_at';

export async function uncountAttempt(executor: Executor, { key }: Guard): Promise<void> {
  await executor.query({ name: 'uncount-attempt', text: `${uncount} WHERE key = $1`, values: [key] });
}

export async function deleteGuards(executor: Executor, keys: readonly string[]): Promise<void> {
  await executor.query('DELETE FROM sign_in_guards WHERE key = ANY ($1::text[])', [textArray(keys)]);
}

export async function deleteOldGuards(executor: Executor, olderThanSeconds: number): Promise<void> {
  await executor.query('DELETE FROM sign_in_guards WHERE last_at < now() - make_interval(secs => $1)', [
    olderThanSeconds,
  ]);
}
