import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';

export interface UsersByStatus {
  readonly active: number;
  readonly inactive: number;
}

/** How many users are active and inactive now: those that the indexer has counted, corrected by those it has not. */
export async function countByStatus(tx: Executor, fresh: readonly string[]): Promise<UsersByStatus> {
  const { rows } = await tx.query<UsersByStatus>({
    name: 'count-by-status',
    text: `SELECT users_active + active AS active, users_total - users_active + inactive AS inactive
           FROM index_state CROSS JOIN (
             SELECT coalesce(sum(users) FILTER (WHERE is_active), 0)::integer AS active,
                    coalesce(sum(users) FILTER (WHERE NOT is_active), 0)::integer AS inactive
             FROM (SELECT is_active, 1 AS users FROM users WHERE serial = ANY ($1::uuid[])
                   UNION ALL
                   SELECT is_active, -1 FROM user_listing WHERE serial = ANY ($1::uuid[])) AS changed) AS difference`,
    values: [plainArray(fresh)],
  });
  return rows[0] as UsersByStatus;
}

/** The same without the index, which may be incomplete. */
export async function countEveryUserByStatus(tx: Executor): Promise<UsersByStatus> {
  const { rows } = await tx.query<UsersByStatus>(
    `SELECT (count(*) FILTER (WHERE is_active))::integer AS active,
            (count(*) FILTER (WHERE NOT is_active))::integer AS inactive FROM users`,
  );
  return rows[0] as UsersByStatus;
}
