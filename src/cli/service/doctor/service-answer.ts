import type { Config } from '../../../config.js';
import type { ClockReading } from './clock.js';
import { checkTimeoutMs } from './time-limit.js';

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
