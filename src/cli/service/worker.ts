import cluster, { type Worker } from 'node:cluster';
import type { Server } from 'node:http';
import { readConfig } from '../../config.js';
import { createLogger } from '../../logger.js';
import type { RunningService } from '../../main.js';
import { run } from '../run.js';
import { tellReady, untilReady } from './ready.js';
import { withSmallYoungGeneration } from './young-generation.js';

/** The program of one worker: team.ts starts it, and closes the channel between the two to stop it. */
await run('start', startWorker, { stays: true });

async function startWorker(): Promise<void> {
  const { worker } = cluster;
  if (!worker) throw new Error('a worker is started by `rollcall serve`');
  let service: RunningService | undefined;
  stopWithPrimary(worker, async () => (service ? service.stop() : true));

  const config = readConfig(process.env);
  const logger = createLogger(config).child({ pid: process.pid });
  // The first speaks for all: where the service listens and what it uses is the same in each of them.
  const isFirst = worker.id === 1;
  if (!isFirst && logger.isLevelEnabled('info')) logger.level = 'warn';
  service = await withSmallYoungGeneration(async () => {
    const { startService } = await import('../../main.js'); // it takes a while, in which a stop is heard already
    return startService(config, logger);
  });
  closeBeyond(config.limits.connectionsMax, service.app.server);
  const first = await untilReady(service);
  logger.level = config.logLevel;
  if (isFirst || first) tellReady(first, service.url, config, logger);
  worker.send('ready', () => {});
}

/**
 * A closed channel means that the primary wants an end, or has met its own. A signal may come as well, before or after it:
 * Ctrl-C and systemd reach every process of a service. So it counts once, and whoever is in a hurry tells the primary.
 */
function stopWithPrimary(worker: Worker, stopService: () => Promise<boolean>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    const inTime = await stopService().catch(() => false);
    process.exit(inTime ? 0 : 1);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  worker.on('error', () => {}); // Node has something for the primary, such as that a server closed, and nobody is there
  worker.on('disconnect', () => {
    worker.exitedAfterDisconnect = true; // otherwise Node ends the process here and now, with all that runs
    void stop();
  });
}

/**
 * In a cluster Node gives a connection above `maxConnections` back to the primary, which offers it to the next worker, and
 * so on for as long as all are full: the caller waits, and half a core is spent on it. So it is closed here.
 */
function closeBeyond(connectionsMax: number, server: Server): void {
  let open = 0;
  server.maxConnections = Number.POSITIVE_INFINITY;
  server.on('connection', (socket) => {
    open++;
    socket.once('close', () => open--);
    if (open > connectionsMax) socket.destroy();
  });
}
