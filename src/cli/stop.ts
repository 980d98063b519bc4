import { CommandProblem } from './problem.js';

export interface Stop {
  readonly signal: AbortSignal;
  /** How to say that what is under way is finished first. */
  tell(say: (text: string) => void): void;
}

/** Ctrl-C, or the end of a job's time: what is under way is finished first. Once more ends it at once. */
export function stopOnSignals(): Stop {
  const controller = new AbortController();
  let say: (text: string) => void = () => {};
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
    say('Stopping once the rows under way have their answer. Again to stop at once.');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    signal: controller.signal,
    tell(how) {
      say = how;
    },
  };
}

export function stopIfAsked(signal: AbortSignal): void {
  if (signal.aborted) throw stopped();
}

export function stopped(): CommandProblem {
  return new CommandProblem('someFailed', 'Stopped, as you asked.');
}
