import { readdirSync, readFileSync } from 'node:fs';
import type { Executor } from '../../src/storage/database.js';

const migrations = new URL('../../migrations/', import.meta.url);

/** Creates the schema as it was after a migration. */
export async function createSchema(db: Executor, version: number): Promise<void> {
  await db.query(
    `CREATE TABLE schema_migrations (version integer CONSTRAINT schema_migrations__version PRIMARY KEY,
       name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const files = readdirSync(migrations).filter((file) => Number(file.slice(0, 4)) <= version);
  for (const file of files.sort()) {
    await db.query(readFileSync(new URL(file, migrations), 'utf8'));
    await db.query('INSERT INTO schema_migrations VALUES ($1, $2)', [
      Number(file.slice(0, 4)),
      file.replace('.sql', ''),
    ]);
  }
}

/** The serial of a user that `insertUsers` inserted. */
export function serialOf(n: number): string {
  return `01980000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Users E1, E2 and so on, with organizations O0 to O2 or none, and tags T0 to T4. */
export async function insertUsers(db: Executor, count: number): Promise<void> {
  await db.query(
    `INSERT INTO users (serial, created_at, updated_at, employee_id, name, email, is_active, organization_serial, tag_serials)
     SELECT ('01980000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), now(), 'E' || n, 'Old Name' || n,
       'e' || n || '@example.com', n % 7 > 0, CASE WHEN n % 4 > 0 THEN 'O' || n % 4 - 1 END, ARRAY['T' || n % 5]
     FROM generate_series(1, $1) AS n`,
    [count],
  );
}
