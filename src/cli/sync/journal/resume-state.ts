import { type Counts, type Kind, nothingYet, type Outcome } from '../outcome.js';
import { type Entry, type JournalHeader, readJournal } from './journal.js';

/** What an interrupted sync has left behind. */
export interface ResumeState {
  readonly requestId: string;
  /** Chunks whose outcomes are known. */
  readonly chunks: ReadonlySet<string>;
  /** Rows of those chunks that were left for the end. */
  readonly again: ReadonlySet<number>;
  /** Rows that failed, among those that others wait for. */
  readonly failed: ReadonlySet<number>;
  /** What the chunk under way was about to do, by employee ID. */
  readonly intended: ReadonlyMap<string, Kind>;
  readonly tally: Tally;
}

/** Counts outcomes, and keeps the first that failed. */
export class Tally {
  #counts: Record<Kind, number> = { ...nothingYet };
  readonly failures: Outcome[] = [];
  /** People whose email changed, which goes one by one: no call is on record for it. */
  emails = 0;

  static readonly failuresMax = 10;

  get counts(): Counts {
    return this.#counts;
  }

  add(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      this.#counts[outcome.kind]++;
      if (outcome.kind !== 'failed' && outcome.changed?.includes('email')) this.emails++;
      if (outcome.kind === 'failed' && this.failures.length < Tally.failuresMax) this.failures.push(outcome);
    }
  }
}

export async function readResumeState(
  path: string,
  isAwaited: (row: number) => boolean,
): Promise<ResumeState | undefined> {
  const chunks = new Set<string>();
  const again = new Set<number>();
  const failed = new Set<number>();
  const tally = new Tally();
  const open = new Map<string, Extract<Entry, { intends: unknown }>['intends']>();
  let about: JournalHeader | undefined;
  for await (const entry of readJournal(path)) {
    if ('about' in entry) about = entry.about;
    else if ('intends' in entry) open.set(entry.chunk, entry.intends);
    else {
      open.delete(entry.chunk);
      chunks.add(entry.chunk);
      tally.add(entry.outcomes);
      for (const row of entry.again) again.add(row);
      for (const { row, kind } of entry.outcomes) {
        if (row === null) continue;
        again.delete(row);
        if (kind === 'failed' && isAwaited(row)) failed.add(row);
      }
    }
  }
  const intended = new Map([...open.values()].flat());
  return about && { ...about, chunks, again, failed, intended, tally };
}
