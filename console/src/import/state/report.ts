import { isRollcallError, type Schemas, type ServiceError } from '@rollcall/client';
import { importCopy } from '../../copy/on-demand-copy.js';

export type Effect = Schemas['Effect'];
export type EffectFields = Effect['fields'];

/** The outcome of one item. */
export type ItemReport =
  | { readonly ok: true; readonly effect: Effect | undefined }
  | { readonly ok: false; readonly error: ServiceError };

export interface SafetyLimit {
  /** How many users to confirm. */
  readonly confirm: number;
  readonly message: string;
}

export function safetyLimitOf(error: unknown): SafetyLimit | undefined {
  if (!isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT')) return undefined;
  const { confirm } = error.data;
  return confirm === undefined ? undefined : { confirm, message: importCopy.safetyLimit(error.data) };
}
