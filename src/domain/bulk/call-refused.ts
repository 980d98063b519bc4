import type { Failure } from '../../contract/errors.js';
import type { ItemOutcome } from './outcomes.js';

/** The call is refused as a whole, within its transaction: nothing of it is done. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error);
    this.failure = failure;
  }
}

export type Preview =
  | { readonly ok: true; readonly outcomes: readonly ItemOutcome[] }
  | { readonly ok: false; readonly failure: Failure };

/** A preview tells of a refusal just as the call would. */
export async function previewed(preview: Promise<readonly ItemOutcome[]>): Promise<Preview> {
  try {
    return { ok: true, outcomes: await preview };
  } catch (error) {
    if (error instanceof CallRefused) return { ok: false, failure: error.failure };
    throw error;
  }
}

/** Somebody else goes on with the call: what this runner had in hand is rolled back. */
export class CallTakenOver extends Error {
  override readonly name = 'CallTakenOver';
}
