import type { YieldingTask } from '../../src/domain/yielding-task.js';

/** The same without a turn for others, who are not there. */
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
