import { host } from './host.js';

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
