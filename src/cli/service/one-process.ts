import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { type RunningService, startService } from '../../main.js';
import { tellReady, untilReady } from './ready.js';

/** The service in this very process, which is how it runs unless workers are asked for. */
export async function serveInOneProcess(config: Config, logger: Logger): Promise<void> {
  const service = await startService(config, logger);
  stopOnSignals(service, logger.info.bind(logger));
  tellReady(await untilReady(service), service.url, config, logger);
}

function stopOnSignals(service: RunningService, log: (line: string) => void): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log(`${signal}: finishing what runs, then stopping. Again to stop at once.`);
    const inTime = await service.stop().catch(() => false);
    process.exit(inTime ? 0 : 1);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
