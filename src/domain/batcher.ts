/**
 * Does what comes in while it is at work in one go: whoever comes when nothing runs is served at once and alone, and
 * those who come meanwhile are served together as soon as it ends. There is no timer, so nobody waits for company.
 */
export class Batcher<T, R> {
  readonly #work: (batch: readonly T[]) => Promise<readonly R[]>;
  readonly #concurrency: number;
  readonly #batchMax: number;
  readonly #isForAll: (error: unknown) => boolean;
  readonly #waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = [];
  #running = 0;

  /**
   * The work gives one result for each, in their order, or fails for all of them; and for those who wait as well, if the
   * error would be theirs too.
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
