import { resolve } from 'node:path';
import type { Config } from '../../../config.js';
import { appliedMigrations } from '../../../storage/applied-migrations.js';
import { inspectDataDir } from '../../../storage/embedded/data-dir-permissions.js';
import { StartupError } from '../../../storage/errors.js';
import { databaseExists, openDatabase } from '../../../storage/open-database.js';
import { serverFacts } from '../../../storage/server-facts.js';
import { type Finding, failed, good, note } from './finding.js';
import { schemaFinding } from './schema.js';
import { checkStoredSecrets, storedSecrets } from './stored-secrets.js';

const check = 'embedded database';

/** None is made where there is none, and one that a service has open is left alone. */
export async function checkEmbedded(config: Config): Promise<Finding[]> {
  if (!databaseExists(config)) {
    return [note(check, `none yet in ${resolve(config.dataDir)}: the first start makes it`)];
  }
  if (inspectDataDir(config.dataDir, 'embedded')?.problems.length) {
    return [note(check, 'not opened, because the service would not start on this directory')];
  }
  try {
    const database = await openDatabase(config, 'leave');
    try {
      const { version } = await serverFacts(database.pool);
      const applied = await appliedMigrations(database.pool);
      const secrets = checkStoredSecrets(await storedSecrets(database.pool, applied), config);
      return [good(check, `can be opened, PostgreSQL ${version}`), schemaFinding(applied), ...secrets];
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return refusedFindings(error.message);
  }
}

/** The lock tells who has the directory, in the sentence that other commands show. */
export function refusedFindings(message: string): Finding[] {
  const [, holder] = / is in use by (.+?)\. Stop that one/.exec(message) ?? [];
  if (holder === undefined)
    return [failed(check, message, 'See the section on backups in docs/operating.md.')];
  return [
    good(check, `open in ${holder}`),
    note('schema', 'not looked at, because that process has the database'),
  ];
}
