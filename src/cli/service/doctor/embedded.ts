import { resolve } from 'node:path';
import type { Config } from '../../../config.js';
import { inspectDataDir } from '../../../storage/embedded/data-dir-permissions.js';
import { DataDirInUse, StartupError } from '../../../storage/errors.js';
import { appliedMigrations } from '../../../storage/migrate.js';
import { databaseExists, openDatabase } from '../../../storage/open-database.js';
import { serverFacts } from '../../../storage/server-facts.js';
import { type Finding, failed, good, note } from './finding.js';
import { indexFacts, indexFinding, schemaFinding } from './schema.js';
import { checkStoredSecrets, storedSecrets } from './secrets.js';

const check = 'embedded database';

/** Never creates a database, and does not open one that a service is using. */
export async function checkEmbedded(config: Config): Promise<Finding[]> {
  if (!databaseExists(config)) {
    return [note(check, `none in ${resolve(config.dataDir)} yet: the first start creates it`)];
  }
  if (inspectDataDir(config.dataDir, 'embedded')?.problems.length) {
    return [note(check, 'not opened, because the service would refuse this directory')];
  }
  try {
    const database = await openDatabase(config, 'leave');
    try {
      const { version } = await serverFacts(database.pool);
      const applied = await appliedMigrations(database.pool);
      const secrets = checkStoredSecrets(await storedSecrets(database.pool, applied), config);
      const index = indexFinding(await indexFacts(database.pool, applied));
      return [good(check, `opened, PostgreSQL ${version}`), schemaFinding(applied), index, ...secrets];
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return startupFindings(error);
  }
}

export function startupFindings(error: StartupError): Finding[] {
  if (!(error instanceof DataDirInUse))
    return [failed(check, error.message, 'See docs/failures.md and docs/backup.md.')];
  return [
    good(check, `in use by ${error.holder}`),
    note('schema', 'not checked, because that process is using the database'),
  ];
}
