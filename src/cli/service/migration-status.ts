import type { Config } from '../../config.js';
import { appliedMigrations, migrationNames } from '../../storage/migrate.js';
import { databaseExists } from '../../storage/open-database.js';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import type { CommandResult } from '../run.js';
import { formatTime } from '../terminal/format-time.js';
import { counted } from '../terminal/numbers.js';
import { table } from '../terminal/table.js';
import { withDatabase } from './local-database.js';
import { type SchemaState, schemaState } from './schema-state.js';

/** `rollcall migrate --status`: writes nothing, and creates no database. */
export async function migrationStatus(config: Config, { json }: JsonOption): Promise<CommandResult> {
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
