const sliceMs = 10;
/** Reading the clock for each element would take longer than most of the work. */
const elementsPerLook = 100;

/**
 * Lets the browser handle input and show what has changed. A message instead of a timer: a hidden tab delays timers by up
 * to a minute, and an import goes on there.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Lets the browser handle input between slices of long work. */
export function createYieldToBrowser(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await nextTask();
    since = performance.now();
  };
}

/** `forEach` for long lists. */
export async function forEachInSlices<T>(
  list: Iterable<T>,
  visit: (value: T, at: number) => void,
): Promise<void> {
  const yieldToBrowser = createYieldToBrowser();
  let at = 0;
  for (const value of list) {
    visit(value, at++);
    if (at % elementsPerLook === 0) await yieldToBrowser();
  }
}

/** The elements of a long list, for what takes them one by one. */
export async function* inSlices<T>(list: Iterable<T>): AsyncGenerator<T, void, void> {
  const yieldToBrowser = createYieldToBrowser();
  let at = 0;
  for (const value of list) {
    yield value;
    if (++at % elementsPerLook === 0) await yieldToBrowser();
  }
}

/** `map` for long lists. */
export async function mapInSlices<T, U>(list: Iterable<T>, map: (value: T, at: number) => U): Promise<U[]> {
  const mapped: U[] = [];
  await forEachInSlices(list, (value, at) => {
    mapped.push(map(value, at));
  });
  return mapped;
}
