import { v7 } from 'uuid';
import { scimTargetLimits } from '../../contract/limits.js';
import { isObject, type JsonObject, own } from '../../scim/language/json.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { displayNamesOf } from '../../storage/directories/entry-names.js';
import {
  countMembers,
  endComparison,
  groupsToCompare,
  type RunningComparison,
  recordComparedGroup,
  recordMembersThere,
} from '../../storage/provisioning/comparisons.js';
import type { ClaimedTarget } from '../../storage/provisioning/target-claims.js';
import type { PushOutcome } from './next-pushes.js';
import type { Ask } from './target-client.js';

const groupsAtOnce = 10;

/** Groups that are unknown here are the target's own business. */
export async function compareNextGroups(
  database: Database,
  target: ClaimedTarget,
  ask: Ask,
  comparison: RunningComparison,
): Promise<PushOutcome> {
  const groups = await groupsToCompare(database.pool, target, comparison, groupsAtOnce);
  const serials = groups.map(({ serial }) => serial);
  const names = await displayNamesOf(database.pool, 'tags', serials);
  for (const group of groups) {
    const { serial, remoteId } = group;
    const there = await ask({ method: 'GET', path: `/Groups/${encodeURIComponent(remoteId)}` });
    if (!there.ok && there.error !== 'notFound') return there;
    const displayName = names.get(serial) ?? serial;
    await transaction(database, async (tx) => {
      const difference = there.ok
        ? await differenceOf(tx, target, { serial, displayName }, there.body ?? {})
        : ({ id: v7(), kind: 'missing', fields: [] } as const);
      await recordComparedGroup(tx, target, comparison, group, difference);
    });
  }
  if (groups.length < groupsAtOnce) {
    await transaction(database, (tx) => endComparison(tx, target, comparison, null));
  }
  return { ok: true };
}

async function differenceOf(
  tx: Executor,
  target: ClaimedTarget,
  { serial, displayName }: { readonly serial: string; readonly displayName: string },
  there: JsonObject,
) {
  const isSmall = (await countMembers(tx, target, serial)) <= scimTargetLimits.membersComparedMax;
  const fields = [
    ...(own(there, 'displayName') === displayName ? [] : ['displayName']),
    ...(isSmall && (await recordMembersThere(tx, target, serial, memberIds(there))) ? ['members'] : []),
  ];
  return fields.length === 0 ? undefined : { id: v7(), kind: 'different' as const, fields };
}

function memberIds(group: JsonObject): string[] {
  const members = own(group, 'members');
  const listed = Array.isArray(members) ? members.filter(isObject) : [];
  return listed.map((member) => own(member, 'value')).filter((value) => typeof value === 'string');
}
