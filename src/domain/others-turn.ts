import { setImmediate } from 'node:timers/promises';

/** Long work of the processor is done in pieces of some milliseconds; between two of them others have their turn. */
export async function othersTurn(): Promise<void> {
  await setImmediate();
}
