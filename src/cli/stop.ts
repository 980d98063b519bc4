import { host } from './host.js';
import { CommandProblem } from './problem.js';

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

/**
 * The signals that ask a process to stop. Windows has no SIGTERM: a process gets SIGINT for Ctrl-C, SIGBREAK for
 * Ctrl-Break, and SIGHUP when its window is closed.
 */
export function stopSignals(platform = process.platform): readonly NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}

export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  for (const signal of stopSignals()) host().on(signal, stop);
}
