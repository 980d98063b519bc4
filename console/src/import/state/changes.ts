import { type ChangeKind as AnyKind, kindOfEffect } from '@rollcall/sheets';
import type { Effect } from './report.js';

/** What a row does to its user. Each row counts once, as its most important change. */
export const changeKinds = [
  'created',
  'updated',
  'renamed',
  'deactivated',
  'reactivated',
] as const satisfies readonly AnyKind[];
export type ChangeKind = (typeof changeKinds)[number];
export type Change = ChangeKind | 'unchanged';

/** An import doesn't ask for rehires. */
export function changeOf(effect: Effect): Change {
  const kind = kindOfEffect(effect);
  return kind === 'rehired' ? 'reactivated' : kind;
}
