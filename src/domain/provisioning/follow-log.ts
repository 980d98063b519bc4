import { prunedTo } from '../../storage/changes/change-feed.js';
import { transaction } from '../../storage/database.js';
import type { ClaimedTarget } from '../../storage/provisioning/target-claims.js';
import { queueChanged, queueNextOfSync } from '../../storage/provisioning/target-queue.js';
import { isSyncing, restartSync } from '../../storage/provisioning/targets.js';
import type { ChangeContext } from '../changes/follower.js';

/** Numbers of the log that one transaction covers. */
const numbersAtOnce = 2_000;
const usersAtOnce = 500;

/** Queues whoever has changed, and the next users of a full sync. */
export async function followLog(
  { database, changes }: ChangeContext,
  target: Pick<ClaimedTarget, 'id' | 'claim'> & { position: number },
): Promise<{ readonly isSyncing: boolean }> {
  const { settled } = changes;
  // What the log no longer has can be anything.
  if (target.position < settled && target.position < (await prunedTo(database.pool))) {
    await restartSync(database.pool, target.id, settled);
    target.position = settled;
  }
  if (target.position < settled) {
    const upTo = Math.min(settled, target.position + numbersAtOnce);
    await transaction(database, (tx) => queueChanged(tx, target, target.position, upTo));
    target.position = upTo;
  }
  const isOn = await isSyncing(database.pool, target.id);
  if (isOn) await transaction(database, (tx) => queueNextOfSync(tx, target, usersAtOnce));
  return { isSyncing: isOn || target.position < settled };
}
