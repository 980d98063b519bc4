import { type OutcomeKind, Tally } from '#sheets';
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
  readonly intended: ReadonlyMap<string, OutcomeKind>;
  readonly tally: Tally;
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
