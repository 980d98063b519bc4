import { deleteOldAccessEvents } from '../../storage/access/access-events.js';
import { deleteOldClientTokens } from '../../storage/access/client-tokens.js';
import { deleteExpiredRevokedTokens } from '../../storage/access/clients.js';
import { deleteExpiredChallenges } from '../../storage/access/factor-challenges.js';
import { deleteUnconfirmedApps } from '../../storage/access/factors.js';
import { deleteOldPasswordLinks } from '../../storage/access/password-links.js';
import { deleteOldProviderSignIns } from '../../storage/access/provider-sign-ins.js';
import { deleteOldRequestCounts } from '../../storage/access/request-counts.js';
import { deleteExpiredSessions } from '../../storage/access/sessions.js';
import { deleteOldGuards } from '../../storage/access/sign-in-guards.js';
import { deleteRetiredSigningKeys } from '../../storage/access/signing-keys.js';
import { deleteOldBackupRecords } from '../../storage/backups/records.js';
import { deleteOldCallItems } from '../../storage/changes/call-items.js';
import { deleteOldCalls } from '../../storage/changes/calls.js';
import { pruneChanges } from '../../storage/changes/changes.js';
import { deleteOldDirectoryEdits } from '../../storage/changes/directory-edits.js';
import { deleteOldKeys } from '../../storage/changes/idempotency-keys.js';
import { deleteUnrecordedCall, listUnrecordedCalls } from '../../storage/changes/planned-calls.js';
import { deleteOldPlannedItems } from '../../storage/changes/planned-items.js';
import { deleteOldConfirmations } from '../../storage/delivery/contact-confirmations.js';
import { deleteOldDeliveries } from '../../storage/delivery/deliveries.js';
import { deleteOldNotices } from '../../storage/delivery/notices.js';
import { deleteOldWebhookDeliveries } from '../../storage/delivery/webhook-deliveries.js';
import { deleteExpiredWebhookSecrets } from '../../storage/delivery/webhooks.js';
import { deleteOldErasedNames } from '../../storage/erasure/erased-users.js';
import { noteMentions } from '../../storage/erasure/stored-outcomes.js';
import { deleteOldFiles } from '../../storage/feeds/feed-files.js';
import { deleteAbandonedUploads, deleteOldFeedRuns } from '../../storage/feeds/feed-runs.js';
import { deleteOldFormerNames } from '../../storage/names/former-names.js';
import { deleteOldReleasedNames } from '../../storage/names/quarantined-names.js';
import { deleteExpiredApplicationSecrets } from '../../storage/openid/applications.js';
import { deleteExpiredStates, deleteForbiddenStates } from '../../storage/openid/states.js';
import { deleteOldDeactivations } from '../../storage/scim/deactivations.js';
import type { SessionLifetime } from '../access/sessions.js';
import { guardsForgottenSeconds } from '../access/sign-in-guard.js';
import { retiredKeySeconds } from '../access/signing-keys.js';
import type { LimitedDatabase } from '../database.js';
import { eraseInactive } from '../erasure/erase-user.js';
import { pruneOpenIdKeys } from '../openid/openid-keys.js';
import { signInMinutes } from '../sso/handshake.js';

/** Retention in days. */
export interface RetentionDays {
  readonly accessEventsDays: number;
  readonly changesDays: number;
  readonly feedFilesDays?: number;
  /** As long as access events unless given. */
  readonly deliveriesDays?: number | undefined;
  /** 0 means forever. */
  readonly formerNamesDays?: number;
  readonly employeeIdQuarantineDays?: number;
  readonly usernameQuarantineDays?: number;
  /** After so many days without access, users are erased; 0 means never. */
  readonly eraseInactiveDays?: number;
}

/** Storing a planned call takes some seconds, and receiving a file some hours at most. */
const preparingHoursMax = 24;

/** Deletes expired data. Safe to run on several nodes at once. */
export async function runHousekeeping(
  { database, limits, sessionIdleSeconds }: LimitedDatabase & Pick<SessionLifetime, 'sessionIdleSeconds'>,
  kept: RetentionDays,
): Promise<void> {
  const { pool } = database;
  await deleteExpiredSessions(pool, sessionIdleSeconds);
  await deleteExpiredRevokedTokens(pool);
  await deleteExpiredChallenges(pool);
  await deleteUnconfirmedApps(pool);
  await deleteOldConfirmations(pool);
  await deleteOldPasswordLinks(pool);
  await deleteOldProviderSignIns(pool, signInMinutes);
  await deleteForbiddenStates(pool);
  while (await deleteExpiredStates(pool));
  await deleteExpiredApplicationSecrets(pool);
  await pruneOpenIdKeys(database);
  await deleteOldGuards(pool, guardsForgottenSeconds);
  await deleteOldRequestCounts(pool);
  await deleteRetiredSigningKeys(pool, retiredKeySeconds);
  const messagesDays = kept.deliveriesDays ?? kept.accessEventsDays;
  while (await deleteOldDeliveries(pool, messagesDays));
  while (await deleteOldNotices(pool, messagesDays));
  while (await deleteOldWebhookDeliveries(pool));
  while (await deleteOldAccessEvents(pool, kept.accessEventsDays));
  while (await deleteOldClientTokens(pool, kept.accessEventsDays));
  while (await deleteOldDeactivations(pool));
  while (await deleteOldBackupRecords(pool, kept.accessEventsDays));
  await deleteExpiredWebhookSecrets(pool);
  while (await deleteOldKeys(pool, limits.idempotencyKeyHours));
  // A request that planned a call gets the preview again as long as its key is kept.
  const planned = { hours: limits.idempotencyKeyHours + 1, rejectedDays: kept.changesDays };
  while (await deleteOldPlannedItems(pool, planned));
  while (await pruneChanges(pool, kept.changesDays));
  while (await deleteOldCallItems(pool, kept.changesDays));
  for (const id of await listUnrecordedCalls(pool, preparingHoursMax)) await deleteUnrecordedCall(pool, id);
  await deleteAbandonedUploads(pool, preparingHoursMax);
  while (await deleteOldFiles(pool, kept.feedFilesDays ?? 0));
  // Calls are kept twice as long as their changes, so that an undo can still answer that it is too late.
  while (await deleteOldCalls(pool, 2 * kept.changesDays));
  while (await deleteOldDirectoryEdits(pool, kept.changesDays));
  while (await deleteOldFeedRuns(pool, kept.changesDays));
  if (kept.formerNamesDays) {
    const days = Math.max(kept.formerNamesDays, kept.changesDays);
    while (await deleteOldFormerNames(pool, days));
  }
  const { employeeIdQuarantineDays = 0, usernameQuarantineDays = 0 } = kept;
  const quarantineDays = Math.max(employeeIdQuarantineDays, usernameQuarantineDays);
  await deleteOldErasedNames(pool, quarantineDays);
  if (quarantineDays <= kept.changesDays) await deleteOldReleasedNames(pool);
  while (await noteMentions(pool));
  if (kept.eraseInactiveDays) {
    while (await eraseInactive({ database, limits }, kept.eraseInactiveDays));
  }
}
