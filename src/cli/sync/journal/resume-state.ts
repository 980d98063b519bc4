import { type Counts, type Kind, type Outcome, zeroCounts } from '../outcome.js';
import { type Entry, type JournalHeader, readJournal } from './journal.js';

/** What an interrupted sync has left behind. */
export interface ResumeState {
  readonly requestId: string;
  /** Chunks whose outcomes are known. */
  readonly chunks: ReadonlySet<string>;
  /** Rows of those chunks that still have to be retried. */
  readonly retries: ReadonlySet<number>;
  /** Failed rows that others wait for. */
  readonly failed: ReadonlySet<number>;
  /** What the interrupted chunk was about to do, by employee ID. */
  readonly intended: ReadonlyMap<string, Kind>;
  readonly tally: Tally;
}

/** Counts outcomes and keeps the first failures. */
export class Tally {
  #counts: Record<Kind, number> = { ...zeroCounts };
  readonly #fields = new Map<string, number>();
  readonly failures: Outcome[] = [];
  /** Rows that differ in fields that were kept, because their users have a role. */
  kept = 0;

  static readonly failuresMax = 10;

  get counts(): Counts {
    return this.#counts;
  }

  /** How many existing users each field changes for. */
  get fields(): ReadonlyMap<string, number> {
    return this.#fields;
  }

  add(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      this.#counts[outcome.kind]++;
      for (const field of (outcome.kind !== 'failed' && outcome.changed) || []) {
        this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
      }
      if (outcome.kept) this.kept++;
      if (outcome.kind === 'failed' && this.failures.length < Tally.failuresMax) this.failures.push(outcome);
    }
  }
}

export async function readResumeState(
  path: string,
  isAwaited: (row: number) => boolean,
): Promise<ResumeState | undefined> {
  const chunks = new Set<string>();
  const retries = new Set<number>();
  const failed = new Set<number>();
  const tally = new Tally();
  const open = new Map<string, Extract<Entry, { intends: unknown }>['intends']>();
  let header: JournalHeader | undefined;
  for await (const entry of readJournal(path)) {
    if ('header' in entry) header = entry.header;
    else if ('intends' in entry) open.set(entry.chunk, entry.intends);
    else {
      open.delete(entry.chunk);
      chunks.add(entry.chunk);
      tally.add(entry.outcomes);
      for (const row of entry.retries) retries.add(row);
      for (const { row, kind } of entry.outcomes) {
        if (row === null) continue;
        retries.delete(row);
        if ((kind === 'failed' || kind === 'planned') && isAwaited(row)) failed.add(row);
      }
    }
  }
  const intended = new Map([...open.values()].flat());
  return header && { ...header, chunks, retries, failed, intended, tally };
}
