import { lastChangeNumber } from '../../storage/changes/change-feed.js';
import type { Executor } from '../../storage/database.js';
import { readIndexState } from '../../storage/indexing/index-state.js';
import {
  changeAgeSeconds,
  databaseBytes,
  deliveryFigures,
  feedFigures,
  plannedCallFigures,
  scimTargetFigures,
  webhookFigures,
} from '../../storage/maintenance/figures.js';
import type { SharedFigures } from '../../telemetry/shared-figures.js';

/** A handful of queries, each of which reads a bounded number of rows. */
export async function readSharedFigures(executor: Executor): Promise<SharedFigures> {
  const { position, builtTo } = await readIndexState(executor);
  const lastChange = await lastChangeNumber(executor);
  return {
    ...(await deliveryFigures(executor)),
    ...(await webhookFigures(executor)),
    ...(await scimTargetFigures(executor)),
    ...(await plannedCallFigures(executor)),
    ...(await feedFigures(executor)),
    lastChange,
    indexing: {
      changesBehind: Math.max(lastChange - position, 0),
      secondsBehind: await changeAgeSeconds(executor, position),
      isBuilding: builtTo !== undefined,
    },
    databaseBytes: await databaseBytes(executor),
  };
}

const freshMs = 5_000;
const answerMs = 2_000;

/**
 * The same, at most every few seconds however often it is asked for. Undefined if the database fails or takes too long:
 * whoever asks wants an answer even then.
 */
export function cachedFigures(
  read: () => Promise<SharedFigures>,
  now: () => number = () => performance.now(),
): () => Promise<SharedFigures | undefined> {
  let reading: Promise<SharedFigures | undefined> | undefined;
  let known: { readonly figures: SharedFigures; readonly atMs: number } | undefined;
  const readAgain = async () => {
    try {
      const figures = await read();
      known = { figures, atMs: now() };
      return figures;
    } catch {
      return undefined;
    } finally {
      reading = undefined;
    }
  };
  return () => {
    if (known && now() - known.atMs < freshMs) return Promise.resolve(known.figures);
    reading ??= readAgain();
    return within(answerMs, reading);
  };
}

function within<T>(ms: number, answer: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    void answer.then(resolve).finally(() => clearTimeout(timer));
  });
}
