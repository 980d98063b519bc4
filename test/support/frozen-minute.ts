import { vi } from 'vitest';

/** Stops the clock early in a minute in which nobody was counted yet: requests are counted by the minute. */
export function freezeMinute(): void {
  const minuteMs = 60_000;
  const now = Math.ceil(Date.now() / minuteMs) * minuteMs + 1_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
}
