import { TableError } from '#sheets';
import { CommandProblem } from '../problem.js';
import { requestProblem } from '../session/request-problem.js';
import { stopped } from '../stop.js';
import { counted } from '../terminal/numbers.js';

export interface ExportProgress {
  readonly rows: number;
  readonly file: string | undefined;
  readonly signal: AbortSignal;
}

/** Why an export stopped, and how much was written. */
export function abortedExport(error: unknown, progress: ExportProgress): unknown {
  const problem = problemOf(error, progress.signal);
  if (!problem) return error;
  const { exit, message, cause } = problem;
  return new CommandProblem(exit, `${message}\n${writtenSoFar(progress)}`, { cause });
}

function problemOf(error: unknown, signal: AbortSignal): CommandProblem | undefined {
  if (signal.aborted) return stopped();
  if (error instanceof CommandProblem) return error;
  const instead = 'Export as CSV or NDJSON, which have no such limit.';
  if (error instanceof TableError && error.problem.code === 'TOO_MANY_ROWS') {
    const most = counted(error.problem.max - 1, 'user');
    return new CommandProblem('refused', `A workbook holds at most ${most}, and there are more. ${instead}`);
  }
  // A cell is too long: the tags of one user.
  if (error instanceof RangeError) return new CommandProblem('refused', `${error.message} ${instead}`);
  return requestProblem('export users', error);
}

function writtenSoFar({ rows, file }: ExportProgress): string {
  if (file !== undefined) return `Nothing was written to ${file}.`;
  return rows === 0
    ? 'Nothing was written.'
    : `The output is incomplete: it ends after ${counted(rows, 'user')}.`;
}
