import { type OutcomeKind, type SyncOutcome, Tally } from './outcomes.js';

/** What a run is about to do to a user. */
export type Intent = readonly [employeeID: string, kind: OutcomeKind];

export interface ChunkOutcomes {
  readonly chunk: string;
  readonly outcomes: readonly SyncOutcome[];
  /** Rows that are sent once more at the end. */
  readonly retries: readonly number[];
}

export type JournalEntry = { readonly chunk: string; readonly intends: readonly Intent[] } | ChunkOutcomes;

/** Where a run notes what it is about to do and what it has done, so that another process can continue it. */
export interface SyncJournal {
  intend(chunk: string, intends: readonly Intent[]): void | Promise<void>;
  done(chunk: string, outcomes: readonly SyncOutcome[], retries: readonly number[]): void | Promise<void>;
}

/** Names of chunks whose rows come later than the file has them. */
export const deferredChunk = {
  rename: (round: number, at: number) => `rename-${round}-${at}`,
  retry: (at: number) => `retry-${at}`,
  has: (chunk: string) => chunk.startsWith('rename-') || chunk.startsWith('retry-'),
} as const;

/** What an interrupted run has left behind. */
export interface ResumeState {
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

/** Reads the journal of an interrupted run. `isAwaited` says whether other rows wait for a row. */
export async function resumeStateOf(
  entries: AsyncIterable<JournalEntry>,
  isAwaited: (row: number) => boolean,
): Promise<ResumeState> {
  const chunks = new Set<string>();
  const retries = new Set<number>();
  const failed = new Set<number>();
  const tally = new Tally();
  const open = new Map<string, readonly Intent[]>();
  const recorded = new Set<string | null>();
  for await (const entry of entries) {
    if ('intends' in entry) {
      open.set(entry.chunk, entry.intends);
      continue;
    }
    open.delete(entry.chunk);
    chunks.add(entry.chunk);
    tally.add(entry.outcomes);
    for (const row of entry.retries) retries.add(row);
    for (const { row, employeeID, kind } of entry.outcomes) {
      if (row === null) {
        recorded.add(employeeID);
        continue;
      }
      retries.delete(row);
      if ((kind === 'failed' || kind === 'planned') && isAwaited(row)) failed.add(row);
    }
  }
  // A resumed run records missing users in chunks with other names, so those of the interrupted one stay open.
  const intents = [...open.values()].flat().filter(([employeeID]) => !recorded.has(employeeID));
  return { chunks, retries, failed, intended: new Map(intents), tally };
}
