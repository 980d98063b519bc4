/** Undoing what was saved of a user, and going back to earlier values. */
export const restoreCopy = {
  undo: 'Undo',
  undone: (name: string, fields: readonly string[]) => `Undone for ${name}: ${fields.join(', ')}.`,
  notUndone: (name: string, fields: readonly string[]) =>
    `Nothing was undone, because this was changed again for ${name}: ${fields.join(', ')}.`,
  toHistory: 'View history',
  change: {
    action: 'Undo this change…',
    title: 'Undo this change?',
    hint: (name: string, at: string) => `These values of ${name} go back to what they were before ${at}:`,
    confirm: 'Undo change',
  },
  version: {
    action: 'Restore this version…',
    title: 'Restore this version?',
    hint: (name: string, at: string) => `These values of ${name} go back to what they were on ${at}:`,
    confirm: 'Restore version',
  },
  loading: 'Checking what changes back…',
  notLoaded: "Couldn't check what changes back",
  nothing: 'Nothing to change back: the user has these values already.',
  changedAgain: (at: string) => `Changed again on ${at} by`,
  taken: (name: string) => `Can't be restored: ${name} now belongs to`,
  managerGone: "Can't be restored: this manager no longer exists.",
  retired: "Can't be restored: this attribute is no longer in use.",
  role: "The role isn't restored. An administrator can assign it again.",
  changedNow: (fields: readonly string[]) =>
    `Changed in the meantime: ${fields.join(', ')}. Check the values below and try again.`,
  failed: "Couldn't restore these values",
  done: (name: string) => `${name} restored.`,
};
