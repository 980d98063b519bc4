/** The same items; the next one is requested while the current one is processed. */
export async function* prefetch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = iterator.next();
      next.catch(() => {}); // reported when it is awaited
      yield value;
    }
  } finally {
    void iterator.return?.(); // a consumer that stops early does not wait for the pending item
  }
}
