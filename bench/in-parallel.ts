/** Runs this many at a time, each starting as soon as another has ended. */
export async function inParallel<T>(
  list: readonly T[],
  concurrency: number,
  work: (entry: T, lane: number) => Promise<void>,
): Promise<void> {
  const entries = list.values();
  const lane = async (_: unknown, number: number) => {
    for (const entry of entries) await work(entry, number);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}
