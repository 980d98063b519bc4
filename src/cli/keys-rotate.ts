import { readConfig } from '../config.js';
import { rotateSigningKeys } from '../domain/access/signing-keys.js';
import { migrate } from '../storage/migrate.js';
import { openDatabase } from '../storage/open-database.js';

/** `rollcall keys rotate`, on the database itself: nodes that run follow within seconds. */
export async function rotateKeys(options: { revokeOld?: boolean; json?: boolean }): Promise<void> {
  const database = await openDatabase(readConfig(process.env));
  try {
    await migrate(database);
    const revokeOld = options.revokeOld === true;
    const old = await rotateSigningKeys(database, { revokeOld });
    const end = revokeOld
      ? 'All tokens signed so far end within seconds.'
      : 'Tokens of the old key stay valid until they end.';
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ oldKeys: old, revoked: revokeOld })}\n`
        : `A new key signs from now on, on every node within seconds. ${end}\n`,
    );
  } finally {
    await database.close();
  }
}
