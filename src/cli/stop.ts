import { host } from './host.js';
import { CommandProblem } from './problem.js';
import { onStopSignal } from './stop-signals.js';

export interface Stop {
  readonly signal: AbortSignal;
  /** How to announce that running work finishes first. */
  notifyWith(print: (text: string) => void): void;
}

/** The first signal lets running work finish; the second exits immediately. */
export function stopOnSignals(): Stop {
  const controller = new AbortController();
  let notify: (text: string) => void = () => {};
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) host().exit(signal === 'SIGINT' ? 130 : 143);
    notify('Stopping after the rows in progress. Press Ctrl-C again to stop immediately.');
    controller.abort();
  };
  onStopSignal(stop);
  return {
    signal: controller.signal,
    notifyWith(print) {
      notify = print;
    },
  };
}

export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stopped();
}

export function stopped(): CommandProblem {
  return new CommandProblem('someFailed', 'Stopped.');
}
