import { type Database, type Executor, transaction } from '../database.js';
import { StartupError } from '../errors.js';
import { pauseIndexing } from './index-state.js';

/** The collation that sorts names for a language tag, such as "und" for the root collation, or "sv". */
export function collationFor(language: string): string {
  return `${language}-x-icu`;
}

/**
 * Creates the indexes of names and of attributes in their order. Does nothing if there are some for this collation and for
 * this version of it: with another version of ICU, the order of an existing index may be wrong.
 */
export async function ensureNameOrder(database: Database, language: string): Promise<void> {
  const collation = collationFor(language);
  const version = await collationVersion(database, collation, language);
  if (await isNameOrder(database.pool, collation, version)) return;
  await transaction(database, async (tx) => {
    await tx.query('SET LOCAL lock_timeout = 0');
    await tx.query('SET LOCAL statement_timeout = 0');
    await pauseIndexing(tx);
    if (await isNameOrder(tx, collation, version)) return;
    await tx.query('DROP INDEX IF EXISTS user_listing__name');
    await tx.query(`CREATE INDEX user_listing__name ON user_listing (name COLLATE "${collation}", serial)`);
    await tx.query('DROP INDEX IF EXISTS listed_attributes__value');
    await tx.query(`ALTER TABLE listed_attributes ALTER COLUMN value TYPE text COLLATE "${collation}"`);
    await tx.query(
      'CREATE INDEX listed_attributes__value ON listed_attributes (attribute_id, value, user_serial)',
    );
    await tx.query('UPDATE index_state SET name_collation = $1, name_collation_version = $2', [
      collation,
      version,
    ]);
  });
}

async function isNameOrder(executor: Executor, collation: string, version: string): Promise<boolean> {
  const { rows } = await executor.query<{ collation: string | null; version: string | null }>(
    'SELECT name_collation AS collation, name_collation_version AS version FROM index_state',
  );
  return rows[0]?.collation === collation && rows[0].version === version;
}

async function collationVersion(
  { pool, kind }: Database,
  collation: string,
  language: string,
): Promise<string> {
  const { rows } = await pool.query<{ version: string | null }>(
    `SELECT pg_collation_actual_version(oid) AS version FROM pg_collation
     WHERE collname = $1 AND collprovider = 'i' AND collnamespace = 'pg_catalog'::regnamespace`,
    [collation],
  );
  const [row] = rows;
  if (row) return row.version ?? '';
  throw new StartupError(
    kind === 'embedded'
      ? `The embedded database sorts names only in the root order, which suits most languages: remove ROLLCALL_NAME_COLLATION=${language}, or use PostgreSQL with DATABASE_URL.`
      : `The database has no collation "${collation}" for ROLLCALL_NAME_COLLATION=${language}. Choose a language from SELECT collname FROM pg_collation WHERE collprovider = 'i', without "-x-icu".`,
  );
}
