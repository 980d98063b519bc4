import { formatNumber } from '../format.js';
import { plural, users } from './plural.js';

export const homeCopy = {
  title: 'Home',
  range: 'Time range',
  ranges: { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' },
  cannotLoad: "Couldn't load the numbers",
  chart: {
    chart: 'Chart',
    table: 'Table',
    view: (title: string) => `View of ${title}`,
    day: 'Day',
    numbers: (title: string) => `Numbers of ${title}`,
    keys: 'Use the arrow keys to move from day to day.',
    keysAndOpen: 'Use the arrow keys to move from day to day, and Enter to open a day.',
  },
  tiles: {
    active: 'Active users',
    inactive: 'Inactive users',
    created: 'New users',
    inDays: (days: number) => `in ${plural(days, 'day')}, and still there`,
    more: (count: number, days: number) => `${formatNumber(count)} more than ${plural(days, 'day')} ago`,
    fewer: (count: number, days: number) => `${formatNumber(count)} fewer than ${plural(days, 'day')} ago`,
    same: (days: number) => `As many as ${plural(days, 'day')} ago`,
  },
  users: {
    title: 'Users over time',
    note: 'Stacked: the upper edge is the number of all users, active and inactive.',
    active: 'Active',
    inactive: 'Inactive',
    link: 'View users',
    summary: (
      from: string,
      to: string,
      before: [active: number, inactive: number],
      after: [active: number, inactive: number],
    ) =>
      `From ${from} to ${to}, the number of active users went from ${formatNumber(before[0])} to ${formatNumber(after[0])}, and of inactive users from ${formatNumber(before[1])} to ${formatNumber(after[1])}.`,
  },
  changes: {
    title: 'Changes per day',
    created: 'New',
    updated: 'Changed',
    deactivated: 'Deactivated',
    reactivated: 'Reactivated',
    removed: 'Removed',
    link: 'View changes',
    summary: (from: string, to: string, total: number, busiest: string, most: number) =>
      `${plural(total, 'change')} from ${from} to ${to}. Most of them, ${formatNumber(most)}, on ${busiest}.`,
    none: (from: string, to: string) => `No changes from ${from} to ${to}.`,
  },
  attention: {
    title: 'Needs attention',
    underWay: 'Under way',
    dismiss: 'Dismiss',
    dismissLine: (label: string) => `Dismiss: ${label}`,
    feedsRows: 'Feeds with failed rows in their last run',
    failedRows: (source: string) => `Rows that failed: ${source}`,
    system: 'Problems of the service',
    nothing: 'Nothing needs your attention.',
    feedsWaiting: 'Feeds that wait for approval',
    feedsFailed: 'Feeds that failed or did not run in time',
    approvals: 'Changes that await your approval',
    othersApprovals: 'Changes that someone else has to approve',
    withoutManager: 'People without an active manager',
    planned: 'Scheduled changes',
    failedMessages: 'Failed messages',
    heldMessages: 'Held messages, waiting to be released',
    waitingMessages: 'Messages being sent',
    failingWebhooks: 'Failing webhooks',
    failingTargets: 'Connected services with errors',
    stoppedProviders: 'Identity providers stopped by the limit of deactivations',
    count: (count: number, isMore: boolean) => (isMore ? `${formatNumber(count)}+` : formatNumber(count)),
  },
  checklist: {
    title: 'Getting started',
    progress: (done: number, all: number) => `${done} of ${all} done.`,
    hide: 'Hide',
    steps: {
      import: {
        title: 'Import a file',
        text: 'Bring your employees in from CSV or Excel. You can undo it.',
      },
      email: {
        title: 'Set up email',
        text: 'So far, passwords are only written to files. Ask whoever runs the service to connect a mail server.',
      },
      colleague: {
        title: 'Invite a colleague',
        text: 'Open a user and choose “Change role…”. Someone else can then help, and approve what you request.',
      },
      backup: {
        title: 'Make a backup',
        text: 'Ask whoever runs the service to have one made every night.',
      },
    },
  },
  recent: {
    title: 'Recent imports and bulk changes',
    empty: 'No imports yet. Changes made from a file or by another program appear here.',
    all: 'View all',
    changes: (count: number) => (count === 0 ? 'No changes' : plural(count, 'change')),
    succeeded: (count: number) => `${users(count)} done`,
    planned: (count: number) => `${users(count)} planned`,
    failed: (count: number) => `${formatNumber(count)} failed`,
  },
  start: {
    title: 'Welcome to Rollcall',
    lead: 'Bring in your employees in three steps:',
    steps: {
      file: {
        title: '1. Choose a file',
        text: 'Export your employees from the HR system as CSV or Excel. An employee ID, a name and an email address or phone number are enough.',
      },
      check: {
        title: '2. Check what will happen',
        text: 'Rollcall recognizes the columns and shows every user before anything is saved. You can correct cells on the spot.',
      },
      run: {
        title: '3. Import',
        text: 'New users receive their password by email or SMS. You can undo the import with one click.',
      },
    },
    import: 'Import users',
    create: 'Create a single user',
    ask: 'Ask an operator or administrator to import users.',
  },
};
