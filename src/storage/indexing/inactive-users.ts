import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';

/**
 * Notes since when users are inactive. Whoever was activated and deactivated again between two numbers of the change log
 * starts anew. The time of the last change is at most as much too late as the indexer is.
 */
export async function indexInactiveUsers(
  tx: Executor,
  serials: readonly string[],
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  await tx.query({
    name: 'forget-inactive-users',
    text: `DELETE FROM inactive_users AS noted WHERE user_serial = ANY ($1::uuid[]) AND (
             NOT EXISTS (SELECT FROM users WHERE serial = noted.user_serial AND NOT is_active)
             OR user_serial IN (SELECT user_serial FROM changes
                                WHERE seq > $2 AND seq <= $3 AND fields -> 'isActive' IS NOT NULL))`,
    values: [plainArray(serials), after, upTo],
  });
  await tx.query({
    name: 'note-inactive-users',
    text: `INSERT INTO inactive_users (user_serial, since)
           SELECT serial, updated_at FROM users WHERE serial = ANY ($1::uuid[]) AND NOT is_active
           ON CONFLICT DO NOTHING`,
    values: [plainArray(serials)],
  });
}

export async function forgetInactiveUsers(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM inactive_users WHERE user_serial = ANY ($1::uuid[])', [plainArray(serials)]);
}

/** Some users who have been inactive for more than these days, the longest first. */
export async function inactiveForDays(executor: Executor, days: number, limit: number): Promise<string[]> {
  const { rows } = await executor.query<{ serial: string }>({
    name: 'inactive-for-days',
    text: `SELECT user_serial AS serial FROM inactive_users
           WHERE since < now() - make_interval(days => $1) ORDER BY since LIMIT $2`,
    values: [days, limit],
  });
  return rows.map(({ serial }) => serial);
}

/**
 * Those of these locked users who are still inactive, and about whom the indexer knows everything. During an upgrade, a
 * node of the previous version may have indexed that a user was activated, without noting it.
 */
export async function stillInactive(
  tx: Executor,
  serials: readonly string[],
  days: number,
): Promise<string[]> {
  const { rows } = await tx.query<{ serial: string }>({
    name: 'still-inactive',
    text: `SELECT user_serial AS serial FROM inactive_users JOIN users ON serial = user_serial
           WHERE user_serial = ANY ($1::uuid[]) AND since < now() - make_interval(days => $2) AND NOT is_active
             AND NOT EXISTS (SELECT FROM user_changes WHERE user_changes.user_serial = inactive_users.user_serial
                               AND seq > (SELECT position FROM index_state))
             AND NOT EXISTS (SELECT FROM ONLY changes WHERE seq > (SELECT log_position FROM index_state)
                               AND changes.user_serial = inactive_users.user_serial)
             AND NOT EXISTS (SELECT FROM user_changes JOIN ONLY changes USING (seq)
                             WHERE user_changes.user_serial = inactive_users.user_serial
                               AND kind = 'updated' AND at > since AND fields -> 'isActive' IS NOT NULL)`,
    values: [plainArray(serials), days],
  });
  return rows.map(({ serial }) => serial);
}
