import type { Executor } from '../database.js';

export async function databaseBytes(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ bytes: string }>({
    name: 'database-bytes',
    text: 'SELECT pg_database_size(current_database()) AS bytes',
  });
  return Number(rows[0]?.bytes);
}

/** The age of the first change after this number; 0 if there is none. */
export async function changeAgeSeconds(executor: Executor, after: number): Promise<number> {
  const { rows } = await executor.query<{ seconds: number }>({
    name: 'change-age',
    text: `SELECT greatest(extract(epoch FROM now() - at), 0)::float8 AS seconds FROM changes WHERE seq > $1 ORDER BY seq LIMIT 1`,
    values: [after],
  });
  return rows[0]?.seconds ?? 0;
}
