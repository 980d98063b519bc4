import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

/** After this many failed starts in a row, the pool gives up. */
const failedStartsMax = 5;
const restartPauseMs = 100;
const restartPauseMaxMs = 10_000;
/** A worker that ran this long counts as stable: its end is not part of a crash loop. */
const stableAfterMs = 60_000;

/** Sending limits apply per node, so only one of its workers sends. */
const noSending = { ROLLCALL_DELIVERIES_AT_ONCE: '0', ROLLCALL_WEBHOOKS_AT_ONCE: '0' };

interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

interface Member {
  readonly worker: Worker;
  readonly sends: boolean;
  readonly startedAt: number;
  readonly online: Promise<void>;
  /** Resolves to undefined, which tells it from `ended` in a race. */
  readonly ready: Promise<undefined>;
  readonly ended: Promise<End>;
  isReady: boolean;
}

/** Keeps a fixed number of workers running and replaces those that exit. */
export class WorkerPool {
  readonly #size: number;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #log: Logger;
  readonly #members = new Set<Member>();
  readonly #stopping = new AbortController();
  readonly #onWorker: ((worker: Worker) => void)[] = [];
  #hasServed = false;
  #earlyExits = 0;
  #restartAt = 0;

  /** The workers inherit the environment of this process, overridden by the given variables. */
  constructor(size: number, environment: Readonly<Record<string, string>>, log: Logger) {
    this.#size = size;
    this.#environment = environment;
    this.#log = log;
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.js', import.meta.url)), args: [] });
  }

  /**
   * Starts missing workers one at a time: the first one validates the configuration, migrates the schema and creates the
   * key, so that this happens, and fails, only once. Resolves to an exit code if workers cannot start, and to undefined
   * if the pool was stopped.
   */
  async keepUp(): Promise<number | undefined> {
    const { signal } = this.#stopping;
    for (let failedStarts = 0; !signal.aborted; ) {
      const { ready, ended } = this.#start();
      const failed = await Promise.race([ready, ended]);
      if (signal.aborted) break;
      if (failed) failedStarts++;
      else failedStarts = 0;
      this.#hasServed ||= !failed;
      if (failed && !this.#hasServed) return failed.code ?? 1;
      if (failed && failedStarts === failedStartsMax) {
        this.#log.error(`${failedStarts} workers in a row exited before they were ready. Stopping.`);
        return failed.code ?? 1;
      }
      await this.#untilWorkerMissing();
      await pause(Math.max(this.#restartAt - performance.now(), 0), undefined, { signal }).catch(() => {});
    }
    return undefined;
  }

  /** Workers that serve requests. */
  get readyWorkers(): Worker[] {
    return [...this.#members].filter(({ isReady }) => isReady).map(({ worker }) => worker);
  }

  /** Calls the function for each worker that is started from now on. */
  onWorker(listener: (worker: Worker) => void): void {
    this.#onWorker.push(listener);
  }

  /** Lets workers finish running requests. Resolves to whether all of them did so in time. */
  async stop(withinMs: number): Promise<boolean> {
    this.#stopping.abort();
    const members = [...this.#members];
    for (const member of members) void disconnect(member);
    const timeUp = pause(withinMs, undefined, { ref: false });
    const ends = await Promise.race([Promise.all(members.map(({ ended }) => ended)), timeUp]);
    this.kill();
    return ends?.every(isClean) ?? false;
  }

  kill(): void {
    for (const { worker } of this.#members) worker.process.kill('SIGKILL');
  }

  #start(): Member {
    const sends = ![...this.#members].some((member) => member.sends);
    const worker = cluster.fork({ ...this.#environment, ...(sends ? {} : noSending) });
    for (const listener of this.#onWorker) listener(worker);
    const ready = new Promise<undefined>((resolve) => {
      worker.on('message', (message: unknown) => {
        if (message === 'ready') resolve(undefined);
      });
    });
    const ended = new Promise<End>((resolve) => {
      worker.once('exit', (code, signal) => resolve({ code, signal }));
      // A process that could not be spawned emits no exit event; every other error is followed by one.
      worker.on('error', () => worker.process.pid ?? resolve({ code: 1, signal: null }));
    });
    const online = new Promise<void>((resolve) => worker.once('online', () => resolve()));
    const member: Member = {
      ...{ worker, sends, startedAt: performance.now(), online, ready, ended },
      isReady: false,
    };
    void ready.then(() => {
      member.isReady = true;
    });
    this.#members.add(member);
    void ended.then((end) => this.#onEnd(member, end));
    return member;
  }

  #onEnd(member: Member, { code, signal }: End): void {
    this.#members.delete(member);
    if (this.#stopping.signal.aborted) return;
    const now = performance.now();
    this.#earlyExits = now - member.startedAt < stableAfterMs ? this.#earlyExits + 1 : 0;
    this.#restartAt = now + restartPause(this.#earlyExits);
    // A worker that refused to start has already logged the reason.
    if (!this.#hasServed && code) return;
    this.#log.warn(`Worker ${member.worker.process.pid} exited (${signal ?? `exit code ${code}`}).`);
  }

  async #untilWorkerMissing(): Promise<void> {
    if (this.#members.size === this.#size) this.#log.info(`All ${this.#size} workers are ready.`);
    while (this.#members.size === this.#size) {
      await Promise.race([...this.#members].map(({ ended }) => ended));
    }
  }
}

/** A worker that is not online yet would crash on a closed channel. */
async function disconnect({ worker, online, ended }: Member): Promise<void> {
  await Promise.race([online, ended]);
  if (worker.isConnected()) worker.process.disconnect();
}

/** Exponential backoff, so that a crash loop does not slow down the other workers. */
function restartPause(earlyExits: number): number {
  return earlyExits === 0 ? 0 : Math.min(restartPauseMs * 2 ** (earlyExits - 1), restartPauseMaxMs);
}

/** A signal kills only a worker that has no handler yet, and so no running requests. */
function isClean({ code, signal }: End): boolean {
  return code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';
}
