import type { AppliedMigration } from '../../storage/applied-migrations.js';

/** Where the schema of a database stands, beside the migrations that this Rollcall has. */
export interface SchemaState {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly string[];
  /** Of a newer Rollcall. */
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
