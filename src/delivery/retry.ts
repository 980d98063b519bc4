/**
 * The pause before the next attempt: doubled from one to the next, up to the longest. Half of it is left to chance, so
 * that messages which failed together do not come back together.
 */
export function pauseAfter(
  attempt: number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
  random: number,
): number {
  const full = Math.min(firstMs * 2 ** Math.min(attempt - 1, 30), longestMs);
  return full / 2 + (full / 2) * random;
}

/** For how long a claim stands: twice the time that one attempt may take. */
export function leaseMs(timeoutMs: number): number {
  return 2 * timeoutMs;
}
