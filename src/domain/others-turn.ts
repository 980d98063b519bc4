import { setImmediate } from 'node:timers/promises';

/** Long work of the processor is done in pieces of some milliseconds; between two of them others have their turn. */
export async function othersTurn(): Promise<void> {
  await setImmediate();
}

/** Long work that stops where others may have their turn. */
export type Steps<T> = Generator<void, T, void>;

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await othersTurn();
  }
}
