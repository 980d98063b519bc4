const bytesAtFirst = 1_024;

/** Numbers of rows, in a bit each: a file may have a million. */
export class RowSet {
  #bits = new Uint8Array(bytesAtFirst);

  add(row: number): void {
    const at = row >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(2 * at);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (row & 7));
  }

  has(row: number): boolean {
    return ((this.#bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  }
}
