import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { databaseOutage } from '../storage/errors.js';

export interface DeliveryWorker {
  /** Claims nothing new, and waits for what is being sent. */
  stop(): Promise<void>;
}

interface ClaimLoop<Claimed> {
  /** What is claimed, for the log: "webhooks". */
  readonly what: string;
  /** At most so many. */
  claim(count: number, stopping: AbortSignal): Promise<readonly Claimed[]>;
  send(claimed: Claimed, stopping: AbortSignal): Promise<void>;
  readonly concurrency: number;
  readonly pollMs: number;
}

/**
 * Claims what is due and sends it, several at a time, until it is stopped. Any number of nodes can do so: a claim
 * expires, and what isn't done by then is due again.
 */
export function startClaiming<Claimed>(
  { what, claim, send, concurrency, pollMs }: ClaimLoop<Claimed>,
  logger: Logger,
): DeliveryWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  const claimed = async (count: number): Promise<readonly Claimed[]> => {
    try {
      return await claim(count, signal);
    } catch (error) {
      const isExpected = signal.aborted || databaseOutage(error) !== undefined;
      if (!isExpected) logger.error({ err: error }, `cannot read the ${what}`);
      return [];
    }
  };

  const start = (each: Claimed) => {
    const work = send(each, signal)
      .catch((error: unknown) => logger.warn({ err: error }, `the ${what} were interrupted, retrying`))
      .finally(() => running.delete(work));
    running.add(work);
  };

  const loop = async () => {
    while (!signal.aborted) {
      const free = concurrency - running.size;
      const due = await claimed(free);
      due.forEach(start);
      if (running.size === concurrency) await Promise.race(running);
      // Nothing else was due.
      else if (due.length < free) await pauseUnlessStopped(pollMs, signal);
    }
  };

  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
      await Promise.all(running);
    },
  };
}

export async function pauseUnlessStopped(ms: number, stopping: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: stopping }).catch(() => {});
}
