import { setImmediate } from 'node:timers/promises';
import type { YieldingTask } from './steps.js';

/** Long work of the processor is done in pieces of some milliseconds; between two of them others have their turn. */
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

/** So long may a request keep the processor while others wait. */
const timeSliceMs = 5;

/** For work whose pieces take a time that only the caller's data decides: others have their turn when it has been long. */
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
