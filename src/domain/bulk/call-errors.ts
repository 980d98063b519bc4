import type { Failure } from '../../contract/errors.js';
import type { ItemOutcome } from './outcomes.js';

/** The call is rejected as a whole from within its transaction. Nothing is changed. */
export class CallRejected extends Error {
  override readonly name = 'CallRejected';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error);
    this.failure = failure;
  }
}

export type Preview =
  | { readonly ok: true; readonly outcomes: readonly ItemOutcome[] }
  | { readonly ok: false; readonly failure: Failure };

/** Another node has taken over the call. This node rolls back the chunks it was running. */
export class CallTakenOver extends Error {
  override readonly name = 'CallTakenOver';
}
