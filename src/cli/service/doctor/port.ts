import { createServer } from 'node:net';
import type { Config } from '../../../config.js';
import { type Finding, failed, good } from './finding.js';
import type { ServiceAnswer } from './service-answer.js';

const check = 'port';

export async function checkPort(
  { host, port }: Pick<Config, 'host' | 'port'>,
  answer: ServiceAnswer,
): Promise<Finding> {
  if (port === 0) return good(check, 'any free port');
  if (answer.kind === 'rollcall') return good(check, `Rollcall is running on ${host}:${port}`);
  return portFinding(`${host}:${port}`, await whyNotFree(host, port));
}

export function portFinding(address: string, code: string | undefined): Finding {
  if (code === undefined) return good(check, `${address} is free`);
  return code === 'EADDRINUSE'
    ? failed(check, `${address} is used by another program`, 'Stop it, or set PORT.')
    : failed(check, `cannot listen on ${address} (${code})`, 'Set HOST and PORT.');
}

/** Tries to listen. */
function whyNotFree(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
