import type { Limits } from '../contract/limits.js';
import { type CallMemory, emptyMemory, type ItemOutcome, type PlanItem, remember } from './bulk-plan.js';
import { untilRaceIsWon } from './races.js';
import { failureOf } from './trouble.js';
import type { Parsed } from './user-rules.js';

export interface BulkResult {
  /** One outcome per item, by position. */
  readonly outcomes: readonly ItemOutcome[];
  /** What stopped the call after a part of it was committed already; for the log. */
  readonly interruption?: unknown;
}

interface ChunkPlan {
  readonly outcomes: readonly ItemOutcome[];
  readonly memory: CallMemory;
}

/**
 * Runs a bulk call as consecutive transactions of a bounded size. Each sees what the ones before it committed, so the
 * meaning is that of one long walk over the items. When the database fails before anything was committed the error is
 * thrown; after that, what is committed is reported as such and the rest as failed.
 */
export async function runInChunks<T>(
  parsed: readonly Parsed<T>[],
  limits: Pick<Limits, 'bulkChunkItems' | 'bulkAttemptsMax'>,
  runChunk: (items: readonly PlanItem<T>[], past: CallMemory) => Promise<ChunkPlan>,
): Promise<BulkResult> {
  const items = parsed.map((item, position) => ({ position, parsed: item }));
  const outcomes: ItemOutcome[] = [];
  const past = emptyMemory();
  for (let start = 0; start < items.length; start += limits.bulkChunkItems) {
    const chunk = items.slice(start, start + limits.bulkChunkItems);
    try {
      const plan = await untilRaceIsWon(limits.bulkAttemptsMax, () => runChunk(chunk, past));
      remember(past, plan.memory);
      outcomes.push(...plan.outcomes);
    } catch (error) {
      if (!outcomes.some((outcome) => outcome.ok)) throw error;
      outcomes.push(...interrupted(chunk, error), ...interrupted(items.slice(start + limits.bulkChunkItems)));
      return { outcomes, interruption: error };
    }
  }
  return { outcomes };
}

/** Items that never ran keep their own mistake if they have one: sending them again would not mend it. */
function interrupted<T>(items: readonly PlanItem<T>[], error?: unknown): ItemOutcome[] {
  return items.map(({ position, parsed }) =>
    parsed.ok ? { ok: false, failure: failureOf(error, `items[${position}]: `) } : parsed,
  );
}
