import { type LimitName, limitDefaults } from '../../contract/limits.js';
import { type Setting, wholeNumber } from '../kinds.js';

const limitDescriptions: Record<LimitName, string> = {
  bulkItemsMax: 'Items per bulk call.',
  matchingUsersMax: 'Users that one call can update by a filter.',
  bulkChunkItems: 'Items per transaction of a bulk call. At most 500 on the embedded database.',
  bulkConnectionsMax: 'Database connections that one bulk call may use while they are idle.',
  createsTogetherMax: 'Concurrent creates that are combined into one statement.',
  callLeaseMs:
    'Milliseconds after the last heartbeat of its node until a bulk call with an Idempotency-Key can be resumed.',
  idempotencyKeyHours: 'Hours to remember an Idempotency-Key.',
  plannedCallsMax: 'Planned calls of one client or user that may wait at once.',
  plannedCallPollMs: 'Milliseconds between checks for planned calls that are due.',
  raceAttemptsMax: 'Attempts at work that keeps conflicting with other calls.',
  bulkBodyMaxBytes: 'Body size of a bulk call, in bytes.',
  bodyMaxBytes: 'Body size of any other request, in bytes.',
  headersMaxBytes: 'Size of the request headers, in bytes.',
  headersTimeoutMs: 'Milliseconds for the request headers to arrive.',
  requestTimeoutMs: 'Milliseconds for the whole request to arrive.',
  keepAliveTimeoutMs: 'Milliseconds to keep an idle connection open.',
  connectionsMax: 'Open connections. Further ones are closed immediately.',
  requestsPerMinuteMax:
    'Requests per minute per client or external subject, across all nodes. 0 means unlimited.',
  userRequestsPerMinuteMax: 'Requests per minute per user, across all nodes. 0 means unlimited.',
  searchesPerMinuteMax:
    'List pages, searches and lookups per minute per client or user, across all nodes. 0 means unlimited.',
  anonymousRequestsPerMinuteMax:
    'Requests without a valid token per minute per address (per /64 network for IPv6), across all nodes. 0 means unlimited.',
  tokenRequestsPerMinuteMax: 'Token requests per minute per address, across all nodes. 0 means unlimited.',
  signInRequestsPerMinuteMax: 'Sign-ins per minute per address, across all nodes. 0 means unlimited.',
  signInFreeFailures: 'Failed sign-ins per name before further attempts are delayed. Twice as many per user.',
  signInFreeFailuresPerAddress: 'Failed sign-ins per address before further attempts are delayed.',
  signInDelayMaxSeconds: 'Maximum delay before the next sign-in, in seconds.',
  passwordHashesWaitingMax: 'Passwords that may wait for hashing on one node. Further requests get 503.',
  deliveriesPerMinuteMax: 'Messages sent per minute, across all nodes.',
  deliveryAttemptsMax: 'Attempts to send a message before it is parked.',
  deliveryPauseMs: 'Milliseconds before the second attempt to send a message. Doubles with every attempt.',
  deliveryPauseMaxMs: 'Maximum pause between attempts to send a message, in milliseconds.',
  deliveryTimeoutMs:
    'Milliseconds for one attempt to send a message. Another node may take over after twice as long.',
  deliveryPollMs: 'Milliseconds between checks for messages to send.',
  webhookTimeoutMs: 'Milliseconds for a webhook receiver to answer.',
  webhookPauseMs:
    'Milliseconds before the second attempt to deliver to a webhook. Doubles with every attempt.',
  webhookPauseMaxMs: 'Maximum pause between attempts to deliver to a webhook, in milliseconds.',
  webhookGiveUpHours: 'Hours of failures after which a webhook is disabled.',
  eventPollMs: 'Milliseconds between checks of the change log for webhooks and event streams.',
  eventStreamsMax: 'Concurrent event streams per worker.',
  eventStreamsPerCallerMax: 'Concurrent event streams of one user or client per worker.',
  eventHoldMs: 'Milliseconds that a request for events waits while the service starts.',
  poolConnectionsMax: 'Connections to PostgreSQL per worker.',
  connectTimeoutMs: 'Milliseconds to wait for a connection to PostgreSQL.',
  statementTimeoutMs: 'Milliseconds for one PostgreSQL statement.',
  lockTimeoutMs: 'Milliseconds to wait for a PostgreSQL lock.',
  shutdownTimeoutMs: 'Milliseconds for running requests to finish at shutdown.',
};

/** `bulkItemsMax` is set by ROLLCALL_BULK_ITEMS_MAX, and so on. Request rates can be unlimited (0). */
function limitSetting(limit: LimitName): Setting<number> {
  const name = `ROLLCALL_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  const min = limit.endsWith('PerMinuteMax') && limit !== 'deliveriesPerMinuteMax' ? 0 : 1;
  return wholeNumber(name, limitDefaults[limit], min, 2 ** 31 - 1, limitDescriptions[limit]);
}

export const limitSettings = (Object.keys(limitDefaults) as LimitName[]).map((limit) => ({
  limit,
  setting: limitSetting(limit),
}));
