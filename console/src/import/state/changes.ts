import type { Effect } from './report.js';

/** What a row does to its user. Each row counts once, as its most important change. */
export const changeKinds = ['new', 'changed', 'renamed', 'deactivated', 'reactivated'] as const;
export type ChangeKind = (typeof changeKinds)[number];
export type Change = ChangeKind | 'unchanged';

export function changeOf({ kind, fields }: Effect): Change {
  if (kind === 'created') return 'new';
  if (kind === 'unchanged') return 'unchanged';
  if (fields.isActive?.after === false) return 'deactivated';
  if (fields.isActive?.after === true) return 'reactivated';
  return fields.employeeID ? 'renamed' : 'changed';
}
