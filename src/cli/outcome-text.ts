import type { FeedRowKind } from '../contract/enums.js';

/** A dry run reports what would be done, a run what was done. */
export type Mode = 'plan' | 'run';

/** What can become of a row of a file. Feeds have one more outcome than a sync. */
const planned: Readonly<Record<FeedRowKind, string>> = {
  created: 'create',
  rehired: 'rehire',
  updated: 'update',
  renamed: 'rename',
  deactivated: 'deactivate',
  reactivated: 'reactivate',
  unchanged: 'unchanged',
  planned: 'planned',
  skipped: 'skip',
  failed: 'fail',
};

export function outcomeText(kind: FeedRowKind, mode: Mode): string {
  return mode === 'plan' ? planned[kind] : kind;
}
