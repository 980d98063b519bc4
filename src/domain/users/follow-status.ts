import type { Executor } from '../../storage/database.js';
import { wakeDeliveriesOf } from '../../storage/deliveries.js';
import { deleteSessionsOf } from '../../storage/sessions.js';
import type { StatusChanges } from './updates.js';

/** Access follows the status of users, in the same transaction: sessions end, and messages kept back go out. */
export async function followStatus(tx: Executor, { deactivated, activated }: StatusChanges): Promise<void> {
  if (deactivated.length > 0) await deleteSessionsOf(tx, deactivated);
  if (activated.length > 0) await wakeDeliveriesOf(tx, activated);
}
