import { deleteOldAccessEvents } from '../../storage/access/access-events.js';
import { deleteOldRequestCounts } from '../../storage/access/request-counts.js';
import { deleteExpiredRevokedTokens } from '../../storage/access/revoked-tokens.js';
import { deleteExpiredSessions } from '../../storage/access/sessions.js';
import { deleteOldGuards } from '../../storage/access/sign-in-guards.js';
import { deleteRetiredSigningKeys } from '../../storage/access/signing-keys.js';
import { deleteOldCalls } from '../../storage/changes/calls.js';
import { pruneChanges } from '../../storage/changes/changes.js';
import { deleteOldKeys } from '../../storage/changes/idempotency-keys.js';
import { vacuum } from '../../storage/database.js';
import { deleteOldDeliveries } from '../../storage/delivery/deliveries.js';
import { deleteExpiredWebhookSecrets } from '../../storage/delivery/webhooks.js';
import { guardsForgottenSeconds } from '../access/sign-in-guard.js';
import { retiredKeySeconds } from '../access/signing-keys.js';
import type { Context } from '../context.js';

/** For how many days things are kept. */
export interface KeptDays {
  readonly accessEventsDays: number;
  readonly changesDays: number;
}

/** Removes what has ended. Several nodes may do it at the same time: each row goes once. */
export async function tidyUp(
  { database, limits }: Pick<Context, 'database' | 'limits'>,
  kept: KeptDays,
): Promise<void> {
  const { kind, pool } = database;
  await deleteExpiredSessions(pool);
  await deleteExpiredRevokedTokens(pool);
  await deleteOldGuards(pool, guardsForgottenSeconds);
  await deleteOldRequestCounts(pool);
  await deleteRetiredSigningKeys(pool, retiredKeySeconds);
  await deleteOldDeliveries(pool, kept.accessEventsDays);
  await deleteOldAccessEvents(pool, kept.accessEventsDays);
  await deleteExpiredWebhookSecrets(pool);
  await deleteOldKeys(pool, limits.idempotencyKeyHours);
  while (await pruneChanges(pool, kept.changesDays));
  // Twice as long as its changes a call can still say that it is too old to be undone.
  await deleteOldCalls(pool, 2 * kept.changesDays);
  // PostgreSQL sees to its tables by itself; the embedded one has no process beside it that would.
  if (kind === 'embedded') await vacuum(pool);
}
