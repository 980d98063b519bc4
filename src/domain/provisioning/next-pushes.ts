import { own } from '../../scim/language/json.js';
import { type Database, transaction } from '../../storage/database.js';
import { displayNamesOf } from '../../storage/directories/entry-names.js';
import { usersCompared } from '../../storage/provisioning/comparisons.js';
import type { ClaimedTarget } from '../../storage/provisioning/target-claims.js';
import {
  dueGroups,
  dueUsers,
  forgetUser,
  isKnownUser,
  type PushFailed,
  pendingMembers,
  type QueuedGroup,
  type QueuedUser,
  queueAgain,
  recordGroupFailed,
  recordGroupPushed,
  recordPushed,
  recordUserFailed,
  setRemoteGroup,
  setRemoteId,
} from '../../storage/provisioning/target-queue.js';
import { isSerial } from '../serial.js';
import { type PreparedUser, prepareUsers } from './prepare-users.js';
import { pushGroup } from './push-group.js';
import { pushUser } from './push-user.js';
import type { Ask, TargetFailure } from './target-client.js';

export type PushOutcome = { readonly ok: true } | TargetFailure;

/** A user or a group of the queue. */
export interface Push {
  readonly attempts: number;
  /** Records what has succeeded. */
  run(ask: Ask): Promise<PushOutcome>;
  recordFailed(failed: PushFailed): Promise<void>;
}

/** As they are now. Who changes from now on is queued again. */
export async function nextUsers(database: Database, target: ClaimedTarget, limit: number): Promise<Push[]> {
  const queued = await dueUsers(database.pool, target, limit);
  if (queued.length === 0) return [];
  const prepared = await prepareUsers(database.pool, target, queued);
  return queued.map((each) => ({
    attempts: each.attempts,
    run: (ask) => runUser(database, target, ask, each, prepared.get(each.serial)),
    recordFailed: (failed) => recordUserFailed(database.pool, target, each.serial, failed),
  }));
}

async function runUser(
  database: Database,
  target: ClaimedTarget,
  ask: Ask,
  queued: QueuedUser,
  prepared: PreparedUser | undefined,
): Promise<PushOutcome> {
  const { serial, changes, isSelected } = queued;
  const isKept = isSelected || target.onDeactivate === 'deactivate';
  const user = { ...queued, resource: isKept ? prepared?.resource : undefined };
  const pushed = await pushUser(ask, user, {
    remember: (remoteId) => transaction(database, (tx) => setRemoteId(tx, target, serial, remoteId)),
    isOther: async (other) =>
      other !== serial && isSerial(other) && (await isKnownUser(database.pool, other)),
    queueRenamed: (remoteId, userName) => queueRenamed(database, target, remoteId, userName),
  });
  if (!pushed.ok) return pushed;
  await transaction(database, async (tx) => {
    if (!prepared || !pushed.isThere) return forgetUser(tx, target, serial, changes);
    const { version, awaitedManager, tagSerials } = prepared;
    await recordPushed(tx, target, {
      ...{ serial, changes, version, awaitedManager },
      isActiveThere: isSelected,
      tagSerials: target.sendsGroups ? tagSerials : undefined,
    });
  });
  return { ok: true };
}

async function queueRenamed(
  database: Database,
  target: ClaimedTarget,
  remoteId: string,
  userName: string,
): Promise<string | undefined> {
  const [holder] = await usersCompared(database.pool, target, [remoteId], []);
  if (!holder) return undefined;
  const prepared = await prepareUsers(database.pool, target, [holder]);
  const wanted = prepared.get(holder.serial)?.resource;
  if (!wanted || String(own(wanted, 'userName')).toLowerCase() === userName.toLowerCase()) return undefined;
  await queueAgain(database.pool, target, [holder.serial]);
  return holder.serial;
}

/** Members per request. */
const membersAtOnce = 200;

export async function nextGroups(database: Database, target: ClaimedTarget, limit: number): Promise<Push[]> {
  if (!target.sendsGroups) return [];
  const queued = await dueGroups(database.pool, target, limit);
  const names = await displayNamesOf(
    database.pool,
    'tags',
    queued.map(({ serial }) => serial),
  );
  return queued.map((each) => ({
    attempts: each.attempts,
    run: (ask) => runGroup(database, target, ask, each, names.get(each.serial) ?? each.serial),
    recordFailed: (failed) => recordGroupFailed(database.pool, target, each.serial, failed),
  }));
}

async function runGroup(
  database: Database,
  target: ClaimedTarget,
  ask: Ask,
  queued: QueuedGroup,
  displayName: string,
): Promise<PushOutcome> {
  const { serial, remoteId } = queued;
  const members = await pendingMembers(database.pool, target, serial, membersAtOnce);
  const idsOf = (isWanted: boolean) =>
    members.filter((each) => each.isWanted === isWanted).map((each) => each.remoteId);
  const group = { serial, remoteId, displayName, added: idsOf(true), removed: idsOf(false) };
  const pushed = await pushGroup(ask, group, (id) =>
    transaction(database, (tx) => setRemoteGroup(tx, target, serial, id)),
  );
  if (!pushed.ok) return pushed;
  const isComplete = members.length < membersAtOnce;
  await transaction(database, (tx) => recordGroupPushed(tx, target, queued, members, isComplete));
  return { ok: true };
}
