const sliceMs = 10;

/** Lets the browser handle input and show what has changed. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
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

/** `map` for long lists. */
export async function mapInSlices<T, U>(list: readonly T[], map: (value: T, at: number) => U): Promise<U[]> {
  const yieldToBrowser = createYieldToBrowser();
  const mapped: U[] = [];
  for (const [at, value] of list.entries()) {
    mapped.push(map(value, at));
    if (at % 100 === 99) await yieldToBrowser();
  }
  return mapped;
}
