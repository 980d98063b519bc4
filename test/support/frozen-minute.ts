import { vi } from 'vitest';

const minuteMs = 60_000;
let minutesBack = 24 * 60;

/**
 * Stops the clock early in a minute without requests: requests are counted by the minute. It lies in the past, because
 * serials never go back in time: users created later by this worker would seem to come from the future.
 */
export function freezeMinute(): void {
  minutesBack += 2;
  const now = (Math.floor(Date.now() / minuteMs) - minutesBack) * minuteMs + 1_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
}
