import { vi } from 'vitest';

const minuteMs = 60_000;
let minutesBack = 24 * 60;

/**
 * Stops the clock early in a minute without requests, because requests are counted per minute. The minute is in the
 * past: serials never go backwards, so users created later by this worker would otherwise seem to come from the future.
 */
export function freezeMinute(): void {
  minutesBack += 2;
  const now = (Math.floor(Date.now() / minuteMs) - minutesBack) * minuteMs + 1_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
}
