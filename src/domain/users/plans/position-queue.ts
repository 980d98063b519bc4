/** A binary heap that returns the entry with the lowest position first. */
export class PositionQueue<T extends { readonly position: number }> {
  readonly #heap: T[] = [];

  add(entry: T): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#at(parent).position <= entry.position) break;
      heap[at] = this.#at(parent);
      at = parent;
    }
    heap[at] = entry;
  }

  next(): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#at(child + 1).position < this.#at(child).position) child++;
      if (last.position <= this.#at(child).position) break;
      heap[at] = this.#at(child);
      at = child;
    }
    heap[at] = last;
    return first;
  }

  #at(index: number): T {
    return this.#heap[index] as T;
  }
}
