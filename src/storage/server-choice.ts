import type { SessionTarget } from '../contract/database-url.js';

/**
 * Decides which of several servers the next connection goes to: the last one that worked, or after a failure the next
 * in the list.
 */
export class ServerChoice {
  readonly target: SessionTarget;
  readonly #urls: readonly string[];
  #at = 0;
  #readOnlyReports = 0;

  constructor(urls: readonly string[], target: SessionTarget) {
    this.#urls = urls;
    this.target = target;
  }

  get count(): number {
    return this.#urls.length;
  }

  get current(): string {
    return this.#urls[this.#at] as string; // #at is always an index
  }

  /** Several connections may fail at the same time: only the first of them moves on. */
  failed(url: string): void {
    if (url === this.current) this.#at = (this.#at + 1) % this.count;
  }

  worked(url: string): void {
    this.#at = this.#urls.indexOf(url);
  }

  /** A connection opened now is stale once a later statement is refused because its server is read-only. */
  get generation(): number {
    return this.#readOnlyReports;
  }

  /** A server that was the primary no longer is, so connections opened before now may lead to it. */
  becameReadOnly(): void {
    this.#readOnlyReports++;
  }
}
