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
  { itemsPerCall, bytesPerCall }: CutLimits,
): AsyncGenerator<Slice<T>, void, void> {
  let first = 0;
  let slice: T[] = [];
  let bytes = envelopeBytes;
  for await (const item of items) {
    const itemBytes = encoder.encode(JSON.stringify(item) ?? 'null').length + 1; // and a comma
    if (envelopeBytes + itemBytes > bytesPerCall) {
      throw new RangeError(
        `The item at position ${first + slice.length} is too large for a call of its own.`,
      );
    }
    if (slice.length === itemsPerCall || bytes + itemBytes > bytesPerCall) {
      yield { first, items: slice, isLast: false };
      first += slice.length;
      slice = [];
      bytes = envelopeBytes;
    }
    slice.push(item);
    bytes += itemBytes;
  }
  if (slice.length > 0) yield { first, items: slice, isLast: true };
}
