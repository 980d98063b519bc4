/**
 * Does what comes in while it is at work in one go: whoever comes when nothing runs is served at once and alone, and
 * those who come meanwhile are served together as soon as it ends. There is no timer, so nobody waits for company.
 */
export class Together<T, R> {
  readonly #work: (batch: readonly T[]) => Promise<readonly R[]>;
  readonly #atOnce: number;
  readonly #batchMax: number;
  readonly #waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = [];
  #running = 0;

  /** The work gives one result for each, in their order, or fails for all of them. */
  constructor(
    work: (batch: readonly T[]) => Promise<readonly R[]>,
    { atOnce, batchMax }: { readonly atOnce: number; readonly batchMax: number },
  ) {
    this.#work = work;
    this.#atOnce = atOnce;
    this.#batchMax = batchMax;
  }

  do(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      void this.#start();
    });
  }

  async #start(): Promise<void> {
    if (this.#running >= this.#atOnce || this.#waiting.length === 0) return;
    this.#running++;
    const batch = this.#waiting.splice(0, this.#batchMax);
    try {
      const results = await this.#work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as R);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#running--;
    void this.#start();
  }
}
