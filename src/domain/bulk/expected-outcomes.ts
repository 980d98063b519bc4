import { isDeepStrictEqual } from 'node:util';
import type { Effect } from '../../contract/changes.js';
import type { Failure } from '../../contract/errors.js';
import { itemFailure } from '../read-fields.js';
import type { ItemOutcome } from './outcomes.js';

/** The outcomes that a preview promised, by position. A call that has them does nothing else. */
export interface ExpectedOutcomes {
  readonly outcomes: readonly ItemOutcome[];
  /** Whether a single item with another outcome stops the whole call. Otherwise it is skipped. */
  readonly stops: boolean;
}

/** The positions of items, from the first on, whose outcomes differ from what was expected. */
export function changedOutcomes(
  { outcomes: expected }: ExpectedOutcomes,
  first: number,
  outcomes: readonly ItemOutcome[],
): number[] {
  return outcomes.flatMap((outcome, index) => {
    const position = first + index;
    return isAsExpected(outcome, expected[position]) ? [] : [position];
  });
}

function isAsExpected(outcome: ItemOutcome, expected: ItemOutcome | undefined): boolean {
  if (!outcome.ok) {
    if (outcome.failure.error === 'CALL_ITEM_OUTDATED') return true; // already skipped
    return expected?.ok === false && expected.failure.error === outcome.failure.error;
  }
  if (!expected?.ok) return false;
  const isSameUser = expected.serial === null || expected.serial === outcome.serial;
  return isSameUser && isSameEffect(expected.effect, outcome.effect);
}

/** The preview had no serials for managers whom the call creates. */
function isSameEffect(expected: Effect | undefined, effect: Effect | undefined): boolean {
  const promised = expected?.fields.managerSerial;
  const manager = effect?.fields.managerSerial;
  if (!effect || !promised || !manager) return isDeepStrictEqual(expected, effect);
  const managerSerial = {
    before: promised.before && manager.before,
    after: promised.after && manager.after,
  };
  return isDeepStrictEqual(expected, { ...effect, fields: { ...effect.fields, managerSerial } });
}

/** The items of a chunk that have to be skipped. Its transaction is rolled back, and planned again without them. */
export class OutcomesChanged extends Error {
  override readonly name = 'OutcomesChanged';
  readonly positions: readonly number[];

  constructor(positions: readonly number[]) {
    super(`${positions.length} items have other outcomes than expected`);
    this.positions = positions;
  }
}

export function itemOutdated(position: number): Failure {
  return itemFailure(
    'CALL_ITEM_OUTDATED',
    position,
    'skipped, because it would no longer do what the preview showed. Preview the item again and send it, if it is still wanted.',
  );
}

/** With the positions of items that have changed, in order; none if users of the call no longer exist. */
export function callOutdated(positions: readonly number[]): Failure {
  const [first, ...others] = positions;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const items = first === undefined ? 'it' : `the item at position ${first}${more}`;
  return itemFailure(
    'CALL_ITEM_OUTDATED',
    undefined,
    `Nothing was changed, because ${items} would no longer do what the preview showed. Preview the call again and resend it.`,
  );
}
