import type { Config } from '../../config.js';
import type { Database } from '../../storage/database.js';
import { databaseOutage, OutcomeUnknown } from '../../storage/errors.js';
import { openDatabase } from '../../storage/open-database.js';
import { CommandProblem } from '../problem.js';

/** Work on the database itself, which is closed behind it. One that does not answer is told in a sentence. */
export async function withDatabase<T>(
  doing: string,
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config);
  try {
    return await work(database);
  } catch (error) {
    if (databaseOutage(error) === undefined && !(error instanceof OutcomeUnknown)) throw error;
    const sentence = `${cannotBeUsed(database, error)}. ${databaseAdvice}`;
    throw new CommandProblem('unreachable', `Rollcall cannot ${doing}: ${sentence}`);
  } finally {
    await database.close();
  }
}

/** The commonest reasons in words; the code beside them is what one searches for. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
  '3D000': 'there is no such database',
  '28000': 'it refuses the login',
  '28P01': 'it refuses the password',
  '53300': 'it has no connection left',
};

export const databaseAdvice = 'Check DATABASE_URL and that PostgreSQL is running there.';

/** Without the words of the database, which can hold what is nobody's business. */
export function cannotBeUsed({ description }: Database, error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  const cannot = `${description} cannot be used`;
  if (code === undefined) return message.startsWith('timeout') ? `${cannot}: it does not answer` : cannot;
  return reasons[code] ? `${cannot}: ${reasons[code]} (${code})` : `${cannot} (${code})`;
}
