import { own } from '../../scim/language/json.js';
import { type Database, transaction } from '../../storage/database.js';
import {
  endComparison,
  endUsers,
  type RunningComparison,
  recordCompared,
  runningComparison,
  usersCompared,
} from '../../storage/provisioning/comparisons.js';
import type { ClaimedTarget } from '../../storage/provisioning/target-claims.js';
import { isSerial } from '../serial.js';
import { compareNextGroups } from './compare-next-groups.js';
import { compareUsers } from './compare-users.js';
import type { PushOutcome } from './next-pushes.js';
import { prepareUsers } from './prepare-users.js';
import { type Ask, isAboutTarget, remoteIdIn, resourcesIn } from './target-client.js';

const pageSize = 100;

/**
 * Compares the next page of a target with our users, or else the next groups. What the target does not deliver ends the
 * comparison, unless the target fails as a whole, and is tried again later.
 */
export async function compareNextPage(
  database: Database,
  target: ClaimedTarget,
  ask: Ask,
): Promise<PushOutcome | 'nothing'> {
  const comparison = await runningComparison(database.pool, target);
  if (!comparison) return 'nothing';
  const outcome = comparison.hasAllUsers
    ? await compareNextGroups(database, target, ask, comparison)
    : await compareNextUsers(database, target, ask, comparison);
  if (!outcome.ok && outcome.error !== 'stopped' && !isAboutTarget(outcome)) {
    const { error } = outcome;
    await transaction(database, (tx) => endComparison(tx, target, comparison, error));
  }
  return outcome;
}

async function compareNextUsers(
  database: Database,
  target: ClaimedTarget,
  ask: Ask,
  comparison: RunningComparison,
): Promise<PushOutcome> {
  const { compared, total: totalBefore } = comparison;
  const path = `/Users?startIndex=${compared + 1}&count=${pageSize}`;
  const answer = await ask({ method: 'GET', path });
  const there = answer.ok ? resourcesIn(answer.body) : undefined;
  if (!answer.ok) return answer;
  if (!there) return { ok: false, error: 'invalidResponse', status: answer.status };
  const claimed = answer.body && own(answer.body, 'totalResults');
  const total =
    totalBefore ?? (Number.isSafeInteger(claimed) ? Math.min(Number(claimed), totalMax) : there.length);
  const known = await usersCompared(
    database.pool,
    target,
    there.flatMap((each) => remoteIdIn(each) ?? []),
    there.map((each) => String(own(each, 'externalId'))).filter(isSerial),
  );
  const prepared = await prepareUsers(database.pool, target, known);
  const wanted = new Map([...prepared].map(([serial, { resource }]) => [serial, resource]));
  const { seen, differences } = compareUsers(there, known, wanted);
  await transaction(database, async (tx) => {
    await recordCompared(tx, target, comparison, { count: there.length, total, seen, differences });
    if (there.length > 0 && compared + there.length < total) return;
    await endUsers(tx, target, comparison);
    if (!target.sendsGroups) await endComparison(tx, target, comparison, null);
  });
  return { ok: true };
}

/** More users than any service has: a target that has no end is not followed there. */
const totalMax = 5_000_000;
