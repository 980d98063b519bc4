import { type LimitName, limitDefaults, type OperatorLimitName } from '../../contract/limits.js';
import { internal, type Setting, wholeNumber } from '../kinds.js';

const limitDescriptions: Readonly<Record<OperatorLimitName, string>> = {
  bulkItemsMax: 'Items per bulk call.',
  matchingUsersMax: 'Users that one call can update by a filter.',
  bulkBodyMaxBytes: 'Body size of a bulk call, in bytes.',
  requestsPerMinuteMax:
    'Requests per minute per client or external subject, across all nodes. 0 means unlimited.',
  signInRequestsPerMinuteMax:
    'Sign-ins per minute per address, across all nodes, and as many that are only begun. 0 means unlimited.',
  signInDelayMaxSeconds: 'Maximum delay before the next sign-in, in seconds.',
  deliveriesPerMinuteMax: 'Messages sent per minute, across all nodes.',
  poolConnectionsMax: 'Connections to PostgreSQL per worker.',
  shutdownTimeoutMs: 'Milliseconds for running requests to finish at shutdown.',
};

/** `bulkItemsMax` is set by ROLLCALL_BULK_ITEMS_MAX, and so on. Request rates can be unlimited (0). */
function limitSetting(limit: LimitName): Setting<number> {
  const name = `ROLLCALL_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  const min = limit.endsWith('PerMinuteMax') && limit !== 'deliveriesPerMinuteMax' ? 0 : 1;
  const setting = (description: string) =>
    wholeNumber(name, limitDefaults[limit], min, 2 ** 31 - 1, description);
  return isForOperators(limit) ? setting(limitDescriptions[limit]) : internal(setting(''));
}

function isForOperators(limit: LimitName): limit is OperatorLimitName {
  return limit in limitDescriptions;
}

export const limitSettings = (Object.keys(limitDefaults) as LimitName[]).map((limit) => ({
  limit,
  setting: limitSetting(limit),
}));
