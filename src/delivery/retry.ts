/**
 * Exponential backoff up to a maximum. Half of it is random, so that messages that failed together are not retried
 * together.
 */
export function pauseAfter(
  attempt: number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
  random: number,
): number {
  const full = Math.min(firstMs * 2 ** Math.min(attempt - 1, 30), longestMs);
  return full / 2 + (full / 2) * random;
}

/** How long a claim is valid: twice the time limit of an attempt. */
export function leaseMs(timeoutMs: number): number {
  return 2 * timeoutMs;
}

const retryAfterMaxSeconds = 3_600;

/** `Retry-After` is a number of seconds or a date, capped at an hour. */
export function secondsIn(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter)) return Math.min(Number(retryAfter), retryAfterMaxSeconds);
  // Date.parse accepts almost anything; HTTP dates end with GMT.
  const dateMs = retryAfter.endsWith('GMT') ? Date.parse(retryAfter) : Number.NaN;
  if (Number.isNaN(dateMs)) return undefined;
  return Math.min(Math.max(Math.ceil((dateMs - nowMs) / 1000), 0), retryAfterMaxSeconds);
}
