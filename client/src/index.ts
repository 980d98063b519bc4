export { type Auth, bearer, type ClientCredentials, clientCredentials } from './auth.js';
export * from './bulk.js';
export * from './client.js';
export * from './errors.js';
export * from './follow-events.js';
export { limits } from './generated/tables.js';
export { newIdempotencyKey } from './idempotency-key.js';
export type * from './operations.js';
export type { Pause, RetryOptions } from './retry.js';
