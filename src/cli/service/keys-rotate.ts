import { readConfig } from '../../config.js';
import { rotateSigningKeys } from '../../domain/access/signing-keys.js';
import { openSecretCipher } from '../../domain/secrets/open-secret-cipher.js';
import { StartupError } from '../../storage/errors.js';
import { isInstalled } from '../../storage/installation.js';
import { migrate } from '../../storage/migrate.js';
import { databaseExists } from '../../storage/open-database.js';
import { refuseUnfinishedMove } from '../../storage/unfinished-move.js';
import { print, printJson } from '../output.js';
import { withDatabase } from './local-database.js';
import { flagsIn } from './setting-flags.js';

/** `rollcall keys rotate`. Works on the database; running nodes follow within seconds. */
export async function rotateKeys(options: { revokeOld?: boolean; json?: boolean }): Promise<void> {
  const config = readConfig(process.env, flagsIn(options));
  if (!databaseExists(config)) throw notInstalled(`in ${config.dataDir}`);
  const revokeOld = options.revokeOld === true;
  const oldKeys = await withDatabase('rotate the keys', config, async (database) => {
    await refuseUnfinishedMove(database);
    if (!(await isInstalled(database.pool))) throw notInstalled(`on ${database.description}`);
    await migrate(database);
    const cipher = config.secretKey === undefined ? undefined : openSecretCipher(config);
    return rotateSigningKeys(database, cipher, { revokeOld });
  });
  if (options.json) return printJson({ oldKeys, revoked: revokeOld });
  const end = revokeOld
    ? 'Existing tokens are revoked within seconds.'
    : 'Existing tokens stay valid until they expire.';
  print(`New key created. All nodes use it within seconds. ${end}`);
}

/** Without the settings of the service, the command would rotate keys that are not in use. */
export function notInstalled(where: string): StartupError {
  return new StartupError(
    `Rollcall has never run ${where}. Set ROLLCALL_DATA_DIR or DATABASE_URL to the values that the service uses.`,
  );
}
