import { isRollcallError, type Schemas, type ServiceError } from '@rollcall/client';
import { bulkCopy } from '../../copy/bulk.js';

export type Effect = Schemas['Effect'];
export type EffectFields = Effect['fields'];

/** What the service says of one item. */
export type ItemReport =
  | { readonly ok: true; readonly serial: string | null; readonly effect: Effect | undefined }
  | { readonly ok: false; readonly error: ServiceError; readonly reason: string };

/** The number to confirm, and why. Undefined for any other error. */
export function safetyLimitOf(
  error: unknown,
): { readonly confirm: number; readonly sentence: string } | undefined {
  if (!isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT')) return undefined;
  const { confirm } = error.data;
  return confirm === undefined ? undefined : { confirm, sentence: bulkCopy.safetyLimit(error.data) };
}
