/**
 * Combines concurrent work into batches. An item that arrives while nothing runs starts immediately, alone. Items that
 * arrive meanwhile form the next batch. There is no timer, so items never wait for a batch to fill.
 */
export class Batcher<T, R> {
  readonly #work: (batch: readonly T[]) => Promise<readonly R[]>;
  readonly #concurrency: number;
  readonly #batchMax: number;
  readonly #isForAll: (error: unknown) => boolean;
  readonly #waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = [];
  #running = 0;

  /**
   * `work` returns one result per item, in order, or fails for the whole batch. If `failsAll` returns true for the
   * error, queued items fail as well.
   */
  constructor(
    work: (batch: readonly T[]) => Promise<readonly R[]>,
    options: {
      readonly concurrency: number;
      readonly batchMax: number;
      readonly failsAll?: (error: unknown) => boolean;
    },
  ) {
    this.#work = work;
    this.#concurrency = options.concurrency;
    this.#batchMax = options.batchMax;
    this.#isForAll = options.failsAll ?? (() => false);
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      void this.#start();
    });
  }

  async #start(): Promise<void> {
    if (this.#running >= this.#concurrency || this.#waiting.length === 0) return;
    this.#running++;
    const batch = this.#waiting.splice(0, this.#batchMax);
    try {
      const results = await this.#work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as R);
      });
    } catch (error) {
      const others = this.#isForAll(error) ? this.#waiting.splice(0) : [];
      for (const { reject } of [...batch, ...others]) reject(error);
    }
    this.#running--;
    void this.#start();
  }
}
