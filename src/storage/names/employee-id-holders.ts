import type { Executor } from '../database.js';
import { textArray } from '../sql-arrays.js';

/** Who has these employee IDs now. */
export async function presentHolders(
  executor: Executor,
  employeeIDs: readonly string[],
): Promise<[employeeID: string, serial: string][]> {
  const { rows } = await executor.query<[employeeID: string, serial: string]>({
    name: 'present-holders',
    text: 'SELECT employee_id, serial FROM users WHERE employee_id = ANY ($1::text[])',
    values: [textArray(employeeIDs)],
    rowMode: 'array',
  });
  return rows;
}

/** The time of the first change that is still in the log. Undefined if nothing ever changed. */
export async function logBegin(executor: Executor): Promise<Date | undefined> {
  const { rows } = await executor.query<{ begin: Date | null }>(
    `SELECT coalesce((SELECT at FROM changes ORDER BY seq LIMIT 1), CASE WHEN pruned_to > 0 THEN now() END) AS begin
     FROM change_log`,
  );
  return rows[0]?.begin ?? undefined;
}

export async function getUserByEmployeeId(
  executor: Executor,
  employeeID: string,
): Promise<{ serial: string; name: string; createdAt: Date } | undefined> {
  const { rows } = await executor.query<{ serial: string; name: string; createdAt: Date }>({
    name: 'get-user-by-employee-id',
    text: 'SELECT serial, name, created_at AS "createdAt" FROM users WHERE employee_id = $1',
    values: [employeeID],
  });
  return rows[0];
}
