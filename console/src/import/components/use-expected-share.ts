import { useEffect, useState } from 'react';

const tickMs = 200;
/** The rest is for the answer. */
const shareMax = 0.95;

/** How much of some work is probably done after this time. It never quite ends before the answer is there. */
export function expectedShare(elapsedMs: number, durationMs: number): number {
  return shareMax * (1 - Math.exp(-elapsedMs / Math.max(1, durationMs)));
}

/** How long a call of so many rows takes, until it is known for this service. */
export function expectedMs(rows: number, msPerRow = 0.3): number {
  return 300 + rows * msPerRow;
}

/** Moves a progress bar during a request of thousands of rows. Another `work` begins at zero. */
export function useExpectedShare(work: unknown, durationMs: number): number {
  const [share, setShare] = useState<{ readonly of: unknown; readonly value: number }>();
  useEffect(() => {
    if (work === undefined) return;
    const startedAt = performance.now();
    const timer = setInterval(
      () => setShare({ of: work, value: expectedShare(performance.now() - startedAt, durationMs) }),
      tickMs,
    );
    return () => clearInterval(timer);
  }, [work, durationMs]);
  return work !== undefined && share?.of === work ? share.value : 0;
}
