import type { Effect } from '../../contract/changes.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import type { CallEffects } from '../notices/notices.js';

/** How many users a call creates, deactivates and so on, as previewed. */
export function countEffects(outcomes: readonly ItemOutcome[]): CallEffects {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const effect = outcome.ok && outcome.effect ? nameOf(outcome.effect) : undefined;
    if (effect !== undefined) counts[effect] = (counts[effect] ?? 0) + 1;
  }
  return counts;
}

function nameOf({ kind, fields }: Effect): keyof CallEffects | undefined {
  if (kind === 'unchanged' || kind === 'erased') return undefined; // an erasure can't be planned
  if (kind !== 'updated') return kind;
  const { isActive, employeeID } = fields;
  if (isActive) return isActive.after === false ? 'deactivated' : 'reactivated';
  return employeeID ? 'renumbered' : 'updated';
}
