import type { Config } from '../../config.js';
import { appliedMigrations } from '../../storage/applied-migrations.js';
import { migrationNames } from '../../storage/migrate.js';
import { databaseExists } from '../../storage/open-database.js';
import { type JsonOption, print, printJson, say } from '../output.js';
import type { Ended } from '../run.js';
import { counted } from '../terminal/numbers.js';
import { table } from '../terminal/table.js';
import { shownTime } from '../terminal/time.js';
import { withDatabase } from './local-database.js';
import { type SchemaState, schemaState } from './schema-state.js';

/** `rollcall migrate --status`: writes nothing, and makes no database where there is none. */
export async function migrationStatus(config: Config, { json }: JsonOption): Promise<Ended> {
  const applied = databaseExists(config)
    ? await withDatabase('look at the schema', config, ({ pool }) => appliedMigrations(pool))
    : [];
  const state = schemaState(migrationNames, applied);
  const rows = rowsOf(state);
  if (json) printJson(rows);
  else print(table([['migration', 'state', 'applied at'], ...rows.map(cellsOf)]));
  say(summaryOf(state));
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
  return [name, state, shownTime(appliedAt)];
}

function summaryOf({ pending, unknown }: SchemaState): string {
  if (unknown.length > 0) {
    return 'The schema is newer than this Rollcall, which does not start on it. Use the Rollcall that wrote it.';
  }
  return pending.length === 0
    ? 'The schema is up to date.'
    : `Pending: ${counted(pending.length, 'migration')}. \`rollcall migrate\` runs them, and so does the next start of the service.`;
}
