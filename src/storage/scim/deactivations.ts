import { scimLimits } from '../../contract/limits.js';
import type { Executor } from '../database.js';
import { deleteBatch } from '../sql.js';

export const deactivationsUsed = (clientId: string): string =>
  `(SELECT coalesce(sum(users), 0)::integer FROM scim_deactivations
    WHERE client_id = ${clientId} AND at > now() - interval '${scimLimits.deactivationWindowHours} hours')`;

/** What an administrator has allowed in addition, for now. */
export const allowedNow = 'CASE WHEN allowed_until > now() THEN allowed_more ELSE 0 END';

/** How many users the provider has deactivated. Must follow the lock on the provider. */
export async function countDeactivations(
  tx: Executor,
  clientId: string,
): Promise<{ readonly deactivated: number; readonly activeUsers: number }> {
  const { rows } = await tx.query<{ deactivated: number; activeUsers: number }>({
    name: 'count-scim-deactivations',
    text: `SELECT ${deactivationsUsed('$1')} AS deactivated, users_active AS "activeUsers" FROM index_state`,
    values: [clientId],
  });
  return rows[0] ?? { deactivated: 0, activeUsers: 0 };
}

export async function insertDeactivations(tx: Executor, clientId: string, users: number): Promise<void> {
  await tx.query({
    name: 'insert-scim-deactivations',
    text: 'INSERT INTO scim_deactivations (client_id, users) VALUES ($1, $2)',
    values: [clientId, users],
  });
}

/** Those that no limit counts any more. Returns true if there may be more. */
export function deleteOldDeactivations(executor: Executor): Promise<boolean> {
  const condition = 'at < now() - make_interval(hours => $1)';
  const values = [scimLimits.deactivationWindowHours + 1];
  return deleteBatch(executor, { table: 'scim_deactivations', condition, values });
}
