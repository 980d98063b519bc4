import { closeSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { csvLine } from '#sheets';
import { CommandProblem } from '../../problem.js';
import type { Outcome } from '../outcome.js';
import { type Mode, wordOf } from '../outcome-text.js';
import type { Journal } from './journal.js';

export type ReportFormat = 'csv' | 'json' | 'ndjson';

export function reportFormat(path: string): ReportFormat {
  const format = extname(path).slice(1).toLowerCase();
  if (format === 'csv' || format === 'json' || format === 'ndjson') return format;
  throw new CommandProblem('wrongUse', `--report ${path}: its name must end in .csv, .json or .ndjson.`);
}

/** A report that could not be written would be found out about when all is done: so it is tried before. */
export function checkReport(path: string): void {
  reportFormat(path);
  guarded(path, () => closeSync(openSync(path, 'a', 0o600)));
}

/** Bytes that are written at once. */
const batchBytes = 65_536;

/** Every row with what became of it, in the order of the file; who was missing comes last. */
export async function writeReport(path: string, journal: Journal, mode: Mode): Promise<void> {
  const shape = shapes[reportFormat(path)];
  const late = await lateOutcomes(journal);
  const file = guarded(path, () => openSync(path, 'w', 0o600));
  let text = shape.begin;
  let written = 0;
  const flush = () => {
    guarded(path, () => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    });
    text = '';
  };
  try {
    for await (const outcome of inOrder(journal, late)) {
      text += shape.entry(outcome, mode, written++ === 0);
      if (text.length > batchBytes) flush();
    }
    text += shape.end(written);
    flush();
  } finally {
    closeSync(file);
  }
}

interface Shape {
  readonly begin: string;
  entry(outcome: Outcome, mode: Mode, isFirst: boolean): string;
  end(entries: number): string;
}

const shapes: Record<ReportFormat, Shape> = {
  csv: {
    begin: csvLine(['row', 'employeeID', 'outcome', 'changed', 'serial', 'error', 'detail']),
    entry: ({ row, employeeID, kind, changed, serial, problem }, mode) =>
      csvLine([
        row,
        employeeID,
        wordOf(kind, mode),
        changed?.join(' '),
        serial,
        problem?.code,
        problem?.detail,
      ]),
    end: () => '',
  },
  json: {
    begin: '[',
    entry: (outcome, mode, isFirst) => `${isFirst ? '' : ','}\n${asJson(outcome, mode)}`,
    end: (entries) => (entries === 0 ? ']\n' : '\n]\n'),
  },
  ndjson: { begin: '', entry: (outcome, mode) => `${asJson(outcome, mode)}\n`, end: () => '' },
};

function asJson({ row, employeeID, kind, changed, serial, problem }: Outcome, mode: Mode): string {
  return JSON.stringify({ row, employeeID, outcome: wordOf(kind, mode), changed, serial, error: problem });
}

/** Outcomes of rows that were put off: few, and to be set in where their rows are. */
async function lateOutcomes(journal: Journal): Promise<Outcome[]> {
  const late: Outcome[] = [];
  for await (const entry of journal.read()) {
    if ('outcomes' in entry && isLate(entry.chunk)) late.push(...entry.outcomes);
  }
  return late.sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
}

function isLate(chunk: string): boolean {
  return chunk.startsWith('turn-') || chunk.startsWith('again-');
}

async function* inOrder(journal: Journal, late: readonly Outcome[]): AsyncGenerator<Outcome> {
  let next = 0;
  for await (const entry of journal.read()) {
    if (!('outcomes' in entry) || isLate(entry.chunk)) continue;
    for (const outcome of entry.outcomes) {
      const row = outcome.row ?? Number.POSITIVE_INFINITY;
      for (; next < late.length && (late[next]?.row ?? 0) < row; next++) yield late[next] as Outcome;
      yield outcome;
    }
  }
  yield* late.slice(next);
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ReportUnwritten(path, code ?? String(error));
  }
}

/** Nothing that was done is lost by it, and the report can be written another time. */
export class ReportUnwritten extends CommandProblem {
  constructor(path: string, code: string) {
    super('wrongUse', `The report cannot be written to ${path} (${code}).`);
  }
}
