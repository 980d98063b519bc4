import type { Config } from '../../config.js';
import type { Database } from '../../storage/database.js';
import { DataDirInUse, databaseOutage, OutcomeUnknown } from '../../storage/errors.js';
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
    if (databaseOutage(error) === undefined && !(error instanceof OutcomeUnknown)) throw error;
    const sentence = `${unusableText(database, error)}. ${databaseAdvice}`;
    throw new CommandProblem('unreachable', `Could not ${action}: ${sentence}`);
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

/** Explanations for the most common error codes. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  '3D000': 'the database does not exist',
  '28000': 'login refused',
  '28P01': 'wrong password',
  '53300': 'too many connections',
  '25006': 'no server accepts writes',
  '53100': 'its disk is full',
  XX001: 'damaged data',
  XX002: 'a damaged index',
  '58P01': 'a missing file',
};

export const databaseAdvice = 'Check DATABASE_URL, and that PostgreSQL is running.';

/** Omits the database's own message, which may contain personal data. */
export function unusableText({ description }: Database, error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  const unusable = `Cannot use ${description}`;
  if (code === undefined) return message.startsWith('timeout') ? `${unusable}: no response` : unusable;
  return reasons[code] ? `${unusable}: ${reasons[code]} (${code})` : `${unusable} (${code})`;
}
