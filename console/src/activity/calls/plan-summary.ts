import type { Schemas } from '@rollcall/client';
import { plannedCopy } from '../../copy/copy.js';

type Item = Pick<Schemas['CallItem'], 'outcome' | 'effect'>;
type Does = keyof typeof plannedCopy.does;

/** What a call does, in sentences: `Deactivates 13 users.` */
export function planSummary(items: readonly Item[]): string[] {
  const kinds = items.map(doesTo);
  return (Object.keys(plannedCopy.does) as Does[]).flatMap((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [plannedCopy.does[kind](count)];
  });
}

function doesTo({ outcome, effect }: Item): Does {
  if (outcome === 'failed') return 'failed';
  if (effect?.kind !== 'updated') return effect?.kind ?? 'updated';
  const { isActive, employeeID } = effect.fields;
  if (isActive) return isActive.after === false ? 'deactivated' : 'reactivated';
  return employeeID ? 'renumbered' : 'updated';
}
