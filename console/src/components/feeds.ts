import type { Schemas } from '@rollcall/client';

export type Feed = Schemas['Feed'];
export type Run = Schemas['FeedRun'];

export type FeedHealth = 'waiting' | 'running' | 'paused' | 'failed' | 'late' | 'ready';

/** Longer than a node takes to start a run that is due. */
const lateMs = 15 * 60_000;

/** What matters most about a feed. */
export function feedHealth(
  { openRun, lastRun, isPaused, nextRunAt }: Pick<Feed, 'openRun' | 'lastRun' | 'isPaused' | 'nextRunAt'>,
  nowMs: number = Date.now(),
): FeedHealth {
  if (openRun) return openRun.state === 'waiting' ? 'waiting' : 'running';
  if (isPaused) return 'paused';
  if (lastRun?.state === 'failed' || lastRun?.state === 'stopped') return 'failed';
  return nextRunAt !== null && Date.parse(nextRunAt) + lateMs < nowMs ? 'late' : 'ready';
}
