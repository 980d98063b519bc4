import type { Schemas } from '@rollcall/client';
import { rollcall } from '../../session/api.js';

type Delivery = Pick<Schemas['Delivery'], 'heldReason'>;

const pageLimit = 200;
/** More is not worth the wait. */
const pagesMax = 50;

/** How many messages a release sends; undefined if there are too many to count. */
export async function countHeld(
  requestId: string | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  const query = { state: 'held' as const, requestId, limit: pageLimit };
  return countReleasable(rollcall.pages('listDeliveries', { query, signal }), pagesMax);
}

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
