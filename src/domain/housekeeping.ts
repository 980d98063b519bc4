import { deleteOldAccessEvents } from '../storage/access-events.js';
import { type Database, vacuum } from '../storage/database.js';
import { deleteOldDeliveries } from '../storage/deliveries.js';
import { deleteExpiredSessions } from '../storage/sessions.js';
import { deleteOldGuards } from '../storage/sign-in-guards.js';
import { deleteRetiredSigningKeys } from '../storage/signing-keys.js';
import { guardsForgottenSeconds } from './access/sign-in-guard.js';
import { retiredKeySeconds } from './access/signing-keys.js';

/** Removes what has ended. Several nodes may do it at the same time: each row goes once. */
export async function tidyUp({ kind, pool }: Database, keptDays: number): Promise<void> {
  await deleteExpiredSessions(pool);
  await deleteOldGuards(pool, guardsForgottenSeconds);
  await deleteRetiredSigningKeys(pool, retiredKeySeconds);
  await deleteOldDeliveries(pool, keptDays);
  await deleteOldAccessEvents(pool, keptDays);
  // PostgreSQL sees to its tables by itself; the embedded one has no process beside it that would.
  if (kind === 'embedded') await vacuum(pool);
}
