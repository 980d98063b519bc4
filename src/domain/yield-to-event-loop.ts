import { setImmediate } from 'node:timers/promises';
import type { Steps } from './steps.js';

/** Long work of the processor is done in pieces of some milliseconds; between two of them others have their turn. */
export async function othersTurn(): Promise<void> {
  await setImmediate();
}

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await othersTurn();
  }
}

/** So long may a request keep the processor while others wait. */
const stretchMs = 5;

/** For work whose pieces take a time that only the caller's data decides: others have their turn when it has been long. */
export class Stretch {
  #start = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#start > stretchMs;
  }

  async rest(): Promise<void> {
    await othersTurn();
    this.#start = performance.now();
  }
}
