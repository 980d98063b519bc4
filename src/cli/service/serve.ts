import { flagsAsEnvironment } from '../../config/flags.js';
import { ConfigInvalid } from '../../config.js';
import { createLogger } from '../../logger.js';
import { serviceConfig } from './service-config.js';
import { flagsIn } from './setting-flags.js';
import { withSmallYoungGeneration } from './young-generation.js';

/** `rollcall serve`. A process that only supervises workers does not load the service. */
export async function serve(options: object): Promise<void> {
  const flags = flagsIn(options);
  const config = serviceConfig(options);
  const logger = createLogger(config);
  if (config.workers === 1) {
    return withSmallYoungGeneration(async () =>
      (await import('./single-process.js')).serveInSingleProcess(config, logger),
    );
  }
  if (config.databaseUrl === undefined) throw new ConfigInvalid([embeddedNeedsOneWorker(config.workers)]);
  const { serveWithWorkers } = await import('./workers.js');
  await serveWithWorkers(config, flagsAsEnvironment(flags), logger);
}

export function embeddedNeedsOneWorker(workers: number): string {
  return `The embedded database supports only one process, not ${workers} workers. Set DATABASE_URL to use PostgreSQL, or set ROLLCALL_WORKERS (--workers) to 1.`;
}
