import { BoundedMap } from '../bounded-map.js';

/** A last use is shown to the minute, so it is written once a minute, and soon after the first use. */
const notedEveryMs = 60_000;
const notedAfterMs = 1_000;
const rememberedMax = 10_000;

/** When tokens or clients were last used, written outside of requests. */
export class NotedUses {
  readonly #write: (ids: readonly string[]) => Promise<void>;
  readonly #notedAtMs = new BoundedMap<number>(rememberedMax);
  #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (ids: readonly string[]) => Promise<void>) {
    this.#write = write;
  }

  note(id: string): void {
    const now = Date.now();
    if (now - (this.#notedAtMs.get(id) ?? 0) < notedEveryMs) return;
    this.#notedAtMs.set(id, now);
    this.#waiting.add(id);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), notedAfterMs).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#waiting].sort();
    this.#waiting = new Set();
    if (ids.length > 0) await this.#write(ids);
  }
}
