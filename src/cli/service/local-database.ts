import type { Config } from '../../config.js';
import type { Database } from '../../storage/database.js';
import { diagnose } from '../../storage/diagnosis.js';
import { DataDirInUse, OutcomeUnknown } from '../../storage/errors.js';
import { openDatabase } from '../../storage/open-database.js';
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
