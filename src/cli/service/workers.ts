import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { listenForMetrics } from '../../startup/listen-for-metrics.js';
import { onStopSignal } from '../stop.js';
import { answerWorker, collectReports } from './worker-metrics.js';
import { WorkerPool } from './worker-pool.js';

/** Time for a worker to exit by itself after its requests have finished or timed out. */
const stopGraceMs = 5_000;

/** Runs the service as several processes that share its port. This process only supervises them. */
export async function serveWithWorkers(
  config: Config,
  environment: Readonly<Record<string, string>>,
  logger: Logger,
): Promise<void> {
  const { workers, limits } = config;
  const log = logger.child({ pid: process.pid });
  const pool = new WorkerPool(workers, environment, log);
  await superviseMetrics(config, pool);
  const stopWithinMs = limits.shutdownTimeoutMs + stopGraceMs;
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      pool.kill();
      process.exit(1);
    }
    stopping = true;
    log.info(`${signal} received. Finishing running requests; send it again to stop immediately.`);
    process.exit((await pool.stop(stopWithinMs)) ? 0 : 1);
  };
  onStopSignal(stop);

  const code = await pool.keepUp();
  if (stopping) return; // the signal handler ends the process
  stopping = true;
  await pool.stop(stopWithinMs);
  process.exit(code);
}

/** Adds up the metrics of all workers: at the separate address, and for workers that are asked for them. */
async function superviseMetrics(
  config: Pick<Config, 'metricsAddress' | 'metricsToken'>,
  pool: WorkerPool,
): Promise<Server | undefined> {
  if (config.metricsAddress === undefined && config.metricsToken === undefined) return undefined;
  const { prometheusText, workersReport } = await import('../../telemetry/process-report.js');
  const nodeText = async () => {
    const workers = pool.readyWorkers;
    const reports = await collectReports(workers);
    return prometheusText([...reports, await workersReport(workers.length)]);
  };
  pool.onWorker((worker) => answerWorker(worker, nodeText));
  return listenForMetrics(config, nodeText);
}
