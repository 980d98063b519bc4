import { own } from '../../scim/language/json.js';
import { type Database, transaction } from '../../storage/database.js';
import {
  endComparison,
  recordCompared,
  runningComparison,
  usersCompared,
} from '../../storage/provisioning/comparisons.js';
import type { ClaimedTarget } from '../../storage/provisioning/target-claims.js';
import { isSerial } from '../serial.js';
import { compareUsers } from './compare-users.js';
import type { PushOutcome } from './next-pushes.js';
import { prepareUsers } from './prepare-users.js';
import { type Ask, isAboutTarget, remoteIdIn, resourcesIn } from './target-client.js';

const pageSize = 100;

/**
 * Compares the next page of a target with our users. One that the target does not deliver ends the comparison, unless the
 * target fails as a whole, and is tried again later.
 */
export async function compareNextPage(
  database: Database,
  target: ClaimedTarget,
  ask: Ask,
): Promise<PushOutcome | 'nothing'> {
  const comparison = await runningComparison(database.pool, target);
  if (!comparison) return 'nothing';
  const { compared, total: totalBefore } = comparison;
  const path = `/Users?startIndex=${compared + 1}&count=${pageSize}`;
  const answer = await ask({ method: 'GET', path });
  const there = answer.ok ? resourcesIn(answer.body) : undefined;
  if (!answer.ok || !there) {
    const failure = answer.ok
      ? ({ ok: false, error: 'invalidResponse', status: answer.status } as const)
      : answer;
    if (failure.error !== 'stopped' && !isAboutTarget(failure)) {
      const { error } = failure;
      await transaction(database, (tx) =>
        endComparison(tx, target, comparison, error as Exclude<typeof error, 'stopped'>),
      );
    }
    return failure;
  }
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
    if (there.length === 0 || compared + there.length >= total)
      await endComparison(tx, target, comparison, null);
  });
  return { ok: true };
}

/** More users than any service has: a target that has no end is not followed there. */
const totalMax = 5_000_000;
