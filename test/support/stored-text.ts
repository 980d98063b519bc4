import type { TestService } from './service.js';

/** The tables that contain the text, as is or as bytes in hex. */
export async function tablesHolding({ database }: TestService, text: string): Promise<string[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const searches = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name WHERE EXISTS (
         SELECT FROM "${name}" AS stored
         WHERE strpos(stored::text, $1) > 0 OR strpos(stored::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0)`,
  );
  const { rows } = await database.pool.query<{ name: string }>(searches.join(' UNION ALL '), [text]);
  return rows.map(({ name }) => name);
}
