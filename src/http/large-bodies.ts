/** Smaller bodies need so little memory that they are admitted immediately. */
export const largeBytes = 1024 * 1024;

/**
 * Limits how many bytes of large bodies are processed at the same time; the rest wait in order of arrival. Parsing,
 * planning and reporting a body takes several times its size in memory, which must not add up without bound.
 */
export class LargeBodies {
  readonly #maxBytes: number;
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes < largeBytes) return work();
    const leave = await this.enter(bytes);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Waits until the bytes fit. Returns what to call when they are gone. */
  async enter(bytes: number): Promise<() => void> {
    if (this.#waiting.length === 0 && this.#fits(bytes)) this.#bytes += bytes;
    else await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
    return () => this.#leave(bytes);
  }

  #leave(bytes: number): void {
    this.#bytes -= bytes;
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#bytes += next.bytes;
      next.start();
    }
  }

  /** A single body always fits. */
  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#maxBytes;
  }
}
