/** The same items, with the next one under way while the one before is worked on. */
export async function* oneAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = iterator.next();
      next.catch(() => {}); // it is told when its turn comes
      yield value;
    }
  } finally {
    void iterator.return?.(); // whoever leaves early does not wait for what is under way
  }
}
