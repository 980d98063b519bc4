/**
 * Loaded into the process before the service. On request, it collects garbage, and reports for how long the event loop
 * was blocked since the last request, with and without the time spent waiting for a core. It does nothing in threads
 * and workers of the service.
 */
export const preload = `data:text/javascript,${encodeURIComponent(`
  import cluster from 'node:cluster';
  import { openSync, readSync } from 'node:fs';

  const everyMs = 1;
  const text = Buffer.alloc(64);
  let file;
  try { file = openSync('/proc/thread-self/schedstat'); } catch {} // only Linux has it
  function waitedMs() {
    if (file === undefined) return 0;
    readSync(file, text, 0, text.length, 0);
    return Number(text.latin1Slice().split(' ')[1]) / 1e6;
  }

  let last, longest;
  function begin() {
    last = { at: performance.now(), waited: waitedMs() };
    longest = { halt: 0, held: 0 };
  }
  function look() {
    const next = { at: performance.now(), waited: waitedMs() };
    const halt = next.at - last.at - everyMs;
    longest.halt = Math.max(longest.halt, halt);
    longest.held = Math.max(longest.held, halt - (next.waited - last.waited));
    last = next;
  }

  if (process.send && cluster.isPrimary) {
    process.on('message', (wish) => {
      if (wish === 'collect garbage') { gc(); gc(); process.send(0); }
      if (wish === 'watch the loop') { begin(); setInterval(look, everyMs).unref(); process.send(0); }
      // Delayed, so that a halt that delayed this very message is counted.
      if (wish === 'longest halt') setTimeout(() => { process.send(longest); begin(); }, 5);
    });
    process.channel.unref();
  }
`)}`;

/** In ms. */
export interface Halt {
  readonly halt: number;
  /** Without the time in which the process was only waiting for a core. */
  readonly held: number;
}
