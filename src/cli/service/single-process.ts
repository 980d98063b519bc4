import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import type { RunningService } from '../../main.js';
import { onStopSignal } from '../stop-signals.js';
import { logReady, untilReady } from './ready.js';

/** The default, without workers. */
export async function serveInSingleProcess(config: Config, logger: Logger): Promise<void> {
  const starting = import('../../main.js').then(({ startService }) => startService(config, logger));
  stopOnSignals(starting, logger.info.bind(logger));
  const service = await starting;
  logReady(await untilReady(service), service.url, config, logger);
}

/** From the beginning: as process 1 of a container, a process without a handler ignores signals. */
function stopOnSignals(starting: Promise<RunningService>, log: (line: string) => void): void {
  let stopping = false;
  onStopSignal(async (signal) => {
    if (stopping) process.exit(1);
    stopping = true;
    log(`${signal} received. Finishing running requests; send it again to stop immediately.`);
    const inTime = await starting.then((service) => service.stop()).catch(() => false);
    process.exit(inTime ? 0 : 1);
  });
}
