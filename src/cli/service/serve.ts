import { flagsAsEnvironment } from '../../config/flags.js';
import { ConfigInvalid, readConfig } from '../../config.js';
import { createLogger } from '../../logger.js';
import { flagsIn } from './setting-flags.js';
import { withSmallYoungGeneration } from './young-generation.js';

/** `rollcall serve`: runs until a signal stops it. Processes that only watch over others never load the service. */
export async function serve(options: object): Promise<void> {
  const flags = flagsIn(options);
  const config = readConfig(process.env, flags);
  const logger = createLogger(config);
  if (config.workers === 1) {
    return withSmallYoungGeneration(async () =>
      (await import('./one-process.js')).serveInOneProcess(config, logger),
    );
  }
  if (config.databaseUrl === undefined) throw new ConfigInvalid([embeddedIsForOne(config.workers)]);
  const { serveWithWorkers } = await import('./workers.js');
  await serveWithWorkers(config, flagsAsEnvironment(flags), logger);
}

export function embeddedIsForOne(workers: number): string {
  return `The embedded database belongs to one process, so there cannot be ${workers} workers. Set DATABASE_URL to a PostgreSQL, or leave ROLLCALL_WORKERS (--workers) at 1.`;
}
