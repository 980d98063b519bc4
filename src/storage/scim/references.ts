import { lookupKeys } from '../../scim/stored-data.js';
import type { Executor } from '../database.js';

/** Whoever a provider may mean as a manager: by serial, by its own ID, or by employee ID. */
export async function findManager(
  executor: Executor,
  {
    value,
    serial,
    clientId,
  }: { readonly value: string; readonly serial: string | null; readonly clientId: string },
): Promise<{ readonly serial: string; readonly employeeID: string } | undefined> {
  const { rows } = await executor.query<{ serial: string; employeeID: string }>({
    name: 'find-scim-manager',
    text: `SELECT serial, employee_id AS "employeeID" FROM users
           WHERE serial = $1::uuid OR employee_id = $2 OR (scim -> 'keys') @> to_jsonb(ARRAY[$3::text])
           ORDER BY serial = $1::uuid DESC NULLS LAST, employee_id = $2 LIMIT 1`,
    values: [serial, value, lookupKeys.externalId(clientId, value)],
  });
  return rows[0];
}

/** The organization with this serial, or else all that are called so, up to two. */
export async function organizationsMeantBy(executor: Executor, text: string): Promise<readonly string[]> {
  const { rows } = await executor.query<{ serial: string; isSerial: boolean }>({
    name: 'organizations-meant-by',
    text: `SELECT serial, serial = $1 AS "isSerial" FROM organizations
           WHERE serial = $1 OR name_key = entry_key($1) ORDER BY serial = $1 DESC, serial LIMIT 2`,
    values: [text],
  });
  const [first] = rows;
  return first?.isSerial ? [first.serial] : rows.map(({ serial }) => serial);
}
