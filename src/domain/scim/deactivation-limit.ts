import { type Failure, failure } from '../../contract/errors.js';
import { scimLimits } from '../../contract/limits.js';
import { deactivationLimit, defaultSettings } from '../../scim/provider-settings.js';
import type { Executor } from '../../storage/database.js';
import { countDeactivations, insertDeactivations } from '../../storage/scim/deactivations.js';
import { lockProvider } from '../../storage/scim/providers.js';

const hours = scimLimits.deactivationWindowHours;

/**
 * Counts deactivations of a provider, or returns why it may not make as many. Runs within the transaction that makes them,
 * after it has locked its users, so that locks are always taken in this order. The provider stays locked until the end:
 * concurrent requests can't exceed the limit together, and what is rolled back doesn't count.
 */
export async function admitDeactivations(
  tx: Executor,
  clientId: string,
  count: number,
): Promise<Failure | undefined> {
  if (count === 0) return undefined;
  const { deactivated, limit, exceeded } = await deactivationFacts(tx, clientId);
  if (deactivated + count > limit) return exceeded(count);
  await insertDeactivations(tx, clientId, count);
  return undefined;
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
