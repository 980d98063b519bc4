import { isRollcallError, newIdempotencyKey } from '@rollcall/client';
import { expireSessionOnUnauthorized } from '../../session/api.js';
import { type BulkCalls, bulkCalls } from './service-calls.js';

/** What an error of the service means to a wizard. */
export type Trouble = 'braked' | 'session' | 'undone' | 'tooLarge' | 'other';

/** The outside world of a wizard. */
export interface Tools {
  readonly calls: BulkCalls;
  readonly newKey: () => string;
  readonly troubleOf: (error: unknown) => Trouble;
  readonly now: () => number;
}

function troubleOf(error: unknown): Trouble {
  expireSessionOnUnauthorized(error);
  if (!isRollcallError(error)) return 'other';
  if (error.status === 401) return 'session';
  if (isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT')) return 'braked';
  if (isRollcallError(error, 'CALL_UNDONE')) return 'undone';
  return error.status === 413 ? 'tooLarge' : 'other';
}

export const tools: Tools = {
  calls: bulkCalls,
  newKey: newIdempotencyKey,
  troubleOf,
  now: () => performance.now(),
};
