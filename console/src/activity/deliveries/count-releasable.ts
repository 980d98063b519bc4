import type { Schemas } from '@rollcall/client';

type Delivery = Pick<Schemas['Delivery'], 'heldReason'>;

/** Messages held because of a new address are released one by one. */
export async function countReleasable(
  pages: AsyncIterable<{ readonly items: readonly Delivery[] }>,
  max: number,
): Promise<number | undefined> {
  let [count, read] = [0, 0];
  for await (const { items } of pages) {
    if (read++ === max) return undefined;
    count += items.filter(({ heldReason }) => heldReason === 'requested').length;
  }
  return count;
}
