import { ConnectionFailed, isRollcallError, UnexpectedReply } from '@rollcall/client';
import { onlineManager } from '@tanstack/react-query';

const pollMs = 2_000;
/** A query that keeps failing although the service is ready has another problem, which is shown. */
const failuresMax = 3;

/** Whether the service, or the way to it, is down. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionFailed) return true;
  if (error instanceof UnexpectedReply) return [502, 503, 504].includes(error.status);
  return isRollcallError(error, 'SERVICE_UNAVAILABLE');
}

/** The retry rule of queries. During an outage they wait, and continue once the service is back. */
export function waitsForService(failures: number, error: unknown): boolean {
  if (!isOutage(error) || failures >= failuresMax) return false;
  reportOutage();
  return true;
}

let isPolling = false;

/** Pauses all queries until the service is ready. */
export function reportOutage(): void {
  onlineManager.setOnline(false);
  if (!isPolling) void resumeWhenReady();
}

async function resumeWhenReady(): Promise<void> {
  isPolling = true;
  while (!onlineManager.isOnline()) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    if (await isReady()) onlineManager.setOnline(true);
  }
  isPolling = false;
}

async function isReady(): Promise<boolean> {
  const reply = await fetch('/readyz', { cache: 'no-store' }).catch(() => undefined);
  return reply?.ok ?? false;
}
