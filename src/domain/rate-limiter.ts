/** Requests are counted by the minute. */
export const windowMs = 60_000;

/** So many callers are counted at a time; of more, those who came first are forgotten. */
const keysMax = 100_000;

/** A caller is told to other nodes once it has used this share of what it may: most never do. */
const sharedFrom = 0.05;

/** What is left of a limit after a request. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Counted {
  readonly max: number;
  /** Of all nodes, as far as it is known here. */
  total: number;
  /** Of this node, not told to the others yet. */
  untold: number;
}

export interface CountToShare {
  readonly key: string;
  readonly added: number;
}

/**
 * Counts requests by key within the current minute. It is exact for one process; what others counted is added as it becomes
 * known, so that a request never waits for the database.
 */
export class RateLimiter {
  #window = 0;
  #counts = new Map<string, Counted>();

  /** Counts a request, unless it is one too many. A limit of 0 is none. */
  take(key: string, max: number, nowMs: number): Allowance | undefined {
    if (max === 0) return undefined;
    const counted = this.#counted(key, max, nowMs);
    const isAllowed = counted.total < max;
    if (isAllowed) {
      counted.total++;
      counted.untold++;
    }
    return allowance(isAllowed, max, counted.total, nowMs);
  }

  /** What a request would be told, without counting it. */
  look(key: string, max: number, nowMs: number): Allowance | undefined {
    if (max === 0 || windowOf(nowMs) !== this.#window) return undefined;
    const total = this.#counts.get(key)?.total ?? 0;
    return allowance(total < max, max, total, nowMs);
  }

  /** What other nodes should know, and the minute it belongs to. It counts as told. */
  takeUntold(nowMs: number): { readonly window: number; readonly counts: readonly CountToShare[] } {
    const window = windowOf(nowMs);
    const counts: CountToShare[] = [];
    if (window === this.#window) {
      for (const [key, counted] of this.#counts) {
        if (counted.untold === 0 || counted.total < counted.max * sharedFrom) continue;
        counts.push({ key, added: counted.untold });
        counted.untold = 0;
      }
    }
    return { window, counts };
  }

  /** What all nodes together have counted of a key up to now, with all that this one has told. */
  learn(window: number, key: string, total: number): void {
    const counted = window === this.#window ? this.#counts.get(key) : undefined;
    if (counted) counted.total = total + counted.untold;
  }

  /** Nobody was told after all. */
  takeBack(window: number, counts: readonly CountToShare[]): void {
    if (window !== this.#window) return;
    for (const { key, added } of counts) {
      const counted = this.#counts.get(key);
      if (counted) counted.untold += added;
    }
  }

  #counted(key: string, max: number, nowMs: number): Counted {
    const window = windowOf(nowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    const known = this.#counts.get(key);
    if (known) return known;
    if (this.#counts.size >= keysMax) {
      const [oldest] = this.#counts.keys();
      if (oldest !== undefined) this.#counts.delete(oldest);
    }
    const counted = { max, total: 0, untold: 0 };
    this.#counts.set(key, counted);
    return counted;
  }
}

function windowOf(nowMs: number): number {
  return Math.floor(nowMs / windowMs);
}

function allowance(isAllowed: boolean, limit: number, total: number, nowMs: number): Allowance {
  const resetSeconds = Math.ceil((windowMs - (nowMs % windowMs)) / 1_000);
  return { isAllowed, limit, remaining: Math.max(limit - total, 0), resetSeconds };
}
