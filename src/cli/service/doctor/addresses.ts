import { createServer } from 'node:net';
import type { Config } from '../../../config.js';
import type { ClockReading } from './clock.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import { checkTimeoutMs } from './time-limit.js';

interface PublicUrl extends Pick<Config, 'publicUrl' | 'host'> {
  readonly answer: ServiceAnswer;
  /** From the port on this machine. */
  readonly localAnswer: ServiceAnswer;
}

export function publicUrlFindings(facts: PublicUrl): Finding[] {
  return [addressFinding(facts), answerFinding(facts)];
}

function addressFinding({ publicUrl, host }: PublicUrl): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  if (!isLoopback(hostname)) {
    if (protocol === 'https:') return good('address', publicUrl);
    return warning(
      'address',
      `${publicUrl} is not encrypted: passwords and tokens can be intercepted`,
      'Put a TLS proxy in front, and set ROLLCALL_PUBLIC_URL to its https:// URL.',
    );
  }
  if (isLoopback(host)) return good('address', `${publicUrl}, only from this machine`);
  return warning(
    'address',
    `${publicUrl} does not work for callers on other machines, which HOST=${host} admits`,
    'Set ROLLCALL_PUBLIC_URL to the URL that callers use. Tokens and messages contain it.',
  );
}

function answerFinding({ publicUrl, answer, localAnswer }: PublicUrl): Finding {
  const fix = 'Check ROLLCALL_PUBLIC_URL, and the proxy in front of the service.';
  switch (answer.kind) {
    case 'rollcall':
      return good('response', 'Rollcall responds');
    case 'other':
      return failed('response', `another service responds at ${publicUrl} (status ${answer.status})`, fix);
    case 'none':
      return localAnswer.kind === 'rollcall'
        ? warning('response', `no response (${answer.reason}), although the service is running here`, fix)
        : note('response', `no response (${answer.reason}), and no service is running here`);
  }
}

export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127\./.test(host);
}

const portCheck = 'port';

export async function checkPort(
  { host, port }: Pick<Config, 'host' | 'port'>,
  answer: ServiceAnswer,
): Promise<Finding> {
  if (port === 0) return good(portCheck, 'any free port');
  if (answer.kind === 'rollcall') return good(portCheck, `Rollcall is running on ${host}:${port}`);
  return portFinding(`${host}:${port}`, await whyNotFree(host, port));
}

export function portFinding(address: string, code: string | undefined): Finding {
  if (code === undefined) return good(portCheck, `${address} is free`);
  return code === 'EADDRINUSE'
    ? failed(portCheck, `${address} is used by another program`, 'Stop it, or set PORT.')
    : failed(portCheck, `cannot listen on ${address} (${code})`, 'Set HOST and PORT.');
}

/** Tries to listen. */
function whyNotFree(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** What responds at a URL. */
export type ServiceAnswer =
  | { readonly kind: 'rollcall'; readonly clock: ClockReading | undefined }
  | { readonly kind: 'other'; readonly status: number }
  | { readonly kind: 'none'; readonly reason: string };

/** The URL of a service that runs on this machine with this configuration. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Always settles in time. */
export async function probeService(url: string): Promise<ServiceAnswer> {
  const askedAtMs = Date.now();
  try {
    const response = await fetch(`${url}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(checkTimeoutMs - 500),
    });
    const answeredAtMs = Date.now();
    if (!isHealth(await response.json().catch(() => undefined)))
      return { kind: 'other', status: response.status };
    const theirMs = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(theirMs)) return { kind: 'rollcall', clock: undefined };
    return { kind: 'rollcall', clock: { theirMs, askedAtMs, answeredAtMs, stepMs: 1_000 } };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { kind: 'none', reason: cause?.code ?? name };
  }
}

/** The response of the operation getHealth. */
function isHealth(body: unknown): boolean {
  const { status, message } = Object(body) as { status?: unknown; message?: unknown };
  return status === 'success' && typeof message === 'string';
}
