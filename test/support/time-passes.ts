import { onTestFinished, vi } from 'vitest';

/** Moves the clock of this process, and so that of its services, until the test ends. The database keeps its own. */
export function timePasses(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}
