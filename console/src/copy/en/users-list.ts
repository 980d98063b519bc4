import { formatNumber } from '../format.js';
import { users } from './plural.js';

/** Selecting, changing, exporting and editing users in the list, and saved views. */
export const usersListCopy = {
  columns: {
    hint: 'Remembered in this browser.',
  },

  select: {
    column: 'Selection',
    user: (name: string) => `Select ${name}`,
    all: 'Select all users in this list',
    bar: 'Selected users',
    count: (count: number) => (count === 1 ? '1 user selected' : `${formatNumber(count)} users selected`),
    allMatching: (count: number | undefined) =>
      count === undefined ? 'All matching users selected' : `All ${users(count)} in this list selected`,
    selectAll: (count: number | undefined) =>
      count === undefined ? 'Select all matching' : `Select all ${formatNumber(count)}`,
    clear: 'Clear selection',
    more: 'More actions',
    actions: 'Actions',
    tooMany: (max: number) =>
      `You can select up to ${users(max)} one by one. To change more, filter the list and select all.`,
    needsFilter: 'To change all of these users, filter the list first.',
    oneByOneOnly: (max: number) => `Available for up to ${users(max)}.`,
    failed: "Couldn't select these users",
  },

  actions: {
    activate: 'Activate…',
    deactivate: 'Deactivate…',
    addTag: 'Add tag…',
    removeTag: 'Remove tag…',
    setOrganization: 'Set organization…',
    clearOrganization: 'Remove organization…',
    setManager: 'Set manager…',
    clearManager: 'Remove manager…',
    setAttribute: 'Set attribute…',
    clearAttribute: 'Clear attribute…',
    export: 'Export…',
    resetPasswords: 'Reset passwords…',
    resendMessages: 'Resend messages…',
  },

  change: {
    titles: {
      addTag: 'Add a tag',
      removeTag: 'Remove a tag',
      setOrganization: 'Set the organization',
      clearOrganization: 'Remove the organization',
      setManager: 'Set the manager',
      clearManager: 'Remove the manager',
      setAttribute: 'Set an attribute',
      clearAttribute: 'Clear an attribute',
      activate: 'Activate users',
      deactivate: 'Deactivate users',
    },
    selected: (count: number) => `${users(count)} selected in the list.`,
  },

  plan: {
    when: 'When',
    now: 'Now',
    later: 'On a date',
    day: 'Date',
    dayHint: 'It runs at the beginning of this day.',
    at: (time: string) => `It runs on ${time}.`,
    approval: 'Ask someone else to approve it',
    approvalHint: 'Nothing changes until another user with permission has approved it.',
    note: 'Reason (optional)',
    noteHint: 'Why this is to be done. Shown to whoever approves it, and under Activity.',
    confirm: (count: number) => `Plan for ${users(count)}`,
    request: (count: number) => `Request approval for ${users(count)}`,
    plannedTitle: 'Planned',
    planned: (day: string) => `The change will be made on ${day}.`,
    plannedWithApproval: (day: string) =>
      `Once someone else has approved it, the change will be made on ${day}.`,
    requested: 'Someone else has to approve the change.',
    nothingYet: 'Nothing has changed yet.',
    view: 'View the scheduled change',
  },

  export: {
    open: 'Export',
    title: 'Export users',
    list: (count: number | undefined) =>
      count === undefined ? 'All users in this list.' : `${users(count)}, in the order of the list.`,
    selected: (count: number) => `${users(count)}, in the order in which you selected them.`,
    columns: (names: readonly string[]) => `Columns: ${names.join(', ')}.`,
    format: 'Format',
    formats: { xlsx: 'Excel workbook (XLSX)', csv: 'CSV' },
    byName: 'Write organizations and tags by name',
    byNameHint:
      'Without this, their IDs are written. Both can be imported again. A name that several have is written as the ID.',
    start: 'Export',
    progress: (done: number, total: number | undefined) =>
      total === undefined ? `${users(done)} read…` : `${formatNumber(done)} of ${users(total)} read…`,
    stop: 'Stop',
    done: (count: number, file: string) => `${users(count)} exported to ${file}.`,
    failed: "Couldn't export the users",
    fileName: (day: string) => `users-${day}`,
    fileSelected: (count: number) => `${count}-selected`,
    sheet: 'Users',
  },

  runs: {
    resetPasswords: {
      title: 'Reset passwords',
      text: (count: number) =>
        `${users(count)} will receive a message with a new password, which must be changed at the next sign-in. Their old passwords stop working, and they are signed out everywhere.`,
      start: (count: number) => (count === 1 ? 'Reset 1 password' : `Reset ${formatNumber(count)} passwords`),
      succeeded: (count: number) =>
        count === 1 ? '1 password reset.' : `${formatNumber(count)} passwords reset.`,
    },
    resendMessages: {
      title: 'Resend messages',
      text: (count: number) =>
        `The latest password message of ${users(count)} will be sent again, with a new password if the old one is no longer known.`,
      start: (count: number) => (count === 1 ? 'Resend 1 message' : `Resend ${formatNumber(count)} messages`),
      succeeded: (count: number) =>
        count === 1 ? '1 message is on its way.' : `${formatNumber(count)} messages are on their way.`,
    },
    notUndoable: "This can't be undone.",
    nothingToSend: 'There is no message to send again.',
    progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)} done`,
    paused: (done: number, total: number) => `Paused after ${formatNumber(done)} of ${formatNumber(total)}`,
    pause: 'Pause',
    resume: 'Resume',
    stop: 'Stop',
    notDone: (count: number) => `${users(count)} left out, because you stopped.`,
    failedCount: (count: number) => `${users(count)} failed.`,
    failures: 'Failed',
    failuresTable: 'Users for whom it failed',
    reason: 'Reason',
    retry: (count: number) => `Try again for ${users(count)}`,
    sessionEnded: 'Your session has ended. Sign in again, then resume.',
  },

  edit: {
    saved: (field: string, name: string) => `${field} of ${name} saved.`,
    signInChanges: (name: string) =>
      `The user will sign in as ${name} from now on, no longer with the previous name. Tell them.`,
    saveAnyway: 'Change username',
    hint: 'Enter saves, Escape cancels.',
    editing: (field: string, name: string) => `${field} of ${name}`,
    conflict: (field: string) => `${field} was changed in the meantime`,
    changedAt: (time: string) => `Changed on ${time}`,
    keepMine: (value: string) => `Save ${value} anyway`,
    takeTheirs: (value: string) => `Keep ${value}`,
  },

  views: {
    open: 'Views',
    list: 'Saved views',
    none: 'No saved views yet. A view keeps the search, filters, order and columns.',
    name: 'Name of the view',
    saveNew: 'Save this view',
    exists: 'There is already a view with this name. Saving replaces it.',
    remove: (name: string) => `Delete “${name}”`,
    removed: (name: string) => `View “${name}” deleted.`,
    saved: (name: string) => `View “${name}” saved.`,
    own: 'Only for you',
    shared: 'Shared with everybody',
    share: 'Share with everybody',
    sharedBy: (name: string) => `Shared by ${name}`,
    edit: (name: string) => `Edit “${name}”`,
    newName: (name: string) => `New name of “${name}”`,
    confirmRemoval: 'Delete',
    removalText: 'Everybody loses this view. The users in it stay as they are.',
    notLoaded: "Couldn't load the saved views",
    failed: "Couldn't change the saved views",
    offer: (names: readonly string[]) => `Only in this browser so far: ${names.join(', ')}.`,
    upload: 'Keep them in your account',
    notNow: 'Not now',
    uploaded: (count: number) =>
      count === 1 ? '1 view saved in your account.' : `${formatNumber(count)} views saved in your account.`,
    copyLink: 'Copy link',
    copied: 'Link copied',
    cannotCopy: "Couldn't copy the link. Copy it from the address bar.",
  },
};
