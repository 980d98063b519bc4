import { setTimeout as pause } from 'node:timers/promises';
import { changeWriters, lastChangeNumber } from '../../storage/changes/change-feed.js';
import type { Database } from '../../storage/database.js';

/** For operations that follow the change log. */
export interface ChangeContext {
  readonly database: Database;
  readonly changes: ChangeFollower;
}

/** Tracks up to which number the change log is settled: every row up to it is committed, or never will be. */
export class ChangeFollower {
  readonly #database: Database;
  readonly #pollMs: number;
  #settled = 0;
  /** `upTo` is settled once these writers have ended. */
  #pending: { readonly upTo: number; readonly writers: readonly string[] } | undefined;
  #looking: Promise<void> | undefined;

  constructor(database: Database, pollMs: number) {
    this.#database = database;
    this.#pollMs = pollMs;
  }

  get settled(): number {
    return this.#settled;
  }

  /** Checks the database now. Concurrent calls share one check. */
  async refresh(): Promise<number> {
    this.#looking ??= this.#advance().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
    return this.#settled;
  }

  /**
   * A settled number that covers every row committed before this call. Waits for transactions that are writing now,
   * which are short or time out.
   */
  async settleNow(): Promise<number> {
    const last = await lastChangeNumber(this.#database.pool);
    while ((await this.refresh()) < last) await pause(this.#pollMs);
    return this.#settled;
  }

  /** Resolves when a number beyond the given one is settled, on timeout, or when aborted. Failed checks are retried. */
  async waitForNewer(number: number, whileMs: number, signal: AbortSignal): Promise<void> {
    const end = Date.now() + whileMs;
    while (this.#settled <= number && !signal.aborted && Date.now() < end) {
      await this.refresh().catch(() => {});
      if (this.#settled > number) return;
      await pause(this.#pollMs, undefined, { signal }).catch(() => {});
    }
  }

  async #advance(): Promise<void> {
    const { pool } = this.#database;
    if (this.#pending) {
      const writing = new Set(await changeWriters(pool));
      if (this.#pending.writers.some((writer) => writing.has(writer))) return;
      this.#settled = this.#pending.upTo;
      this.#pending = undefined;
    }
    const upTo = await lastChangeNumber(pool);
    if (upTo <= this.#settled) return;
    const writers = await changeWriters(pool);
    if (writers.length === 0) this.#settled = upTo;
    else this.#pending = { upTo, writers };
  }
}
