/** Smaller bodies need so little memory that they are let in as they come. */
const largeBytes = 1024 * 1024;

/**
 * Lets only so many bytes of large bodies be worked on at the same time; the rest waits in the order of arrival. What a
 * body needs while it is parsed, planned and reported is several times its size, and so does not add up without bound.
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
    await this.#enter(bytes);
    try {
      return await work();
    } finally {
      this.#leave(bytes);
    }
  }

  async #enter(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(bytes)) this.#bytes += bytes;
    else await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
  }

  #leave(bytes: number): void {
    this.#bytes -= bytes;
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#bytes += next.bytes;
      next.start();
    }
  }

  /** One alone always fits. */
  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#maxBytes;
  }
}
