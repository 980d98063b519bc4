import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

/** So many starts in a row that come to nothing are no accident. */
const failedStartsMax = 5;
const restartPauseMs = 100;
const restartPauseMaxMs = 10_000;
/** What has lived for this long did not die of what the one before it died of. */
const longLifeMs = 60_000;

/** How much is sent at once is said of a node, and so one of its workers does all the sending. */
const leaveSendingToOthers = { ROLLCALL_DELIVERIES_AT_ONCE: '0', ROLLCALL_WEBHOOKS_AT_ONCE: '0' };

interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

interface Member {
  readonly worker: Worker;
  readonly sends: boolean;
  readonly startedAt: number;
  /** Node has set its process up. */
  readonly online: Promise<void>;
  /** Of nothing, so that a race with `ended` tells which of them it was. */
  readonly ready: Promise<undefined>;
  readonly ended: Promise<End>;
}

/** The workers of a node: as many as there should be, each replaced when it ends. */
export class WorkerPool {
  readonly #size: number;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #log: Logger;
  readonly #members = new Set<Member>();
  readonly #stopping = new AbortController();
  #hasServed = false;
  #shortLives = 0;
  #restartAt = 0;

  /** The variables are given to the workers beside those of this process, and go before them. */
  constructor(size: number, environment: Readonly<Record<string, string>>, log: Logger) {
    this.#size = size;
    this.#environment = environment;
    this.#log = log;
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.js', import.meta.url)), args: [] });
  }

  /**
   * Starts a worker whenever one is missing, one at a time. Once the first serves, the configuration is known to be good,
   * the schema up to date and the key made: all of that is done, told and refused once. Resolves to an exit code when
   * workers cannot start, and to nothing when the team was stopped.
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
        this.#log.error(`${failedStarts} workers in a row ended before they could serve: stopping.`);
        return failed.code ?? 1;
      }
      await this.#untilOneIsMissing();
      await pause(Math.max(this.#restartAt - performance.now(), 0), undefined, { signal }).catch(() => {});
    }
    return undefined;
  }

  /** Lets every worker finish what runs, for so long. Resolves to whether all of them did. */
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
    const worker = cluster.fork({ ...this.#environment, ...(sends ? {} : leaveSendingToOthers) });
    const ready = new Promise<undefined>((resolve) => worker.once('message', () => resolve(undefined)));
    const ended = new Promise<End>((resolve) => {
      worker.once('exit', (code, signal) => resolve({ code, signal }));
      // A process that could not be made has no exit; any other error is followed by one.
      worker.on('error', () => worker.process.pid ?? resolve({ code: 1, signal: null }));
    });
    const online = new Promise<void>((resolve) => worker.once('online', () => resolve()));
    const member = { worker, sends, startedAt: performance.now(), online, ready, ended };
    this.#members.add(member);
    void ended.then((end) => this.#onEnd(member, end));
    return member;
  }

  #onEnd(member: Member, { code, signal }: End): void {
    this.#members.delete(member);
    if (this.#stopping.signal.aborted) return;
    const now = performance.now();
    this.#shortLives = now - member.startedAt < longLifeMs ? this.#shortLives + 1 : 0;
    this.#restartAt = now + restartPause(this.#shortLives);
    // A service that is refused at its start has said why, and that is all there is to say.
    if (!this.#hasServed && code) return;
    this.#log.warn(`Worker ${member.worker.process.pid} ended (${signal ?? `exit code ${code}`}).`);
  }

  async #untilOneIsMissing(): Promise<void> {
    if (this.#members.size === this.#size) this.#log.info(`All ${this.#size} workers serve.`);
    while (this.#members.size === this.#size) {
      await Promise.race([...this.#members].map(({ ended }) => ended));
    }
  }
}

/** Before it is online a worker has something to say to us, and would break over a channel that is closed. */
async function disconnect({ worker, online, ended }: Member): Promise<void> {
  await Promise.race([online, ended]);
  if (worker.isConnected()) worker.process.disconnect();
}

/** None for the first; then it doubles, so that workers that die again and again take little from those that serve. */
function restartPause(shortLives: number): number {
  return shortLives === 0 ? 0 : Math.min(restartPauseMs * 2 ** (shortLives - 1), restartPauseMaxMs);
}

/** A signal ends only a worker that does not handle it yet, and so has nothing running. */
function isClean({ code, signal }: End): boolean {
  return code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';
}
