import { readConfig } from '../../config.js';
import { migrate } from '../../storage/migrate.js';
import { print, printJson } from '../output.js';
import type { Ended } from '../run.js';
import { counted } from '../terminal/numbers.js';
import { withDatabase } from './local-database.js';
import { migrationStatus } from './migration-status.js';
import { flagsIn } from './setting-flags.js';

interface MigrateOptions {
  readonly status?: boolean;
  readonly json?: boolean;
}

/** `rollcall migrate`: what a service does at its start, for those who want to have it done before. */
export async function migrateSchema(options: MigrateOptions): Promise<Ended> {
  const config = readConfig(process.env, flagsIn(options));
  if (options.status) return migrationStatus(config, options);
  const applied = await withDatabase('migrate', config, migrate);
  if (options.json) return printJson({ applied });
  if (applied.length === 0) return print('The schema is up to date: there was nothing to do.');
  print(`The schema is up to date: ${counted(applied.length, 'migration')} run.`);
  for (const { name, ms } of applied) print(`  ${name}  ${ms} ms`);
}
