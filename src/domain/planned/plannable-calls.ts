import type { CallKind } from '../../contract/enums.js';
import type { Scope } from '../../contract/scopes.js';
import { type CallRequest, type CallResult, completed } from '../bulk/run-call.js';
import { type UndoContext, undoCall } from '../calls/undo-call.js';
import type { Parsed } from '../read-fields.js';
import { type BulkCreateOptions, createUsersBulk } from '../users/create-users-bulk.js';
import type { UserPatch } from '../users/plans/user-patch.js';
import { type MatchingContext, updateSelected } from '../users/update-matching.js';
import {
  type BulkChangeContext,
  type ChangeOptions,
  updateUsersBulk,
  upsertUsersBulk,
} from '../users/update-users-bulk.js';
import type { BulkChange, NewUser } from '../users/user-rules.js';

/** What any call that can be planned needs. */
export interface PlannableContext extends BulkChangeContext, MatchingContext, UndoContext {}

export type PlannableKind = Extract<
  CallKind,
  'create-bulk' | 'update-bulk' | 'upsert-bulk' | 'update-matching' | 'undo'
>;

/** A planned call with its items and options, as they were stored. */
export interface StoredCall {
  readonly kind: PlannableKind;
  readonly undoes: string | null;
  readonly options: unknown;
  readonly items: readonly Parsed<unknown>[];
}

type RunRequest = CallRequest & { readonly confirmed: number | undefined };

/** Runs a planned call of any kind. */
export function runStoredCall(
  context: PlannableContext,
  { kind, undoes, options, items }: StoredCall,
  request: RunRequest,
): Promise<CallResult> {
  const change = { ...(options as ChangeOptions), ...request };
  switch (kind) {
    case 'create-bulk':
      return completed(
        createUsersBulk(context, [items as Parsed<NewUser>[]], change as typeof change & BulkCreateOptions),
      );
    case 'update-bulk':
      return completed(updateUsersBulk(context, [items as Parsed<BulkChange>[]], change));
    case 'upsert-bulk':
      return completed(upsertUsersBulk(context, [items as Parsed<BulkChange>[]], change));
    case 'update-matching': {
      const { patch } = options as { patch: UserPatch };
      return updateSelected(context, { kind, patch }, items as Parsed<string>[], request);
    }
    case 'undo':
      return undoCall(context, undoes ?? '', request);
  }
}

/** What the author of a call has to be allowed. */
export function scopesFor(kind: CallKind): readonly Scope[] {
  return kind === 'update-matching' ? ['users:write', 'users:read'] : ['users:write'];
}
