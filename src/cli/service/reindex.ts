import { type Config, readConfig } from '../../config.js';
import { rebuildIndex } from '../../storage/indexing/index-state.js';
import { isInstalled } from '../../storage/installation.js';
import { migrate } from '../../storage/migrate.js';
import { databaseExists } from '../../storage/open-database.js';
import { refuseUnfinishedMove } from '../../storage/unfinished-move.js';
import { print, printJson } from '../output.js';
import { notInstalled } from './keys-rotate.js';
import { withDatabase } from './local-database.js';
import { flagsIn } from './setting-flags.js';

/** Nothing else uses an embedded database while this command does. */
function whenRebuilt({ databaseUrl }: Config): string {
  return databaseUrl === undefined
    ? 'Requested. The index is rebuilt when the service starts.'
    : 'Requested. The service rebuilds the index in the background.';
}

/** `rollcall reindex`. Only requests it: a running node does the work, or the next one that starts. */
export async function reindex(options: { json?: boolean }): Promise<void> {
  const config = readConfig(process.env, flagsIn(options));
  if (!databaseExists(config)) throw notInstalled(`in ${config.dataDir}`);
  await withDatabase('reindex', config, async (database) => {
    await refuseUnfinishedMove(database);
    if (!(await isInstalled(database.pool))) throw notInstalled(`on ${database.description}`);
    await migrate(database);
    await rebuildIndex(database.pool);
  });
  if (options.json) return printJson({ requested: true });
  print(
    `${whenRebuilt(config)} Until the index is complete, searches and directories are unavailable (503).`,
  );
}
