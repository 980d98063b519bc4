import { formatNumber } from '../format.js';
import { users } from './plural.js';

export const matchingCopy = {
  preview: 'Preview',
  filters: (count: number) =>
    count === 1 ? 'Users who match this filter:' : 'Users who match all of these filters:',
  loading: 'Checking what would change…',
  cannotPreview: "Couldn't preview the change",
  failed: "Couldn't make the change",
  tooMany: (limit: number) =>
    `More than ${users(limit)} match, which is the most that can be changed at once. Add filters, then change them in parts.`,
  numberChanged: (before: number, now: number) =>
    `The number of users has changed from ${formatNumber(before)} to ${formatNumber(now)}, so nothing was done. Check the new preview and confirm again.`,
  willChange: (count: number) => `${users(count)} will change.`,
  willStay: (count: number) => `${users(count)} ${count === 1 ? 'needs' : 'need'} no change.`,
  willFail: (count: number) => `${users(count)} can't be changed.`,
  nothing: 'No users would change.',
  typeToConfirm: (count: number) => `Type ${count} to confirm`,
  confirm: (count: number) => `Change ${users(count)}`,
  doneTitle: 'Done',
  changed: (count: number) => `${users(count)} changed.`,
  stayed: (count: number) => `${users(count)} needed no change.`,
  didFail: (count: number) => `${users(count)} couldn't be changed.`,
  nothingDone: 'No users were changed.',
  failuresTitle: { preview: "Can't be changed", done: 'Not changed' },
  failuresTable: "Users who can't be changed",
  reason: 'Reason',
  changesTitle: 'Changes',
  changesTable: 'Users who change',
  fields: 'Before → after',
  undo: 'Undo…',
  viewCall: 'View in Activity',
};
