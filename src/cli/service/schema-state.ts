import { readdirSync } from 'node:fs';
import type { Executor } from '../../storage/database.js';

const directory = new URL('../../../migrations/', import.meta.url);

export interface AppliedMigration {
  readonly name: string;
  readonly appliedAt: string;
}

/** Where the schema of a database stands, beside the migrations that this Rollcall has. */
export interface SchemaState {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly string[];
  /** Of a newer Rollcall. */
  readonly unknown: readonly AppliedMigration[];
}

/** The names of all migrations, in their order. */
export function knownMigrations(): string[] {
  const files = readdirSync(directory).filter((file) => /^\d{4}_.+\.sql$/.test(file));
  return files.map((file) => file.replace(/\.sql$/, '')).sort();
}

export function schemaState(known: readonly string[], applied: readonly AppliedMigration[]): SchemaState {
  const last = known.at(-1) ?? '';
  return {
    applied: applied.filter(({ name }) => versionOf(name) <= versionOf(last)),
    pending: known.filter((name) => !applied.some((each) => versionOf(each.name) >= versionOf(name))),
    unknown: applied.filter(({ name }) => versionOf(name) > versionOf(last)),
  };
}

function versionOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}

/** Writes nothing; a database that was never used has none. */
export async function appliedMigrations(executor: Executor): Promise<AppliedMigration[]> {
  const { rows: found } = await executor.query<{ found: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
  );
  if (!found[0]?.found) return [];
  const { rows } = await executor.query<{ name: string; applied_at: Date }>(
    'SELECT name, applied_at FROM schema_migrations WHERE version > 0 ORDER BY version',
  );
  return rows.map(({ name, applied_at }) => ({ name, appliedAt: applied_at.toISOString() }));
}
