import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Executor } from './database.js';

const turnMs = 2;
const turnsMax = 10;

/**
 * Called between two parts of long work. If the pool has a single connection, as on the embedded database, this lets
 * requests that wait for it go first. A request sends several statements, one after the other, and would otherwise wait for
 * a part of the work before each of them. Not for long, so that the work goes on under any load.
 */
export async function letOthersGoFirst(pool: pg.Pool): Promise<void> {
  for (let turn = 0; turn < turnsMax && pool.options.max === 1 && isBusy(pool); turn++) await pause(turnMs);
}

function isBusy({ totalCount, idleCount, waitingCount }: pg.Pool): boolean {
  return waitingCount > 0 || idleCount < totalCount;
}

type Kind = 'read' | 'write';

/**
 * Lets the statements and transactions of one call use one connection of the pool at a time, and more only while no one
 * else needs the pool: a large call is faster on two connections, but not at the cost of others. Waiting reads and
 * writes alternate. So the next chunk is read as soon as one is written, and planned while the one in between is
 * written: the database only ever waits for the first plan.
 */
export class ConnectionShare {
  readonly #pool: pg.Pool;
  readonly #concurrencyMax: number;
  readonly #waiting: { readonly kind: Kind; readonly begin: () => void }[] = [];
  #running = 0;
  #last: Kind = 'write';

  constructor(pool: pg.Pool, concurrencyMax: number) {
    this.#pool = pool;
    this.#concurrencyMax = Math.min(concurrencyMax, pool.options.max);
  }

  /** Reads with the connections of this share. */
  readonly reader = {
    query: (...parameters: Parameters<Executor['query']>) =>
      this.run('read', async () => this.#pool.query(...parameters)),
  } as unknown as Executor;

  run<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      this.#waiting.push({ kind, begin: () => resolve(this.#run(work)) });
      this.#beginNext();
    });
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      void letOthersGoFirst(this.#pool).then(() => {
        this.#running--;
        this.#beginNext();
      });
    }
  }

  #beginNext(): void {
    while (this.#waiting.length > 0 && this.#isFree()) {
      const other = this.#waiting.findIndex(({ kind }) => kind !== this.#last);
      const [next] = this.#waiting.splice(Math.max(other, 0), 1);
      if (!next) return;
      this.#last = next.kind;
      next.begin();
    }
  }

  #isFree(): boolean {
    if (this.#running === 0) return true;
    if (this.#running >= this.#concurrencyMax) return false;
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const inUse = totalCount - idleCount + waitingCount;
    return inUse <= this.#running;
  }
}
