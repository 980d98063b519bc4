import { isRollcallError, newIdempotencyKey } from '@rollcall/client';
import { expireSessionOnUnauthorized } from '../../session/api.js';
import { announce } from './announce.js';
import { type SafetyLimit, safetyLimitOf } from './report.js';
import { type ImportCalls, importCalls } from './service-calls.js';

/** What a failed request means for the wizard. */
export type CallError =
  | ({ readonly kind: 'safetyLimit' } & SafetyLimit)
  | { readonly kind: 'session' | 'undone' | 'tooLarge' | 'other' };

export interface Dependencies {
  readonly calls: ImportCalls;
  readonly newKey: () => string;
  readonly classifyError: (error: unknown) => CallError;
  readonly now: () => number;
  /** Tells a user who looks elsewhere that a run has finished or needs an answer. */
  readonly announce: (text: string) => void;
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
  calls: importCalls,
  newKey: newIdempotencyKey,
  classifyError,
  now: () => performance.now(),
  announce,
};
