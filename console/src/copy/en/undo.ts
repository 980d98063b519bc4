import { users } from './plural.js';

export const undoCopy = {
  title: 'Undo these changes?',
  doneTitle: 'Changes undone',
  loading: 'Checking what can be undone…',
  cannotPreview: "Couldn't preview the undo",
  failed: "Couldn't undo the changes",
  willRestore: (count: number) => `${users(count)} will be restored to the previous state.`,
  willRemove: (count: number) => `${users(count)} will be removed.`,
  willSkip: (count: number) => `${users(count)} can't be restored and will stay unchanged.`,
  notes: {
    messages:
      "Messages already sent can't be recalled. The passwords in them no longer work for users who are removed or deactivated.",
    roles: 'Users who become active again have no role. An administrator has to give them one.',
    again: 'You can undo this undo later, under Activity.',
  },
  nothing: 'There is nothing to undo.',
  restored: (count: number) => `${users(count)} restored.`,
  removed: (count: number) => `${users(count)} removed.`,
  skipped: (count: number) => `${users(count)} left unchanged.`,
  nothingDone: 'No changes were made.',
  changesTitle: 'Changes',
  changesTable: 'Changes made by the undo',
  skippedTitle: 'Left unchanged',
  skippedTable: "Users that can't be restored",
  fields: 'Before → after',
  reason: 'Reason',
  safetyLimitTitle: 'This affects many users',
  safetyLimit: (count: number) =>
    `The undo would remove, deactivate or change the employee ID of ${users(count)}, which exceeds the safety limit.`,
  typeToConfirm: (count: number) => `Type ${count} to confirm`,
  confirm: 'Undo',
  viewUndo: 'View this undo in Activity',
};
