import type { YieldingTask } from '../../src/domain/yielding-task.js';

/** Runs a yielding task to its end without yielding. */
export function runToEnd<A extends unknown[], T>(
  steps: (...given: A) => YieldingTask<T>,
): (...given: A) => T {
  return (...given) => {
    const work = steps(...given);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
    }
  };
}
