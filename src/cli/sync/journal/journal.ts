import { closeSync, createReadStream, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandProblem } from '../../problem.js';
import type { Kind, Outcome } from '../outcome.js';

/**
 * How far a sync has got, line by line, in a file that outlives it: what a chunk is about to do, and what became of it. From
 * it an interrupted sync goes on, and from it the report is written. It holds employee IDs and serials, and no other data of
 * a person.
 */
export type Entry =
  | { readonly about: JournalHeader }
  | { readonly chunk: string; readonly intends: readonly Intent[] }
  | { readonly chunk: string; readonly outcomes: readonly Outcome[]; readonly again: readonly number[] };

export type Intent = readonly [employeeID: string, kind: Kind];

export interface JournalHeader {
  readonly requestId: string;
}

/** An outcome as it is written: a list, which is half as long. */
type Line =
  | { readonly about: JournalHeader }
  | { readonly chunk: string; readonly intends: readonly Intent[] }
  | { readonly chunk: string; readonly outcomes: readonly Packed[]; readonly again: readonly number[] };

type Packed = readonly [
  row: number | null,
  employeeID: string | null,
  kind: Kind,
  serial?: string | null,
  changed?: readonly string[] | null,
  code?: string,
  detail?: string,
];

export class Journal {
  readonly #path: string;
  readonly #file: number;
  /** Whether it tells of anything that was done, or may have been. */
  isBegun = false;

  private constructor(path: string, flags: 'w' | 'a') {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(path, flags, 0o600);
  }

  static isAt(path: string): boolean {
    return existsSync(path);
  }

  static begin(path: string, about: JournalHeader): Journal {
    return guarded(path, () => {
      rmSync(path, { force: true });
      const journal = new Journal(path, 'w');
      journal.#write({ about });
      return journal;
    });
  }

  static goOn(path: string): Journal {
    return guarded(path, () => {
      const journal = new Journal(path, 'a');
      journal.isBegun = true;
      writeSync(journal.#file, '\n'); // the last line may have been cut in the middle
      return journal;
    });
  }

  intend(chunk: string, intends: readonly Intent[]): void {
    this.isBegun = true;
    this.#write({ chunk, intends });
  }

  done(chunk: string, outcomes: readonly Outcome[], again: readonly number[]): void {
    this.isBegun = true;
    this.#write({ chunk, outcomes: outcomes.map(packed), again });
  }

  close(end: 'kept' | 'removed'): void {
    closeSync(this.#file);
    if (end === 'removed') rmSync(this.#path, { force: true });
  }

  /** Everything in it so far. */
  read(): AsyncGenerator<Entry> {
    return readJournal(this.#path);
  }

  #write(line: Line): void {
    guarded(this.#path, () => {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    });
  }
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `How far the sync has got cannot be written to ${path} (${code}), so it stops here.`;
    const mend = code === 'ENOSPC' ? ' Make room on the disk.' : ' Make it writable, or set XDG_STATE_HOME.';
    throw new CommandProblem('someFailed', message + mend, { cause: error });
  }
}

export async function* readJournal(path: string): AsyncGenerator<Entry> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const text of lines) {
    const line = parsed(text);
    if (line === undefined) continue;
    yield 'outcomes' in line ? { ...line, outcomes: line.outcomes.map(unpacked) } : line;
  }
}

/** A line that was cut in the middle is as if it had not been written: what it told of is looked at again. */
function parsed(text: string): Line | undefined {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

function packed({ row, employeeID, kind, serial, changed, problem }: Outcome): Packed {
  if (problem) return [row, employeeID, kind, serial ?? null, changed ?? null, problem.code, problem.detail];
  if (changed) return [row, employeeID, kind, serial ?? null, changed];
  return serial === undefined ? [row, employeeID, kind] : [row, employeeID, kind, serial];
}

function unpacked([row, employeeID, kind, serial, changed, code, detail]: Packed): Outcome {
  return {
    row,
    employeeID,
    kind,
    ...(serial ? { serial } : {}),
    ...(changed ? { changed } : {}),
    ...(code === undefined ? {} : { problem: { code, detail: detail ?? '' } }),
  };
}
