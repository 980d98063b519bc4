import type { Config } from '../../config.js';
import { rebuildIndex } from '../../storage/indexing/index-state.js';
import { migrate } from '../../storage/migrate.js';
import { print, printJson } from '../output.js';
import { withInstalledDatabase } from './local-database.js';
import { serviceConfig } from './service-config.js';

/** Nothing else uses an embedded database while this command does. */
function whenRebuilt({ databaseUrl }: Config): string {
  return databaseUrl === undefined
    ? 'Requested. The index is rebuilt when the service starts.'
    : 'Requested. The service rebuilds the index in the background.';
}

/** `rollcall reindex`. Only requests it: a running node does the work, or the next one that starts. */
export async function reindex(options: { json?: boolean }): Promise<void> {
  const config = serviceConfig(options);
  await withInstalledDatabase('reindex', config, async (database) => {
    await migrate(database);
    await rebuildIndex(database.pool);
  });
  if (options.json) return printJson({ requested: true });
  print(
    `${whenRebuilt(config)} Until the index is complete, searches and directories are unavailable (503).`,
  );
}
