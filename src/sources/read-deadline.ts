import { SourceFailed, type SourceProblem } from '../domain/feeds/source-problem.js';

export interface ReadTimeouts {
  /** Without a byte from the source, while something waits for one. */
  readonly idleMs: number;
  /** From opening the source to its last byte, including the time that the caller takes for what it has read. */
  readonly totalMs: number;
  /** Whoever sends less than these bytes within this time of waiting is too slow, however often a byte comes. */
  readonly slowMs: number;
  readonly slowBytes: number;
}

/** Ends reading a source when it is stopped, is idle for too long or takes too long altogether. */
export interface ReadDeadline {
  /** Its reason is a SourceFailed. */
  readonly signal: AbortSignal;
  /** Resolves with the promise, but not after the deadline. */
  wait<T>(pending: Promise<T>): Promise<T>;
  /** So many bytes came. */
  received(bytes: number): void;
  /** Closes what was opened, as soon as reading ends for whatever reason. */
  onEnd(close: () => void): void;
  end(): void;
}

export function startDeadline(
  stop: AbortSignal,
  { idleMs, totalMs, slowMs, slowBytes }: ReadTimeouts,
): ReadDeadline {
  const ending = new AbortController();
  const { signal } = ending;
  const closing: (() => void)[] = [];
  let isOver = false;
  let [waitedMs, bytesSince] = [0, 0];

  const end = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(total);
    stop.removeEventListener('abort', onStop);
    for (const close of closing.reverse()) close();
  };
  const abort = (code: 'timed_out' | 'stopped') => {
    ending.abort(new SourceFailed({ code } satisfies SourceProblem));
    end();
  };
  const onStop = () => abort('stopped');
  const total = setTimeout(() => abort('timed_out'), totalMs);
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();

  return {
    signal,
    wait: (pending) => {
      const idle = setTimeout(() => abort('timed_out'), idleMs);
      const since = performance.now();
      return new Promise((resolve, reject) => {
        const onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        pending.then(resolve, reject).finally(() => {
          clearTimeout(idle);
          waitedMs += performance.now() - since;
          signal.removeEventListener('abort', onAbort);
        });
      });
    },
    received: (bytes) => {
      bytesSince += bytes;
      if (waitedMs < slowMs) return;
      if (bytesSince < slowBytes) abort('timed_out');
      [waitedMs, bytesSince] = [0, 0];
    },
    onEnd: (close) => {
      if (isOver) close();
      else closing.push(close);
    },
    end,
  };
}
