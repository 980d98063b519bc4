import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';

/**
 * For a row `candidate`. Scalar subqueries, because these must not become joins: the planner would rather read all users
 * than look up a few thousand.
 */
const isInactiveManager = `(SELECT is_active FROM users WHERE users.serial = candidate.serial) IS NOT TRUE
  AND (SELECT true FROM users WHERE manager_serial = candidate.serial LIMIT 1)`;

/** These users and their managers. */
const candidates = `SELECT unnest($1::uuid[]) AS serial
  UNION SELECT manager_serial FROM users WHERE serial = ANY ($1::uuid[]) AND manager_serial IS NOT NULL`;

/**
 * Notes which of these users and of their managers are inactive or gone, and have reports. Managers from whom they took
 * over stay noted without reports, so whoever reads them looks again.
 */
export async function indexInactiveManagers(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await tx.query({
    name: 'index-inactive-managers',
    text: `WITH candidate AS MATERIALIZED (${candidates}),
           inactive AS MATERIALIZED (SELECT serial FROM candidate WHERE ${isInactiveManager}),
           others AS (
             DELETE FROM inactive_managers
             WHERE user_serial IN (SELECT serial FROM candidate EXCEPT SELECT serial FROM inactive))
           INSERT INTO inactive_managers (user_serial) SELECT serial FROM inactive ORDER BY serial
           ON CONFLICT DO NOTHING`,
    values: [plainArray(serials)],
  });
}

/** Managers who are inactive or gone, if they are no more than this. Fresh users, and their managers, may be among them. */
export async function fewInactiveManagers(
  executor: Executor,
  fresh: readonly string[],
  fewMax: number,
): Promise<string[] | undefined> {
  const { rows } = await executor.query<[serial: string]>({
    name: 'few-inactive-managers',
    text: `SELECT serial FROM (${candidates} UNION SELECT user_serial FROM inactive_managers) AS candidate
           WHERE ${isInactiveManager} LIMIT $2`,
    values: [plainArray(fresh), fewMax + 1],
    rowMode: 'array',
  });
  return rows.length > fewMax ? undefined : rows.map(([serial]) => serial);
}
