import type { AppliedMigration } from '../../storage/migrate.js';

/** The schema of a database, compared with the migrations of this version. */
export interface SchemaState {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly string[];
  /** From a newer version. */
  readonly unknown: readonly AppliedMigration[];
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
