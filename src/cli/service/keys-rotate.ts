import { readConfig } from '../../config.js';
import { rotateSigningKeys } from '../../domain/access/signing-keys.js';
import type { Database } from '../../storage/database.js';
import { databaseTrouble, StartRefused } from '../../storage/errors.js';
import { isInstalled } from '../../storage/installation.js';
import { migrate } from '../../storage/migrate.js';
import { databaseExists, openDatabase } from '../../storage/open-database.js';

/** `rollcall keys rotate`, on the database itself: nodes that run follow within seconds. */
export async function rotateKeys(options: { revokeOld?: boolean; json?: boolean }): Promise<void> {
  const config = readConfig(process.env);
  if (!databaseExists(config)) throw notHere(`in ${config.dataDir}`);
  const database = await openDatabase(config);
  try {
    await rotate(database, options);
  } catch (error) {
    if (databaseTrouble(error) === undefined) throw error;
    const { code } = error as { code?: string };
    throw new StartRefused(
      `${database.description} cannot be used${code ? ` (${code})` : ''}. Check DATABASE_URL and that PostgreSQL is running there.`,
    );
  } finally {
    await database.close();
  }
}

async function rotate(database: Database, options: { revokeOld?: boolean; json?: boolean }): Promise<void> {
  if (!(await isInstalled(database.pool))) throw notHere(`on ${database.description}`);
  await migrate(database);
  const revokeOld = options.revokeOld === true;
  const oldKeys = await rotateSigningKeys(database, { revokeOld });
  const end = revokeOld
    ? 'All tokens signed so far end within seconds.'
    : 'Tokens of the old key stay valid until they end.';
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ oldKeys, revoked: revokeOld })}\n`
      : `A new key signs from now on, on every node within seconds. ${end}\n`,
  );
}

/** Without the settings of the service a shell would rotate keys that nobody uses, and the operator feel safe. */
function notHere(where: string): StartRefused {
  return new StartRefused(
    `Rollcall has never run ${where}. Set ROLLCALL_DATA_DIR or DATABASE_URL as the service has them.`,
  );
}
