import type { OutcomeKind } from '#sheets';

/** A dry run reports what would be done, a run what was done. */
export type Mode = 'plan' | 'run';

const planned: Readonly<Record<OutcomeKind, string>> = {
  created: 'create',
  rehired: 'rehire',
  updated: 'update',
  renamed: 'rename',
  deactivated: 'deactivate',
  reactivated: 'reactivate',
  unchanged: 'unchanged',
  planned: 'planned',
  failed: 'fail',
};

export function outcomeText(kind: OutcomeKind, mode: Mode): string {
  return mode === 'plan' ? planned[kind] : kind;
}
