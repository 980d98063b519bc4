import type { Limits } from '../../contract/limits.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  type FeedRun,
  noteOutage,
  type RunProgress,
  releaseFeedRun,
  renewFeedRun,
  updateFeedRun,
} from '../../storage/feeds/feed-runs.js';
import { RunEnded } from './feed-failed.js';

/** The work of this node on a run. Nothing is written once another node has taken over. */
export class RunSession {
  run: FeedRun;
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  readonly #stopping: AbortSignal;
  #ended: RunEnded['why'] | undefined;

  constructor(
    { database, limits }: { readonly database: Database; readonly limits: Limits },
    run: FeedRun,
    stopping: AbortSignal,
  ) {
    this.run = run;
    if (run.isCancelled) this.#ended = 'cancelled';
    this.#database = database;
    this.#stopping = stopping;
    this.#timer = setInterval(() => void this.#renew(limits.feedLeaseMs), limits.feedLeaseMs / 3).unref();
  }

  /** Throws if the run has to end here. */
  checkpoint(): void {
    if (this.#ended !== undefined) throw new RunEnded(this.#ended);
    if (this.#stopping.aborted) throw new RunEnded('stopping');
  }

  /** Aborted when this node stops. */
  get signal(): AbortSignal {
    return this.#stopping;
  }

  /** Writes within a transaction of its own, only as long as the run belongs to this node. */
  async write(progress: RunProgress, beside?: (tx: Executor) => Promise<void>): Promise<void> {
    const updated = await transaction(this.#database, async (tx) => {
      const updated = await updateFeedRun(tx, this.run, progress);
      if (updated === 'lost') throw new RunEnded('lost');
      await beside?.(tx);
      return updated;
    });
    this.run = { ...this.run, ...progress };
    if (updated === 'cancelled') this.#ended ??= 'cancelled';
  }

  /** Another node may go on at once. */
  async release(): Promise<void> {
    await releaseFeedRun(this.#database.pool, this.run);
  }

  /** The node lives, so the outage is not the fault of the file. */
  async noteOutage(): Promise<void> {
    await noteOutage(this.#database.pool, this.run).catch(() => {}); // the database may be what is out
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** If this fails, the lease expires by itself. */
  async #renew(leaseMs: number): Promise<void> {
    const renewed = await renewFeedRun(this.#database.pool, this.run, leaseMs).catch(() => undefined);
    if (renewed === 'cancelled' || renewed === 'lost') this.#ended ??= renewed;
  }
}
