import { type Failure, failure } from '../../contract/errors.js';
import { scimLimits } from '../../contract/limits.js';
import { deactivationLimit, defaultSettings } from '../../scim/provider-settings.js';
import type { Executor } from '../../storage/database.js';
import { countDeactivations, insertDeactivations } from '../../storage/scim/deactivations.js';
import { claimLimitNotice, lockProvider } from '../../storage/scim/providers.js';
import { type NoticeContext, queueNotice } from '../notices/notices.js';

const hours = scimLimits.deactivationWindowHours;

/**
 * Counts deactivations of a provider, or returns why it may not make as many. Runs within the transaction that makes them,
 * after it has locked its users, so that locks are always taken in this order. The provider stays locked until the end:
 * concurrent requests can't exceed the limit together, and what is rolled back doesn't count.
 */
export async function admitDeactivations(
  context: NoticeContext,
  tx: Executor,
  clientId: string,
  count: number,
): Promise<Failure | undefined> {
  if (count === 0) return undefined;
  const facts = await deactivationFacts(tx, clientId);
  if (facts.deactivated + count > facts.limit) return facts.exceeded(count);
  await recordDeactivations(context, tx, clientId, count, facts);
  return undefined;
}

/** Administrators are told when the limit is reached. */
export async function recordDeactivations(
  context: NoticeContext,
  tx: Executor,
  clientId: string,
  count: number,
  { deactivated, limit }: DeactivationFacts,
): Promise<void> {
  await insertDeactivations(tx, clientId, count);
  if (deactivated + count < limit) return;
  const name = await claimLimitNotice(tx, clientId, hours);
  if (name === undefined) return;
  const facts = { provider: { clientId, name }, limit };
  await queueNotice(context, tx, { topic: 'scimDeactivationLimit', facts });
}

export interface DeactivationFacts {
  readonly deactivated: number;
  /** Infinity if there is none. */
  readonly limit: number;
  /** Why a request may not deactivate so many, once it has deactivated others. */
  exceeded(count: number, others?: number): Failure;
}

/** How many users a provider may deactivate. It stays locked until the end of the transaction. */
export async function deactivationFacts(tx: Executor, clientId: string): Promise<DeactivationFacts> {
  const { percent, allowedMore } = await lockProvider(tx, defaultSettings(clientId));
  const { deactivated: before, activeUsers } = await countDeactivations(tx, clientId);
  const limit = deactivationLimit({ activeUsers, percent, allowedMore });
  return {
    deactivated: before,
    limit: limit ?? Number.POSITIVE_INFINITY,
    exceeded: (count, others = 0) => {
      const deactivated = before + others;
      return failure(
        'SCIM_DEACTIVATION_LIMIT',
        `This provider has deactivated ${deactivated} users within ${hours} hours, and ${count} more would exceed its limit of ${limit} (${percent}% of ${activeUsers} active users, but at least ${scimLimits.deactivationsFew}). Nothing was changed. If it is meant to, an administrator allows more, under Settings > Provisioning or with "rollcall scim allow ${clientId} --count ${count}".`,
        { requested: count, deactivated, limit: limit ?? 0, activeUsers },
      );
    },
  };
}
