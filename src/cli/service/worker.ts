import cluster, { type Worker } from 'node:cluster';
import type { Server } from 'node:http';
import { readConfig } from '../../config.js';
import { createLogger } from '../../logger.js';
import type { RunningService } from '../../main.js';
import { run } from '../run.js';
import { onStopSignal } from '../stop.js';
import { logReady, untilReady } from './ready.js';
import { metricsOfNode } from './worker-metrics.js';
import { withSmallYoungGeneration } from './young-generation.js';

/** The entry point of a worker process. worker-pool.ts starts it, and closes the IPC channel to stop it. */
await run('start', startWorker, { keepsRunning: true });

async function startWorker(): Promise<void> {
  const { worker } = cluster;
  if (!worker) throw new Error('a worker is started by `rollcall serve`');
  let service: RunningService | undefined;
  stopWithPrimary(worker, async () => (service ? service.stop() : true));

  const config = readConfig(process.env);
  const logger = createLogger(config).child({ pid: process.pid });
  // Only the first worker logs its startup: the messages would be the same in each.
  const isFirst = worker.id === 1;
  if (!isFirst && logger.isLevelEnabled('info')) logger.level = 'warn';
  service = await withSmallYoungGeneration(async () => {
    const { startService } = await import('../../main.js'); // slow to load; a stop is handled meanwhile
    return startService(config, logger, { nodeMetrics: metricsOfNode(worker) });
  });
  closeConnectionsAbove(config.limits.connectionsMax, service.app.server);
  const first = await untilReady(service);
  logger.level = config.logLevel;
  if (isFirst || first) logReady(first, service.url, config, logger);
  worker.send('ready', () => {});
}

/**
 * A closed channel means that the primary is stopping this worker, or has died. Signals may arrive as well, because
 * Ctrl-C and systemd reach every process, so only the first stop counts. A second signal is handled by the primary.
 */
function stopWithPrimary(worker: Worker, stopService: () => Promise<boolean>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    const inTime = await stopService().catch(() => false);
    process.exit(inTime ? 0 : 1);
  };
  onStopSignal(stop);
  worker.on('error', () => {}); // Node may fail to send to a primary that is gone
  worker.on('disconnect', () => {
    worker.exitedAfterDisconnect = true; // otherwise Node exits immediately, aborting running requests
    void stop();
  });
}

/**
 * In a cluster, Node hands a connection above `maxConnections` back to the primary, which offers it to the next worker,
 * and so on while all are full: the caller waits, and half a core is wasted. So it is closed here.
 */
function closeConnectionsAbove(connectionsMax: number, server: Server): void {
  let open = 0;
  server.maxConnections = Number.POSITIVE_INFINITY;
  server.on('connection', (socket) => {
    open++;
    socket.once('close', () => open--);
    if (open > connectionsMax) socket.destroy();
  });
}
