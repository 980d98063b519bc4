import { type Config, readConfig } from '../../config.js';
import { migrate } from '../../storage/migrate.js';
import { print, printJson } from '../output.js';
import type { Ended } from '../run.js';
import { counted } from '../terminal/numbers.js';
import { withDatabase } from './local-database.js';
import { migrationStatus } from './migration-status.js';
import { appliedMigrations } from './schema-state.js';
import { flagsIn } from './setting-flags.js';

interface MigrateOptions {
  readonly status?: boolean;
  readonly json?: boolean;
}

/** `rollcall migrate`: what a service does at its start, for those who want to have it done before. */
export async function migrateSchema(options: MigrateOptions): Promise<Ended> {
  const config = readConfig(process.env, flagsIn(options));
  if (options.status) return migrationStatus(config, options);
  const { migrations, ms } = await bringUpToDate(config);
  if (options.json) return printJson({ applied: migrations, ms });
  if (migrations.length === 0) return print('The schema is up to date: there was nothing to do.');
  print(`The schema is up to date: ${counted(migrations.length, 'migration')} in ${ms} ms.`);
  for (const name of migrations) print(`  ${name}`);
}

async function bringUpToDate(config: Config): Promise<{ migrations: string[]; ms: number }> {
  return withDatabase('migrate', config, async (database) => {
    const before = (await appliedMigrations(database.pool)).map(({ name }) => name);
    const start = performance.now();
    await migrate(database);
    const ms = Math.round(performance.now() - start);
    const after = (await appliedMigrations(database.pool)).map(({ name }) => name);
    return { migrations: after.filter((name) => !before.includes(name)), ms };
  });
}
