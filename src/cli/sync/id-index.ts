const entriesAtFirst = 1_024;
/** A slot that nobody has; entries count from 1 in the slots. */
const free = 0;

/**
 * Employee IDs, each with a number: exact, and in some 25 bytes each. A Map takes 200, and a file may have a million.
 */
export class IdIndex {
  #size = 0;
  /** The characters of all IDs, one behind the other; employee IDs are ASCII. */
  #characters = new Uint8Array(8 * entriesAtFirst);
  #ends = new Uint32Array(entriesAtFirst);
  #numbers = new Uint32Array(entriesAtFirst);
  #slots = new Uint32Array(2 * entriesAtFirst);

  get size(): number {
    return this.#size;
  }

  get(id: string): number | undefined {
    const entry = this.#slots[this.#slotOf(id)] as number;
    return entry === free ? undefined : this.#numbers[entry - 1];
  }

  has(id: string): boolean {
    return this.#slots[this.#slotOf(id)] !== free;
  }

  /** Keeps the first number that an ID was given, and gives that back if there is one. */
  add(id: string, number: number): number | undefined {
    const slot = this.#slotOf(id);
    const entry = this.#slots[slot] as number;
    if (entry !== free) return this.#numbers[entry - 1];
    this.#append(id, number);
    this.#slots[slot] = this.#size;
    if (this.#size * 2 > this.#slots.length) this.#spread();
    return undefined;
  }

  *[Symbol.iterator](): IterableIterator<readonly [id: string, number: number]> {
    for (let entry = 0; entry < this.#size; entry++) {
      yield [this.#idAt(entry), this.#numbers[entry] as number];
    }
  }

  #append(id: string, number: number): void {
    const begin = this.#size === 0 ? 0 : (this.#ends[this.#size - 1] as number);
    const end = begin + id.length;
    if (end > this.#characters.length) this.#characters = grown(this.#characters, end);
    for (let at = 0; at < id.length; at++) this.#characters[begin + at] = id.charCodeAt(at);
    if (this.#size === this.#ends.length) {
      this.#ends = grown(this.#ends);
      this.#numbers = grown(this.#numbers);
    }
    this.#ends[this.#size] = end;
    this.#numbers[this.#size] = number;
    this.#size++;
  }

  #idAt(entry: number): string {
    const begin = entry === 0 ? 0 : (this.#ends[entry - 1] as number);
    return String.fromCharCode(...this.#characters.subarray(begin, this.#ends[entry]));
  }

  #isAt(entry: number, id: string): boolean {
    const begin = entry === 0 ? 0 : (this.#ends[entry - 1] as number);
    if ((this.#ends[entry] as number) - begin !== id.length) return false;
    for (let at = 0; at < id.length; at++) {
      if (this.#characters[begin + at] !== id.charCodeAt(at)) return false;
    }
    return true;
  }

  /** The slot of an ID, or the free one where it would go. Half of the slots are free, so it is soon found. */
  #slotOf(id: string): number {
    const last = this.#slots.length - 1;
    for (let slot = hash(id) & last; ; slot = (slot + 1) & last) {
      const entry = this.#slots[slot] as number;
      if (entry === free || this.#isAt(entry - 1, id)) return slot;
    }
  }

  #spread(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let entry = 0; entry < this.#size; entry++) this.#slots[this.#slotOf(this.#idAt(entry))] = entry + 1;
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

function grown<T extends Uint8Array | Uint32Array>(array: T, least = 0): T {
  const longer = new (array.constructor as new (length: number) => T)(Math.max(2 * array.length, least));
  longer.set(array);
  return longer;
}
