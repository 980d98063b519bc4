import { transaction } from '../../storage/database.js';
import { releaseDeliveries as release } from '../../storage/delivery/deliveries.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { isSerial } from '../serial.js';

export interface HeldDeliveries {
  readonly requestId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Releases held deliveries: all, or selected ones. Returns their number. */
export async function releaseDeliveries(
  { database }: Context,
  { requestId, ids }: HeldDeliveries,
  caller: Caller,
): Promise<number> {
  return transaction(database, async (tx) => {
    const released = await release(tx, { requestId, ids: ids?.filter(isSerial) });
    if (released > 0) await recordAccess(tx, 'deliveries.released', caller, { detail: { released } });
    return released;
  });
}
