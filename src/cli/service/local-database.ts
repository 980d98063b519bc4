import type { Config } from '../../config.js';
import type { Database } from '../../storage/database.js';
import { diagnose } from '../../storage/diagnosis.js';
import { DataDirInUse, OutcomeUnknown, StartupError } from '../../storage/errors.js';
import { isInstalled, refuseUnfinishedMove } from '../../storage/installation.js';
import { databaseExists, openDatabase } from '../../storage/open-database.js';
import { CommandProblem } from '../problem.js';

/** Runs work on the database and closes it. An outage is reported as a sentence. */
export async function withDatabase<T>(
  action: string,
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config).catch((error: unknown) => {
    throw error instanceof DataDirInUse ? inUse(action, error) : error;
  });
  try {
    return await work(database);
  } catch (error) {
    const diagnosis = diagnose(database, error instanceof OutcomeUnknown ? error.cause : error);
    if (!diagnosis) throw error;
    throw new CommandProblem('unreachable', `Could not ${action}: ${diagnosis.problem}. ${diagnosis.advice}`);
  } finally {
    await database.close();
  }
}

/** Another directory, as a second service would need, holds another database. */
function inUse(action: string, error: DataDirInUse): CommandProblem {
  const { dataDir, holder } = error;
  return new CommandProblem(
    'refused',
    `Could not ${action}: The data directory ${dataDir} is in use by ${holder}. Stop it first, and start it again afterwards.`,
    { cause: error },
  );
}

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
