import { type Config, readConfig } from '../../config.js';
import { createLogger } from '../../logger.js';
import { StartRefused } from '../../storage/errors.js';
import { withSmallNursery } from './small-nursery.js';

/** `rollcall serve`: runs until a signal stops it. Processes that only watch over others never load the service. */
export async function serve(options: { workers?: number }): Promise<void> {
  const given = readConfig(process.env);
  const config: Config = { ...given, workers: options.workers ?? given.workers };
  const logger = createLogger(config);
  if (config.workers === 1) {
    return withSmallNursery(async () => (await import('./one-process.js')).serveInOneProcess(config, logger));
  }
  if (config.databaseUrl === undefined) throw embeddedIsForOne(config.workers);
  await (await import('./workers.js')).serveWithWorkers(config, logger);
}

function embeddedIsForOne(workers: number): StartRefused {
  return new StartRefused(
    `The embedded database belongs to one process, so there cannot be ${workers} workers. Set DATABASE_URL to a PostgreSQL, or leave ROLLCALL_WORKERS (--workers) at 1.`,
  );
}
