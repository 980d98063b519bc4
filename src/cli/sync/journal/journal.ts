import { closeSync, createReadStream, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Intent,
  type JournalEntry,
  type OutcomeKind,
  type ResumeState,
  resumeStateOf,
  type SyncJournal,
  type SyncOutcome,
} from '#sheets';
import { CommandProblem } from '../../problem.js';
import { withFileErrors } from '../../with-file-errors.js';

/**
 * Journals of another format are not found. An old one could not be resumed, and starting over is always safe.
 */
export const journalFormat = 2;

type Entry = { readonly header: JournalHeader } | JournalEntry;

export interface JournalHeader {
  readonly requestId: string;
}

/** Outcomes are stored as lists, which halves their size. */
type Line =
  | { readonly header: JournalHeader }
  | { readonly chunk: string; readonly intends: readonly Intent[] }
  | { readonly chunk: string; readonly outcomes: readonly Packed[]; readonly retries: readonly number[] };

type Packed = readonly [
  row: number | null,
  employeeID: string | null,
  kind: OutcomeKind,
  serial?: string | null,
  changed?: readonly string[] | null,
  code?: string | null,
  detail?: string | null,
  kept?: readonly string[],
];

/**
 * The journal of a sync, line by line, in a file that outlives the process. An interrupted sync resumes from it, and the
 * report is written from it. The only personal data in it are employee IDs and serials.
 */
export class Journal implements SyncJournal {
  readonly #path: string;
  readonly #file: number;
  /** Whether anything was done, or may have been. */
  hasEntries = false;

  private constructor(path: string, flags: 'w' | 'a') {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(path, flags, 0o600);
  }

  static exists(path: string): boolean {
    return existsSync(path);
  }

  static start(path: string, header: JournalHeader): Journal {
    return writing(path, () => {
      rmSync(path, { force: true });
      const journal = new Journal(path, 'w');
      journal.#write({ header });
      return journal;
    });
  }

  static resume(path: string): Journal {
    return writing(path, () => {
      const journal = new Journal(path, 'a');
      journal.hasEntries = true;
      writeSync(journal.#file, '\n'); // the last line may be incomplete
      return journal;
    });
  }

  intend(chunk: string, intends: readonly Intent[]): void {
    this.hasEntries = true;
    this.#write({ chunk, intends });
  }

  done(chunk: string, outcomes: readonly SyncOutcome[], retries: readonly number[]): void {
    this.hasEntries = true;
    this.#write({ chunk, outcomes: outcomes.map(packed), retries });
  }

  close(end: 'kept' | 'removed'): void {
    closeSync(this.#file);
    if (end === 'removed') rmSync(this.#path, { force: true });
  }

  read(): AsyncGenerator<Entry> {
    return readJournal(this.#path);
  }

  #write(line: Line): void {
    writing(this.#path, () => {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    });
  }
}

function writing<T>(path: string, work: () => T): T {
  return withFileErrors(work, (error) => {
    const { code } = error as NodeJS.ErrnoException;
    const message = `Cannot write the progress of the sync to ${path} (${code}), so it stops here.`;
    const advice =
      code === 'ENOSPC' ? ' Free up disk space.' : ' Make the file writable, or set XDG_STATE_HOME.';
    return new CommandProblem('someFailed', message + advice, { cause: error });
  });
}

export async function* readJournal(path: string): AsyncGenerator<Entry> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const text of lines) {
    const line = parsed(text);
    if (line === undefined) continue;
    yield 'outcomes' in line ? { ...line, outcomes: line.outcomes.map(unpacked) } : line;
  }
}

/** What an interrupted sync has left behind; undefined if not even the header of its journal was written. */
export async function readResumeState(
  path: string,
  isAwaited: (row: number) => boolean,
): Promise<(ResumeState & JournalHeader) | undefined> {
  const entries = readJournal(path);
  const first: Entry | undefined = (await entries.next()).value;
  if (!first || !('header' in first)) return undefined;
  return { ...first.header, ...(await resumeStateOf(withoutHeader(entries), isAwaited)) };
}

async function* withoutHeader(entries: AsyncIterable<Entry>): AsyncGenerator<JournalEntry> {
  for await (const entry of entries) if (!('header' in entry)) yield entry;
}

/** An incomplete line counts as unwritten: its rows are checked again. */
function parsed(text: string): Line | undefined {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

function packed({ row, employeeID, kind, serial, changed, kept, problem }: SyncOutcome): Packed {
  if (kept) return [row, employeeID, kind, serial ?? null, changed ?? null, null, null, kept];
  if (problem) return [row, employeeID, kind, serial ?? null, changed ?? null, problem.code, problem.detail];
  if (changed) return [row, employeeID, kind, serial ?? null, changed];
  return serial === undefined ? [row, employeeID, kind] : [row, employeeID, kind, serial];
}

function unpacked([row, employeeID, kind, serial, changed, code, detail, kept]: Packed): SyncOutcome {
  return {
    row,
    employeeID,
    kind,
    ...(serial ? { serial } : {}),
    ...(changed ? { changed } : {}),
    ...(code == null ? {} : { problem: { code, detail: detail ?? '' } }),
    ...(kept ? { kept } : {}),
  };
}
