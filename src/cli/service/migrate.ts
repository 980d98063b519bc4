import { ensureNameOrder } from '../../storage/indexing/name-order.js';
import { migrate } from '../../storage/migrate.js';
import { print, printJson } from '../output.js';
import type { CommandResult } from '../run.js';
import { counted } from '../terminal/numbers.js';
import { withDatabase } from './local-database.js';
import { migrationStatus } from './migration-status.js';
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
