import type { Config } from '../../config.js';
import { ensureNameOrder } from '../../storage/indexing/name-order.js';
import { type AppliedMigration, appliedMigrations, migrate, migrationNames } from '../../storage/migrate.js';
import { databaseExists } from '../../storage/open-database.js';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import type { CommandResult } from '../run.js';
import { formatTime } from '../terminal/format-time.js';
import { counted } from '../terminal/numbers.js';
import { table } from '../terminal/table.js';
import { withDatabase } from './local-database.js';
import { serviceConfig } from './service-config.js';

interface MigrateOptions {
  readonly status?: boolean;
  readonly json?: boolean;
}

/** `rollcall migrate` */
export async function migrateSchema(options: MigrateOptions): Promise<CommandResult> {
  const config = serviceConfig(options);
  if (options.status) return migrationStatus(config, options);
  const applied = await withDatabase('migrate', config, async (database) => {
    const run = await migrate(database);
    await ensureNameOrder(database, config.nameCollation);
    return run;
  });
  if (options.json) return printJson({ applied });
  if (applied.length === 0) return print('The schema is up to date.');
  print(`Applied ${counted(applied.length, 'migration')}. The schema is up to date.`);
  for (const { name, ms } of applied) print(`  ${name}  ${ms} ms`);
}

/** `rollcall migrate --status`: writes nothing, and creates no database. */
async function migrationStatus(config: Config, { json }: JsonOption): Promise<CommandResult> {
  const applied = databaseExists(config)
    ? await withDatabase('read the schema version', config, ({ pool }) => appliedMigrations(pool))
    : [];
  const state = schemaState(migrationNames, applied);
  const rows = rowsOf(state);
  if (json) printJson(rows);
  else print(table([['migration', 'state', 'applied at'], ...rows.map(cellsOf)]));
  printMessage(summaryOf(state));
  return state.unknown.length > 0 ? 'refused' : 'done';
}

interface Row {
  readonly name: string;
  readonly state: 'applied' | 'pending' | 'unknown';
  readonly appliedAt: string | null;
}

function rowsOf({ applied, pending, unknown }: SchemaState): Row[] {
  return [
    ...applied.map((each) => ({ ...each, state: 'applied' as const })),
    ...pending.map((name) => ({ name, state: 'pending' as const, appliedAt: null })),
    ...unknown.map((each) => ({ ...each, state: 'unknown' as const })),
  ];
}

function cellsOf({ name, state, appliedAt }: Row): string[] {
  return [name, state, formatTime(appliedAt)];
}

function summaryOf({ pending, unknown }: SchemaState): string {
  if (unknown.length > 0) {
    return 'The schema is newer than this version of Rollcall, which cannot start on it. Use the version that created it.';
  }
  return pending.length === 0
    ? 'The schema is up to date.'
    : `${counted(pending.length, 'pending migration')}. Run \`rollcall migrate\`, or start the service.`;
}

/** The schema of a database, compared with the migrations of this version. */
interface SchemaState {
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
