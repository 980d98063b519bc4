/** Requests are counted per minute. */
export const windowMs = 60_000;

/** How many callers are counted at once. Beyond that, the oldest are dropped. */
const keysMax = 100_000;

/** A caller's count is shared with other nodes once it has used this share of its limit; most never do. */
const sharedFrom = 0.05;

/** What is left of a limit after a request. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface RequestCount {
  readonly max: number;
  /** Across all nodes, as far as known here. */
  total: number;
  /** Counted by this node and not shared yet. */
  unshared: number;
}

export interface CountToShare {
  readonly key: string;
  readonly added: number;
}

/**
 * Counts requests by key within the current minute. Counts are exact within one process. Those of other nodes are added
 * as they become known, so a request never waits for the database.
 */
export class RateLimiter {
  #window = 0;
  #counts = new Map<string, RequestCount>();

  /** Counts a request unless it exceeds the limit. A limit of 0 means no limit. */
  take(key: string, max: number, nowMs: number): Allowance | undefined {
    if (max === 0) return undefined;
    const counted = this.#counted(key, max, nowMs);
    const isAllowed = counted.total < max;
    if (isAllowed) {
      counted.total++;
      counted.unshared++;
    }
    return allowance(isAllowed, max, counted.total, nowMs);
  }

  /** The allowance of a request without counting it. */
  peek(key: string, max: number, nowMs: number): Allowance | undefined {
    if (max === 0 || windowOf(nowMs) !== this.#window) return undefined;
    const total = this.#counts.get(key)?.total ?? 0;
    return allowance(total < max, max, total, nowMs);
  }

  /** The counts that other nodes should know, with their minute. They are considered shared from now on. */
  takeUnshared(nowMs: number): { readonly window: number; readonly counts: readonly CountToShare[] } {
    const window = windowOf(nowMs);
    const counts: CountToShare[] = [];
    if (window === this.#window) {
      for (const [key, counted] of this.#counts) {
        if (counted.unshared === 0 || counted.total < counted.max * sharedFrom) continue;
        counts.push({ key, added: counted.unshared });
        counted.unshared = 0;
      }
    }
    return { window, counts };
  }

  /** The total of all nodes for a key, including everything this node has shared. */
  setTotal(window: number, key: string, total: number): void {
    const counted = window === this.#window ? this.#counts.get(key) : undefined;
    if (counted) counted.total = total + counted.unshared;
  }

  /** Returns counts that could not be shared. */
  returnUnshared(window: number, counts: readonly CountToShare[]): void {
    if (window !== this.#window) return;
    for (const { key, added } of counts) {
      const counted = this.#counts.get(key);
      if (counted) counted.unshared += added;
    }
  }

  #counted(key: string, max: number, nowMs: number): RequestCount {
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
    const counted = { max, total: 0, unshared: 0 };
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
