import { rotateSigningKeys } from '../../domain/access/signing-keys.js';
import { migrate } from '../../storage/migrate.js';
import { print, printJson } from '../output.js';
import { withInstalledDatabase } from './installed-database.js';
import { serviceConfig } from './service-config.js';

/** `rollcall keys rotate`. Works on the database; running nodes follow within seconds. */
export async function rotateKeys(options: { revokeOld?: boolean; json?: boolean }): Promise<void> {
  const config = serviceConfig(options);
  const revokeOld = options.revokeOld === true;
  const oldKeys = await withInstalledDatabase('rotate the keys', config, async (database) => {
    await migrate(database);
    return rotateSigningKeys(database, { revokeOld });
  });
  if (options.json) return printJson({ oldKeys, revoked: revokeOld });
  const end = revokeOld
    ? 'Existing tokens are revoked within seconds.'
    : 'Existing tokens stay valid until they expire.';
  print(`The keys are replaced. All nodes sign with new ones within seconds. ${end}`);
}
