import type { Tally } from '#sheets';
import { host } from '../../host.js';
import { CommandProblem } from '../../problem.js';
import { requestProblem } from '../../session/request-problem.js';
import { count, counted } from '../../terminal/numbers.js';
import type { Journal } from './journal.js';

export interface Interruption {
  readonly journal: Journal;
  readonly tally: Tally;
  readonly rows: number;
  readonly dryRun: boolean;
  /** The file that lists the rows that are done. */
  readonly report: string | undefined;
}

/** Why a sync stopped, how far it got, and the command that resumes it. */
export function interrupted(error: unknown, { journal, tally, rows, dryRun, report }: Interruption): unknown {
  const canResume = !dryRun && journal.hasEntries;
  journal.close(canResume ? 'kept' : 'removed');
  const problem = error instanceof CommandProblem ? error : requestProblem('continue the sync', error);
  if (!problem) return error;
  if (!canResume) return problem;
  const done = Object.values(tally.counts).reduce((sum, each) => sum + each, 0);
  const listed = report === undefined ? '' : ` ${report} lists them.`;
  const progress = `${count(done)} of ${counted(rows, 'row')} are done, and no row is half done.${listed}`;
  return new CommandProblem(
    problem.exit,
    `${problem.message}\n${progress} To resume:\n  ${resumeCommand(host().argv)}`,
    {
      cause: problem.cause,
    },
  );
}

export function resumeCommand([, , ...args]: readonly string[]): string {
  const all = args.includes('--resume') ? args : [...args, '--resume'];
  return ['rollcall', ...all.map(quoted)].join(' ');
}

function quoted(word: string): string {
  return /^[\w./:=%@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
