/** So many at a time, each beginning as soon as one before it has ended. */
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
