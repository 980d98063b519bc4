import type { Database } from '../database.js';

/** How many connections of other Rollcall processes the database has. Those behind a pooler cannot be seen. */
export async function otherConnections({ kind, pool }: Database): Promise<number> {
  if (kind === 'embedded') return 0; // it has been locked
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'rollcall' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}
