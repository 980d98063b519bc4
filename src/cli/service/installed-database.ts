import type { Config } from '../../config.js';
import type { Database } from '../../storage/database.js';
import { StartupError } from '../../storage/errors.js';
import { isInstalled, refuseUnfinishedMove } from '../../storage/installation.js';
import { databaseExists } from '../../storage/open-database.js';
import { withDatabase } from './local-database.js';

/** Like `withDatabase`, for a database that a service has used. Otherwise the settings are probably not those of the service. */
export async function withInstalledDatabase<T>(
  action: string,
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (!databaseExists(config)) throw notInstalled(`in ${config.dataDir}`);
  return withDatabase(action, config, async (database) => {
    await refuseUnfinishedMove(database);
    if (!(await isInstalled(database.pool))) throw notInstalled(`on ${database.description}`);
    return work(database);
  });
}

function notInstalled(where: string): StartupError {
  return new StartupError(
    `Rollcall has never run ${where}. Set ROLLCALL_DATA_DIR or DATABASE_URL to the values that the service uses.`,
  );
}
