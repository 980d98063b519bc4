import type { Kind } from './outcome.js';

/** A dry run reports what would be done, a run what was done. */
export type Mode = 'plan' | 'run';

const planned: Readonly<Record<Kind, string>> = {
  created: 'create',
  rehired: 'rehire',
  updated: 'update',
  renamed: 'rename',
  deactivated: 'deactivate',
  unchanged: 'unchanged',
  planned: 'planned',
  failed: 'fail',
};

export function outcomeText(kind: Kind, mode: Mode): string {
  return mode === 'plan' ? planned[kind] : kind;
}
