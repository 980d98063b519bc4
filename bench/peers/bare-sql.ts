import type pg from 'pg';
import { textArray } from '../../src/storage/sql.js';
import type { Change } from './peer.js';

/** The same update without a service: one statement on Rollcall's table, without planning, report or change log. */
export async function updateInBareSql(database: pg.Client, changes: readonly Change[]): Promise<void> {
  const { rowCount } = await database.query({
    name: 'bare-update',
    text: `UPDATE users SET name = new.name, phone = new.phone, version = version + 1, updated_at = now()
           FROM unnest($1::text[], $2::text[], $3::text[]) AS new (employee_id, name, phone)
           WHERE users.employee_id = new.employee_id`,
    values: [
      textArray(changes.map(({ employeeID }) => employeeID)),
      textArray(changes.map(({ name }) => name)),
      textArray(changes.map(({ phone }) => phone)),
    ],
  });
  if (rowCount !== changes.length) throw new Error(`${rowCount} of ${changes.length} users were changed`);
}
