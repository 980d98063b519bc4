const sliceMs = 10;

/** Long work in slices: between two of them the page answers to whoever uses it. */
export function createBreath(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}
