import type pg from 'pg';
import { textArray } from '../src/storage/sql.js';
import { logText } from './bare-update.js';
import { timedMs } from './figures.js';
import type { UserChange } from './users.js';

/**
 * What a script without bulk calls does: one UPDATE per user, each in its own transaction that also writes a change log
 * row, with the full statement sent every time.
 */
export async function updateInNaiveLoop(client: pg.Client, changes: readonly UserChange[]): Promise<number> {
  const texts = changes.map(logText);
  return timedMs(async () => {
    for (const [index, { before, after }] of changes.entries()) {
      const { rowCount } = await client.query({
        text: `WITH updated AS (
                 UPDATE users SET name = $2, phone = $3, is_active = $4, tag_serials = $5,
                                  version = version + 1, updated_at = now()
                 WHERE employee_id = $1 RETURNING serial, version, employee_id)
               INSERT INTO changes (user_serial, version, employee_id, fields, kind)
               SELECT serial, version, employee_id, $6, 'updated' FROM updated`,
        values: [
          before.employeeID,
          after.name,
          after.phone,
          after.isActive,
          textArray(after.tagSerials),
          texts[index],
        ],
      });
      if (rowCount !== 1) throw new Error(`${before.employeeID} was not changed`);
    }
  });
}
