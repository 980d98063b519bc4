import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { WorkerPool } from './worker-pool.js';

/** For a worker to end by itself, after the time that running requests have. */
const stopGraceMs = 5_000;

/** Runs the service as several processes that share its port; this one watches over them and serves nothing itself. */
export async function serveWithWorkers(
  { workers, limits }: Config,
  environment: Readonly<Record<string, string>>,
  logger: Logger,
): Promise<void> {
  const log = logger.child({ pid: process.pid });
  const team = new WorkerPool(workers, environment, log);
  const stopWithinMs = limits.shutdownTimeoutMs + stopGraceMs;
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      team.kill();
      process.exit(1);
    }
    stopping = true;
    log.info(`${signal}: finishing what runs, then stopping. Again to stop at once.`);
    process.exit((await team.stop(stopWithinMs)) ? 0 : 1);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  const code = await team.keepUp();
  if (stopping) return; // a signal came, and what it started ends the process
  stopping = true;
  await team.stop(stopWithinMs);
  process.exit(code);
}
