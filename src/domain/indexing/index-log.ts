import type { Executor } from '../../storage/database.js';
import { countChanges, resetChangeCounts } from '../../storage/indexing/change-counts.js';
import { indexChangedSerials, indexChanges } from '../../storage/indexing/index-changes.js';
import type { IndexState } from '../../storage/indexing/index-state.js';
import { indexFormerNames } from '../../storage/names/former-names.js';

export interface IndexedLog {
  /** The same object if there was nothing to do. */
  readonly next: IndexState;
  /** Indexed users whose former names were found only now. */
  readonly renamed: readonly string[];
  /** Whether the changes of users and calls can be found up to the settled number. */
  readonly isFindable: boolean;
  /** Whether names and counts are complete, too. */
  readonly isComplete: boolean;
}

/**
 * Takes the next numbers of the change log: where the changes of each user and call are, which names have ended, and how
 * many changes there were. Reads have to look at every change beyond, so this comes before the users, which take longer.
 */
export async function indexLog(
  tx: Executor,
  state: IndexState,
  settled: number,
  batchSize: number,
): Promise<IndexedLog> {
  if (state.countsPosition < 0) await resetChangeCounts(tx);
  const following = (after: number) => ({
    after,
    upTo: Math.max(Math.min(settled, after + batchSize), after),
  });
  const log = following(state.logPosition);
  const names = following(state.namesPosition);
  const counts = following(Math.max(state.countsPosition, 0));
  await indexChanges(tx, log);
  await indexChangedSerials(tx, log);
  await countChanges(tx, counts);
  const ended = await indexFormerNames(tx, names);
  const positions = { logPosition: log.upTo, namesPosition: names.upTo, countsPosition: counts.upTo };
  const isUnchanged = Object.entries(positions).every(
    ([name, position]) => state[name as keyof typeof positions] === position,
  );
  return {
    next: isUnchanged ? state : { ...state, ...positions },
    renamed: ended.flatMap(({ userSerial, seq }) => (seq <= state.position ? [userSerial] : [])),
    isFindable: log.upTo >= settled,
    isComplete: log.upTo >= settled && names.upTo >= settled && counts.upTo >= settled,
  };
}
