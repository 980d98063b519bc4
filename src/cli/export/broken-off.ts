import { TableError } from '#sheets';
import { CommandProblem } from '../problem.js';
import { requestProblem } from '../session/request-problem.js';
import { stopped } from '../stop.js';
import { counted } from '../terminal/numbers.js';

export interface SoFar {
  readonly rows: number;
  readonly file: string | undefined;
  readonly signal: AbortSignal;
}

/** What kept an export from its end, and what there is of it. */
export function brokenOff(error: unknown, soFar: SoFar): unknown {
  const problem = problemOf(error, soFar.signal);
  if (!problem) return error;
  const { exit, message, cause } = problem;
  return new CommandProblem(exit, `${message}\n${leftBehind(soFar)}`, { cause });
}

function problemOf(error: unknown, signal: AbortSignal): CommandProblem | undefined {
  if (signal.aborted) return stopped();
  if (error instanceof CommandProblem) return error;
  const instead = 'Export as CSV or NDJSON, which hold anything.';
  if (error instanceof TableError && error.problem.code === 'TOO_MANY_ROWS') {
    const most = counted(error.problem.max - 1, 'person', 'people');
    return new CommandProblem(
      'refused',
      `A workbook holds ${most} at the most, and there are more. ${instead}`,
    );
  }
  // The tags of one person, if they are many, long and odd.
  if (error instanceof RangeError) return new CommandProblem('refused', `${error.message} ${instead}`);
  return requestProblem('export people', error);
}

function leftBehind({ rows, file }: SoFar): string {
  if (file !== undefined) return `Nothing was written to ${file}.`;
  return rows === 0
    ? 'Nothing was written.'
    : `What was written breaks off after ${counted(rows, 'person', 'people')}.`;
}
