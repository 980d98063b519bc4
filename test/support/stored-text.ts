import type { TestService } from './service.js';

/** The tables that contain the text, as is or as bytes in hex. */
export async function tablesHolding({ database }: TestService, text: string): Promise<string[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query(
      `SELECT FROM "${name}" AS stored
       WHERE strpos(stored::text, $1) > 0 OR strpos(stored::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) holding.push(name);
  }
  return holding;
}
