import type { Server } from 'node:http';
import type { Config } from '../config.js';
import { StartupError } from '../storage/errors.js';
import { serveMetrics } from '../telemetry/metrics-server.js';

/** Starts the separate server, if there is an address for it. */
export async function listenForMetrics(
  { metricsAddress }: Pick<Config, 'metricsAddress'>,
  text: () => Promise<string>,
): Promise<Server | undefined> {
  if (metricsAddress === undefined) return undefined;
  try {
    return await serveMetrics(metricsAddress, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const { host, port } = metricsAddress;
    throw new StartupError(
      `ROLLCALL_METRICS_ADDRESS: cannot listen on port ${port} of ${host} (${code}). Choose an address of this machine and a free port.`,
      { cause: error },
    );
  }
}
