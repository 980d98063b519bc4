import type { CallRequest, CallResult } from '../bulk/run-call.js';
import type { Context } from '../context.js';
import type { Parsed } from '../read-fields.js';
import { type ChangeOptions, changeUsersBulk } from './update-users-bulk.js';
import type { BulkChange } from './user-rules.js';

/** A bulk update whose items carry what to create if their user is missing. */
export function upsertUsersBulk(
  context: Context,
  parsed: readonly Parsed<BulkChange>[],
  request: CallRequest & ChangeOptions,
): Promise<CallResult> {
  return changeUsersBulk(context, 'upsert-bulk', parsed, request);
}
