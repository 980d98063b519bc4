import type { Limits } from '../../contract/limits.js';
import { untilRaceIsWon } from '../races.js';
import type { Parsed } from '../read-fields.js';
import { failureOf } from '../trouble.js';
import { type CallMemory, type Chunk, emptyMemory, type ItemOutcome, remember } from './bulk-plan.js';

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
  { bulkChunkItems, raceAttemptsMax }: Pick<Limits, 'bulkChunkItems' | 'raceAttemptsMax'>,
  runChunk: (chunk: Chunk<T>, past: CallMemory) => Promise<ChunkPlan>,
): Promise<BulkResult> {
  let outcomes: ItemOutcome[] = [];
  const past = emptyMemory();
  for (let first = 0; first < parsed.length; first += bulkChunkItems) {
    const chunk = { first, items: parsed.slice(first, first + bulkChunkItems) };
    try {
      const plan = await untilRaceIsWon(raceAttemptsMax, () => runChunk(chunk, past));
      remember(past, plan.memory);
      outcomes = outcomes.concat(plan.outcomes);
    } catch (error) {
      if (!outcomes.some((outcome) => outcome.ok)) throw error;
      const next = first + chunk.items.length;
      const unreached = { first: next, items: parsed.slice(next) };
      return {
        outcomes: outcomes.concat(interrupted(chunk, error), interrupted(unreached)),
        interruption: error,
      };
    }
  }
  return { outcomes };
}

/** Items that never ran keep their own mistake if they have one: sending them again would not mend it. */
function interrupted<T>({ first, items }: Chunk<T>, error?: unknown): ItemOutcome[] {
  return items.map((item, index) =>
    item.ok ? { ok: false, failure: failureOf(error, first + index) } : item,
  );
}
