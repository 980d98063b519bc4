import type pg from 'pg';
import type { Config } from '../config.js';
import type { Context } from '../domain/context.js';
import { cachedFigures, readSharedFigures } from '../domain/maintenance/read-shared-figures.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { ProcessReporter } from '../telemetry/process-report.js';

export interface OpenMetrics {
  readonly metrics: Metrics;
  /** To be called once there is a context to read from. */
  reporterFor(context: Context): ProcessReporter;
}

/** Loads prom-client only if someone wants metrics. */
export async function openMetrics({
  metricsAddress,
  metricsToken,
}: Pick<Config, 'metricsAddress' | 'metricsToken'>): Promise<OpenMetrics | undefined> {
  if (metricsAddress === undefined && metricsToken === undefined) return undefined;
  const prometheus = await import('../telemetry/prometheus.js');
  const { processReporter } = await import('../telemetry/process-report.js');
  const { metrics, registry } = prometheus.openMetrics();
  return {
    metrics,
    reporterFor: (context) => {
      prometheus.observeProcess(registry, () => processState(context));
      const { pool } = context.database;
      return processReporter(
        registry,
        cachedFigures(() => readSharedFigures(pool)),
      );
    },
  };
}

function processState({ database, passwords, bulkCalls, changes }: Context) {
  return {
    connections: connectionsOf(database.pool),
    hashes: passwords.queue,
    bulkCallsRunning: bulkCalls.running,
    followedTo: changes.settled,
  };
}

function connectionsOf({ totalCount: total, idleCount: idle, waitingCount: waiting }: pg.Pool) {
  return { total, idle, waiting };
}

/** The metrics of a node that is a single process. */
export function singleProcessText(reporter: ProcessReporter): () => Promise<string> {
  return async () => {
    const { prometheusText } = await import('../telemetry/process-report.js');
    return prometheusText([await reporter.report({ withShared: true })]);
  };
}
