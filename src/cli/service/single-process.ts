import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import type { RunningService } from '../../main.js';
import { onStopSignal } from '../stop.js';
import { logReady, untilReady } from './ready.js';

/** The default, without workers. */
export async function serveInSingleProcess(config: Config, logger: Logger): Promise<void> {
  const starting = import('../../main.js').then(({ startService }) => startService(config, logger));
  const stopping = stopOnSignals(starting, logger.info.bind(logger));
  const service = await starting;
  const first = await untilReady(service);
  if (!stopping.aborted) logReady(first, service.url, config, logger);
}

/** From the beginning: as process 1 of a container, a process without a handler ignores signals. */
function stopOnSignals(starting: Promise<RunningService>, log: (line: string) => void): AbortSignal {
  const stopping = new AbortController();
  onStopSignal(async (signal) => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
    log(`${signal} received. Finishing running requests; send it again to stop immediately.`);
    const inTime = await starting.then((service) => service.stop()).catch(() => false);
    process.exit(inTime ? 0 : 1);
  });
  return stopping.signal;
}
