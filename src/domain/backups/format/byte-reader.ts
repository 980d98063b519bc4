/** Reads exact numbers of bytes from a stream of chunks. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Fewer at the end of the stream. */
  async read(length: number): Promise<Buffer> {
    const parts = [this.#buffered];
    let available = this.#buffered.length;
    while (available < length) {
      const { done, value } = await this.#chunks.next();
      if (done) break;
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.length));
      available += value.length;
    }
    const all = parts.length === 1 ? this.#buffered : Buffer.concat(parts);
    this.#buffered = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Up to and including the next line end; undefined if there is none within the length. */
  async readLine(lengthMax: number): Promise<Buffer | undefined> {
    for (let length = 1_024; ; length *= 2) {
      const start = await this.read(Math.min(length, lengthMax));
      this.#buffered = Buffer.concat([start, this.#buffered]);
      const end = start.indexOf(0x0a);
      if (end >= 0) return this.read(end + 1);
      if (start.length < length) return undefined;
    }
  }

  /** Ends the stream early. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
