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
