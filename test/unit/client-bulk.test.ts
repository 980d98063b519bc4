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

describe('a list is cut into calls', () => {
  test('none is lost or moved, each call is within its limits, and none could have had one item more', async () => {
    const item = fc.record({ name: fc.string({ unit: 'binary', maxLength: 40 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 60 }),
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
            // One byte of grace: every item is counted with its comma.
            expect(isFull || bodyBytes([...slice.items, next]) >= bytesPerCall).toBe(true);
          }
        },
      ),
    );
  });

  test('an item that is too large for any call is named before it is sent', async () => {
    const items = [{ name: 'a' }, { name: 'b'.repeat(100) }];
    await expect(slicesOf(items, 10, 60)).rejects.toThrow('The item at position 1 is too large');
  });

  test('an empty list is no call', async () => {
    expect(await slicesOf([], 10, 100)).toEqual([]);
  });
});
