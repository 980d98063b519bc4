import { setTimeout as pause } from 'node:timers/promises';
import type { Rollcall } from '#client';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { onStopSignal } from '../stop.js';
import { createProgress, type Progress } from '../terminal/progress.js';
import { countLines, exitOf, type FeedRun, isUnderWay, nextSteps, reasonLines } from './format-run.js';

export interface WaitOption extends JsonOption {
  readonly wait?: boolean | undefined;
}

/** Waits for the end of a run if that is wanted, and reports on it. */
export async function reportRun(
  rollcall: Rollcall,
  started: FeedRun,
  { wait, json }: WaitOption,
): Promise<CommandResult> {
  const run = wait ? await followRun(rollcall, started) : started;
  if (json) printJson(run);
  else printRun(run);
  return isUnderWay(run) ? 'done' : exitOf(run);
}

export function printRun(run: FeedRun): void {
  const reasons = reasonLines(run);
  if (reasons.length > 0) printMessage(`${reasons.join('\n')}\n`);
  const counts = countLines(run);
  if (counts.length > 0) print(counts.join('\n'));
  printMessage(nextSteps(run).join('\n'));
}

const firstPollMs = 100;
const pollMsMax = 1_000;

/** Until it has ended, or waits for a person. */
async function followRun(rollcall: Rollcall, started: FeedRun): Promise<FeedRun> {
  const stopping = new AbortController();
  onStopSignal(() => stopping.abort());
  const shown = new RunProgress();
  let run = started;
  try {
    for (let waitMs = firstPollMs; isUnderWay(run); waitMs = Math.min(waitMs * 1.5, pollMsMax)) {
      shown.at(run);
      await pause(waitMs, undefined, { signal: stopping.signal });
      const path = { key: run.feed, run: run.id };
      run = (await rollcall.call('getFeedRun', { path, signal: stopping.signal })).body.data;
    }
    return run;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    throw new CommandProblem(
      'someFailed',
      `No longer waiting. The run goes on. To see it: rollcall feeds show ${run.feed}. To stop it: rollcall feeds cancel ${run.feed} ${run.id}`,
    );
  } finally {
    shown.end();
  }
}

const doing = { fetch: 'Fetching the file', plan: 'Checking', apply: 'Writing' } as const;

/** A bar for each phase. */
class RunProgress {
  #phase = '';
  #progress: Progress | undefined;

  at({ state, phase, rows, done }: FeedRun): void {
    const name =
      state === 'undoing' ? 'Undoing' : state === 'queued' ? 'Waiting for the service' : doing[phase];
    if (name !== this.#phase) {
      this.end();
      this.#phase = name;
      this.#progress = createProgress({ doing: name, unit: 'rows' });
    }
    if (rows !== null) this.#progress?.expect({ count: rows, isExact: true });
    this.#progress?.at(done);
  }

  end(): void {
    this.#progress?.end();
  }
}
