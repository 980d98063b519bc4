import { isRollcallError, newIdempotencyKey } from '@rollcall/client';
import { expireSessionOnUnauthorized } from '../../session/api.js';
import { type SafetyLimit, safetyLimitOf } from './report.js';
import { type BulkCalls, bulkCalls } from './service-calls.js';

/** What a failed request means for the wizard. */
export type CallError =
  | ({ readonly kind: 'safetyLimit' } & SafetyLimit)
  | { readonly kind: 'session' | 'undone' | 'tooLarge' | 'other' };

export interface Dependencies {
  readonly calls: BulkCalls;
  readonly newKey: () => string;
  readonly classifyError: (error: unknown) => CallError;
  readonly now: () => number;
}

function classifyError(error: unknown): CallError {
  expireSessionOnUnauthorized(error);
  if (!isRollcallError(error)) return { kind: 'other' };
  if (error.status === 401) return { kind: 'session' };
  const safetyLimit = safetyLimitOf(error);
  if (safetyLimit) return { kind: 'safetyLimit', ...safetyLimit };
  if (isRollcallError(error, 'CALL_UNDONE')) return { kind: 'undone' };
  return { kind: error.status === 413 ? 'tooLarge' : 'other' };
}

export const dependencies: Dependencies = {
  calls: bulkCalls,
  newKey: newIdempotencyKey,
  classifyError,
  now: () => performance.now(),
};
