import type { Server } from 'node:http';
import type { Config } from '../../config.js';
import { listenForMetrics } from '../../startup/listen-for-metrics.js';
import { answerWorker, collectReports } from './worker-metrics.js';
import type { WorkerPool } from './worker-pool.js';

/** Adds up the metrics of all workers: at the separate address, and for workers that are asked for them. */
export async function superviseMetrics(
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
