import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, type Slice } from '../../client/src/cut.js';

async function slicesOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  itemsPerCall: number,
  bytesPerCall: number,
) {
  const slices: Slice<T>[] = [];
  for await (const slice of cut(items, { itemsPerCall, bytesPerCall })) slices.push(slice);
  return slices;
}

const bodyBytes = (items: readonly unknown[]) => Buffer.byteLength(JSON.stringify({ items }));

describe('splitting a list into calls', () => {
  test('keeps all items in order, stays within the limits, and fills each call as far as possible', async () => {
    const item = fc.record({ name: fc.string({ unit: 'binary', maxLength: 40 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 300, max: 900 }),
        async (items, itemsPerCall, bytesPerCall) => {
          const slices = await slicesOf(items, itemsPerCall, bytesPerCall);
          expect(slices.flatMap((slice) => slice.items)).toEqual(items);
          let first = 0;
          for (const [at, slice] of slices.entries()) {
            expect([slice.first, slice.isLast]).toEqual([first, at === slices.length - 1]);
            first += slice.items.length;
            expect(slice.items.length).toBeLessThanOrEqual(itemsPerCall);
            expect(bodyBytes(slice.items)).toBeLessThanOrEqual(bytesPerCall);
            const next = slices[at + 1]?.items[0];
            if (next === undefined) continue;
            const isFull = slice.items.length === itemsPerCall;
            // One byte of tolerance: every item is counted with a comma.
            expect(isFull || bodyBytes([...slice.items, next]) >= bytesPerCall).toBe(true);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('rejects an item that is too large for any call, before sending it', async () => {
    const items = [{ name: 'a' }, { name: 'b'.repeat(100) }];
    await expect(slicesOf(items, 10, 60)).rejects.toThrow('The item at position 1 is too large');
  });

  test('makes no call for an empty list', async () => {
    expect(await slicesOf([], 10, 100)).toEqual([]);
  });
});
