import { fieldName } from './finding-text.js';
import type { RunProfile } from './run-profile.js';

const kinds = [
  ...(['created', 'rehired', 'updated', 'renamed', 'deactivated', 'reactivated'] as const),
  ...(['failed', 'withdrawn'] as const),
] as const;
const byField = ['changed', 'emptied'] as const;

/** What a run does or would do, as far as it must not be much more than what was checked. */
export type Amounts = Pick<RunProfile, (typeof kinds)[number] | (typeof byField)[number]>;

/** A quantity that is clearly larger than it was when it was checked. */
export interface Growth {
  readonly kind: keyof Amounts;
  readonly field?: string;
  readonly actual: number;
  readonly checked: number;
}

/** Users change all the time, so a few more are no surprise. */
export function growthOf(checked: Amounts, actual: Amounts): Growth[] {
  const all = [
    ...kinds.map((kind): Growth => ({ kind, actual: actual[kind], checked: checked[kind] })),
    ...byField.flatMap((kind) =>
      Object.entries(actual[kind]).map(
        ([field, count]): Growth => ({ kind, field, actual: count, checked: checked[kind][field] ?? 0 }),
      ),
    ),
  ];
  return all.filter((growth) => growth.actual > growth.checked + toleranceOf(growth.checked));
}

function toleranceOf(count: number): number {
  return Math.max(5, Math.floor(count / 50));
}

/** "deactivated 7 instead of 1" */
export function growthText({ kind, field, actual, checked }: Growth): string {
  const what = field === undefined ? kind : `${fieldName(field)} ${kind}`;
  return `${what} ${actual} instead of ${checked}`;
}
