import type { TestService } from './service.js';

/** The tables that contain the text, as is or as bytes in hex. */
export async function tablesHolding(service: TestService, text: string): Promise<string[]> {
  return (await placesOf(service, [text])).map(([table]) => table);
}

/** Each table with each of the texts that it contains. */
export async function placesOf(
  { database }: TestService,
  texts: readonly string[],
): Promise<[table: string, text: string][]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const searches = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, text FROM unnest($1::text[]) AS text WHERE EXISTS (
         SELECT FROM "${name}" AS stored
         WHERE strpos(stored::text, text) > 0 OR strpos(stored::text, encode(convert_to(text, 'UTF8'), 'hex')) > 0)`,
  );
  const { rows } = await database.pool.query<{ name: string; text: string }>(searches.join(' UNION ALL '), [
    texts,
  ]);
  return rows.map(({ name, text }) => [name, text]);
}
