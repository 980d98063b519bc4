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
