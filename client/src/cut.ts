export interface CutLimits {
  readonly itemsPerCall: number;
  readonly bytesPerCall: number;
}

/** The items of one call. */
export interface Slice<T> {
  /** Index of the first item in the whole list. */
  readonly first: number;
  readonly items: T[];
  readonly isLast: boolean;
}

const encoder = new TextEncoder();
const envelopeBytes = '{"items":[]}'.length;

/** Splits a list into calls, reading at most one item ahead. The same list is always split the same way. */
export async function* cut<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limits: CutLimits,
): AsyncGenerator<Slice<T>, void, void> {
  const cutter = new Cutter<T>(limits);
  // Awaiting items that are already there would take longer than splitting them.
  if (Symbol.iterator in items) {
    for (const item of items) if (!cutter.fits(item)) yield cutter.take(false);
  } else {
    for await (const item of items) if (!cutter.fits(item)) yield cutter.take(false);
  }
  if (cutter.isBegun) yield cutter.take(true);
}

/** Collects the items of one call. The first one that does not fit starts the next. */
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

/** Most strings are ASCII, with one byte per character. */
function bytesOf(text: string): number {
  return /[^\0-\x7f]/.test(text) ? encoder.encode(text).length : text.length;
}
