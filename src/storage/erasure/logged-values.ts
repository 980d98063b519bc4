import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';

/** The numbers of the changes of users: indexed ones, new ones, and those from before there was an indexer. */
export const changesOfUsers = `
  SELECT seq FROM user_changes WHERE user_serial = ANY ($1::uuid[])
  UNION ALL
  SELECT seq FROM ONLY changes
  WHERE seq > (SELECT log_position FROM index_state) AND user_serial = ANY ($1::uuid[])
  UNION ALL
  SELECT seq FROM archived_changes WHERE user_serial = ANY ($1::uuid[])`;

/** What the change log knows about a user besides the values of fields. */
export interface LoggedUser {
  readonly serial: string;
  readonly version: number;
  /** Every employee ID and username the user ever had. */
  readonly names: readonly string[];
}

/** The users among these who are in the change log. */
export async function loggedUsers(tx: Executor, serials: readonly string[]): Promise<LoggedUser[]> {
  const { rows } = await tx.query<LoggedUser>({
    name: 'logged-users',
    text: `SELECT user_serial AS serial, max(version) AS version,
                  coalesce(array_agg(DISTINCT name) FILTER (WHERE name <> ''), '{}') AS names
           FROM changes CROSS JOIN LATERAL (VALUES
             (employee_id),
             (fields -> 'employeeID' ->> 'before'), (fields -> 'employeeID' ->> 'after'),
             (fields -> 'username' ->> 'before'), (fields -> 'username' ->> 'after')) AS held (name)
           WHERE seq = ANY (ARRAY(${changesOfUsers})) AND user_serial IS NOT NULL
           GROUP BY user_serial`,
    values: [plainArray(serials)],
  });
  return rows;
}

/** Keeps that fields changed, but not their values. */
export async function eraseLoggedValues(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-logged-values',
    text: `UPDATE changes SET employee_id = '', fields = coalesce(
             (SELECT json_object_agg(key, '{"before":null,"after":null}'::json) FROM json_each(fields)), '{}')
           WHERE seq = ANY (ARRAY(${changesOfUsers})) AND user_serial IS NOT NULL`,
    values: [plainArray(serials)],
  });
}

/** The users among these who are in the change log. */
export async function loggedSerials(executor: Executor, serials: readonly string[]): Promise<string[]> {
  const { rows } = await executor.query<{ serial: string }>({
    name: 'logged-serials',
    text: `SELECT user_serial AS serial FROM user_changes WHERE user_serial = ANY ($1::uuid[])
           UNION SELECT user_serial FROM ONLY changes
             WHERE seq > (SELECT log_position FROM index_state) AND user_serial = ANY ($1::uuid[])
           UNION SELECT user_serial FROM archived_changes WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  return rows.map(({ serial }) => serial);
}
