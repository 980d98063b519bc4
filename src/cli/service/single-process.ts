import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { type RunningService, startService } from '../../main.js';
import { logReady, untilReady } from './ready.js';

/** The default, without workers. */
export async function serveInSingleProcess(config: Config, logger: Logger): Promise<void> {
  const service = await startService(config, logger);
  stopOnSignals(service, logger.info.bind(logger));
  logReady(await untilReady(service), service.url, config, logger);
}

function stopOnSignals(service: RunningService, log: (line: string) => void): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log(`${signal} received. Finishing running requests; send it again to stop immediately.`);
    const inTime = await service.stop().catch(() => false);
    process.exit(inTime ? 0 : 1);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
