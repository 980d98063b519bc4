import { setImmediate } from 'node:timers/promises';
import type { YieldingTask } from './yielding-task.js';

/** Lets other work run. Long computations are split into pieces of a few milliseconds. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

export async function runYielding<T>(steps: YieldingTask<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}

/** How long a request may block the event loop. */
const timeSliceMs = 5;

/** For work whose pieces take a time that depends on the caller's data: yields once enough time has passed. */
export class TimeSlice {
  #start = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#start > timeSliceMs;
  }

  async yield(): Promise<void> {
    await yieldToEventLoop();
    this.#start = performance.now();
  }
}
