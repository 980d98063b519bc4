import { closeSync, openSync, writeSync } from 'node:fs';
import { deferredChunk, type SyncOutcome } from '#sheets';
import { pathOf } from '../../host.js';
import type { Mode } from '../../outcome-text.js';
import { CommandProblem } from '../../problem.js';
import { reportFormat, reportShapes } from '../../row-report.js';
import { withFileErrors } from '../../with-file-errors.js';
import type { Journal } from './journal.js';

/** Fails before the sync starts rather than after it is done. */
export function checkReport(path: string): void {
  reportFormat(path);
  writing(path, () => closeSync(openSync(pathOf(path), 'a', 0o600)));
}

const batchBytes = 65_536;

/** Every row with its outcome, in file order; missing users come last. */
export async function writeReport(path: string, journal: Journal, mode: Mode): Promise<void> {
  const shape = reportShapes[reportFormat(path)];
  const deferred = await deferredOutcomes(journal);
  const file = writing(path, () => openSync(pathOf(path), 'w', 0o600));
  let text = shape.begin;
  let written = 0;
  const flush = () => {
    writing(path, () => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    });
    text = '';
  };
  try {
    for await (const outcome of inFileOrder(journal, deferred)) {
      text += shape.entry(outcome, mode, written++ === 0);
      if (text.length > batchBytes) flush();
    }
    text += shape.end(written);
    flush();
  } finally {
    closeSync(file);
  }
}

/** Outcomes of deferred rows. There are few of them, and they are inserted where their rows are. */
async function deferredOutcomes(journal: Journal): Promise<SyncOutcome[]> {
  const deferred: SyncOutcome[] = [];
  for await (const entry of journal.read()) {
    if ('outcomes' in entry && deferredChunk.has(entry.chunk)) deferred.push(...entry.outcomes);
  }
  return deferred.sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
}

async function* inFileOrder(journal: Journal, deferred: readonly SyncOutcome[]): AsyncGenerator<SyncOutcome> {
  let next = 0;
  for await (const entry of journal.read()) {
    if (!('outcomes' in entry) || deferredChunk.has(entry.chunk)) continue;
    for (const outcome of entry.outcomes) {
      const row = outcome.row ?? Number.POSITIVE_INFINITY;
      for (; next < deferred.length && (deferred[next]?.row ?? 0) < row; next++)
        yield deferred[next] as SyncOutcome;
      yield outcome;
    }
  }
  yield* deferred.slice(next);
}

function writing<T>(path: string, work: () => T): T {
  return withFileErrors(work, (error) => {
    const { code } = error as NodeJS.ErrnoException;
    return new ReportNotWritten(path, code ?? String(error));
  });
}

/** Nothing is lost: the report can be written again from the journal. */
export class ReportNotWritten extends CommandProblem {
  constructor(path: string, code: string) {
    super('wrongUse', `Cannot write the report to ${path} (${code}).`);
  }
}
