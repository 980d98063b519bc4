export interface CutLimits {
  readonly itemsPerCall: number;
  readonly bytesPerCall: number;
}

/** Items that go into one call. */
export interface Slice<T> {
  /** The position of the first in the whole list. */
  readonly first: number;
  readonly items: T[];
  readonly isLast: boolean;
}

const encoder = new TextEncoder();
const envelopeBytes = '{"items":[]}'.length;

/** Cuts a list into calls, reading no more of it than the next call and one item. The same list is cut the same way. */
export async function* cut<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limits: CutLimits,
): AsyncGenerator<Slice<T>, void, void> {
  const cutter = new Cutter<T>(limits);
  // Waiting for what is there already would take longer than the cutting.
  if (Symbol.iterator in items) {
    for (const item of items) if (!cutter.fits(item)) yield cutter.take(false);
  } else {
    for await (const item of items) if (!cutter.fits(item)) yield cutter.take(false);
  }
  if (cutter.isBegun) yield cutter.take(true);
}

/** Gathers items for one call; the one that was too many goes into the next. */
class Cutter<T> {
  readonly #limits: CutLimits;
  #first = 0;
  #items: T[] = [];
  #bytes = envelopeBytes;
  #tooMany: { readonly item: T; readonly bytes: number } | undefined;

  constructor(limits: CutLimits) {
    this.#limits = limits;
  }

  get isBegun(): boolean {
    return this.#items.length > 0;
  }

  fits(item: T): boolean {
    const { itemsPerCall, bytesPerCall } = this.#limits;
    const bytes = bytesOf(JSON.stringify(item) ?? 'null') + 1; // and a comma
    if (envelopeBytes + bytes > bytesPerCall) {
      const position = this.#first + this.#items.length;
      throw new RangeError(`The item at position ${position} is too large for a call of its own.`);
    }
    const isFull = this.#items.length === itemsPerCall || this.#bytes + bytes > bytesPerCall;
    if (isFull) this.#tooMany = { item, bytes };
    else this.#push(item, bytes);
    return !isFull;
  }

  take(isLast: boolean): Slice<T> {
    const slice = { first: this.#first, items: this.#items, isLast };
    this.#first += this.#items.length;
    this.#items = [];
    this.#bytes = envelopeBytes;
    const next = this.#tooMany;
    this.#tooMany = undefined;
    if (next) this.#push(next.item, next.bytes);
    return slice;
  }

  #push(item: T, bytes: number): void {
    this.#items.push(item);
    this.#bytes += bytes;
  }
}

/** Most texts are ASCII, where a character is a byte. */
function bytesOf(text: string): number {
  return /[^\0-\x7f]/.test(text) ? encoder.encode(text).length : text.length;
}
