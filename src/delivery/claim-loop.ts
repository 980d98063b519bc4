import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface DeliveryWorker {
  /** Claims nothing new, and waits for what is being sent. */
  stop(): Promise<void>;
}

interface ClaimLoop<Claimed> {
  /** At most so many. Never fails. */
  claim(count: number, stopping: AbortSignal): Promise<readonly Claimed[]>;
  send(claimed: Claimed): Promise<void>;
  readonly concurrency: number;
  readonly pollMs: number;
}

/** Claims what is due and sends it, several at a time, until it is stopped. */
export function startClaiming<Claimed>(
  { claim, send, concurrency, pollMs }: ClaimLoop<Claimed>,
  logger: Logger,
): DeliveryWorker {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const start = (claimed: Claimed) => {
    const work = send(claimed)
      // Whatever went wrong, the claim expires and the message is due again.
      .catch((error: unknown) => logger.warn({ err: error }, 'message not sent, retrying'))
      .finally(() => running.delete(work));
    running.add(work);
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const free = concurrency - running.size;
      const claimed = free > 0 ? await claim(free, stopping.signal) : [];
      claimed.forEach(start);
      const more = claimed.length === free && free > 0;
      if (!more || running.size >= concurrency) await Promise.race([nextPoll(), ...running]);
    }
  };

  // One timer at a time: messages that are sent in the meantime don't start another.
  let polling: Promise<void> | undefined;
  const nextPoll = () => {
    polling ??= pause(pollMs, undefined, { signal: stopping.signal })
      .catch(() => {})
      .finally(() => {
        polling = undefined;
      });
    return polling;
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
