import { CommandProblem } from '../../problem.js';
import { requestProblem } from '../../session/request-problem.js';
import { count, counted } from '../../terminal/numbers.js';
import type { Journal } from './journal.js';
import type { Tally } from './resume-state.js';

export interface Interruption {
  readonly journal: Journal;
  readonly tally: Tally;
  readonly rows: number;
  readonly dryRun: boolean;
}

/** What stopped a sync, how far it got, and the command that goes on from there. */
export function interrupted(error: unknown, { journal, tally, rows, dryRun }: Interruption): unknown {
  const canGoOn = !dryRun && journal.isBegun;
  journal.close(canGoOn ? 'kept' : 'removed');
  const problem = error instanceof CommandProblem ? error : requestProblem('go on with the sync', error);
  if (!problem) return error;
  if (!canGoOn) return problem;
  const done = Object.values(tally.counts).reduce((sum, each) => sum + each, 0);
  const soFar = `${count(done)} of ${counted(rows, 'row')} are done, and nothing is half done.`;
  return new CommandProblem(
    problem.exit,
    `${problem.message}\n${soFar} Go on with:\n  ${resumeCommand(process.argv)}`,
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
