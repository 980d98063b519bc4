import { rollcall } from '../../session/api.js';
import { countReleasable } from './count-releasable.js';

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
