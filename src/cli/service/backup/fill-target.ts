import type { Config } from '../../../config.js';
import type { Database } from '../../../storage/database.js';
import { createEmbedded } from '../../../storage/embedded/new-embedded.js';
import { withDatabase } from '../local-database.js';

/** Fills the empty database that the settings name. If it fails, nothing of it remains. */
export async function fillTarget(
  action: string,
  config: Config,
  fill: (database: Database) => Promise<void>,
): Promise<void> {
  if (config.databaseUrl === undefined) await createEmbedded(config.dataDir, fill);
  else await withDatabase(action, config, fill);
}
