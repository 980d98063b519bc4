const sliceMs = 10;

/** Lets the browser handle input between slices of long work. */
export function createYieldToBrowser(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}
