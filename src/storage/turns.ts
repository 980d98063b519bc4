import type pg from 'pg';

/**
 * Lets the statements and transactions of one piece of work use the pool one at a time, and more of them only while
 * nobody else uses it: a large call is quicker on two connections, but not at the cost of others.
 */
export class Turns {
  readonly #pool: pg.Pool;
  readonly #atOnceMax: number;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(pool: pg.Pool, atOnceMax: number) {
    this.#pool = pool;
    this.#atOnceMax = Math.min(atOnceMax, pool.options.max);
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    while (!this.#isFree()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  #isFree(): boolean {
    if (this.#running === 0) return true;
    if (this.#running >= this.#atOnceMax) return false;
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const inUse = totalCount - idleCount + waitingCount;
    return inUse <= this.#running;
  }
}
