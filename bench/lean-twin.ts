import type pg from 'pg';
import { plainArray, textArray } from '../src/storage/sql.js';
import { logText } from './bare-update.js';
import { timedMs } from './figures.js';
import type { User, UserChange } from './users.js';

/**
 * The least that a bulk update could cost in PostgreSQL: a table with only its primary key and the two unique names,
 * and a log with only its primary key. One transaction on one connection that locks, updates and logs.
 */
export async function createLeanTwin(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TABLE lean_users (LIKE users INCLUDING DEFAULTS, PRIMARY KEY (serial), UNIQUE (employee_id)) WITH (fillfactor = 90);
    INSERT INTO lean_users SELECT * FROM users;
    CREATE UNIQUE INDEX ON lean_users (lower(username));
    CREATE SEQUENCE lean_numbers;
    CREATE TABLE lean_log (LIKE changes, PRIMARY KEY (seq));
    ALTER TABLE lean_log ALTER seq SET DEFAULT nextval('lean_numbers'), ALTER at SET DEFAULT now()`);
  await client.query('VACUUM ANALYZE lean_users');
}

export type LeanField = 'name' | 'phone' | 'isActive';

const columns: Record<LeanField, { readonly name: string; readonly type: string }> = {
  name: { name: 'name', type: 'text' },
  phone: { name: 'phone', type: 'text' },
  isActive: { name: 'is_active', type: 'boolean' },
};

/** Returns the time in ms. */
export async function updateLeanTwin(
  client: pg.Client,
  changes: readonly UserChange[],
  fields: readonly LeanField[],
): Promise<number> {
  const keys = textArray(changes.map(({ before }) => before.employeeID));
  const logged = changes.map(logText).join('\u001f');
  const arrays = fields.map((field) => arrayOf(changes, field));
  let updated: number | null = 0;
  const ms = await timedMs(async () => {
    await client.query('BEGIN');
    await client.query({
      name: 'lean-lock',
      text: 'SELECT serial FROM lean_users WHERE employee_id = ANY ($1::text[]) ORDER BY serial FOR UPDATE',
      values: [keys],
      rowMode: 'array',
    });
    const names = fields.map((field) => columns[field].name);
    const { rowCount } = await client.query({
      name: `lean-update-${fields.join('-')}`,
      text: `WITH updated AS (
               UPDATE lean_users SET ${names.map((name) => `${name} = new.${name}`).join(', ')},
                                     version = lean_users.version + 1, updated_at = now()
               FROM unnest($1::text[], string_to_array($2, E'\\x1f'),
                           ${fields.map((field, index) => `$${index + 3}::${columns[field].type}[]`).join(', ')})
                 AS new (key, fields, ${names.join(', ')})
               WHERE lean_users.employee_id = new.key
               RETURNING lean_users.serial, lean_users.version, lean_users.employee_id, new.fields)
             INSERT INTO lean_log (user_serial, version, employee_id, fields, kind, actor_kind, actor_id, request_id)
             SELECT serial, version, employee_id, fields::json, 'updated', 'client', 'bench', 'bench' FROM updated`,
      values: [keys, logged, ...arrays],
    });
    await client.query('COMMIT');
    updated = rowCount;
  });
  if (updated !== changes.length) throw new Error(`${updated} of ${changes.length} users were updated`);
  return ms;
}

function arrayOf(changes: readonly UserChange[], field: LeanField): string {
  const values = changes.map(({ after }): User[LeanField] => after[field]);
  return field === 'isActive' ? plainArray(values) : textArray(values as string[]);
}
