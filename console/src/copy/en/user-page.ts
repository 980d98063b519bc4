import { formatNumber } from '../format.js';

/** The page of a user: header, tabs and history. */
export const userPageCopy = {
  tabsLabel: 'Sections',
  tabs: { details: 'Details', chart: 'Organization chart', history: 'History' },
  unsaved: 'unsaved',
  changeRole: 'Change role…',
  copyEmployeeId: (employeeID: string) => `Copy employee ID ${employeeID}`,
  copySerial: 'Copy permanent ID',
  copy: 'Copy',
  copied: 'Copied',
  noOrganization: 'No organization',
  reportsTo: 'Reports to',
  removedManager: 'a removed user',
  chart: {
    managers: 'Managers, from the top',
    reports: (count: number, isMore: boolean) =>
      isMore
        ? `More than ${formatNumber(count)} reports`
        : count === 1
          ? '1 report'
          : `${formatNumber(count)} reports`,
    moreManagers: (count: number) => `… ${formatNumber(count)} more above`,
    fewerManagers: 'Show fewer managers',
    reportsOf: (name: string, reports: string) => `${name}: ${reports}`,
    noReports: (name: string) => `Nobody reports to ${name}.`,
    noManager: (name: string) => `${name} has no manager.`,
    all: 'View all reports as a list',
    notLoaded: "Couldn't load the organization chart",
  },
  lastSignIn: 'Last sign-in',
  neverSignedIn: 'None on record',
  signsInWith: 'Signs in with',
  viewUser: (name: string) => `View ${name}`,
  changedBy: 'Changed by:',
  erased: 'This user was erased',
  erasedHint: (at: string | undefined) =>
    at === undefined
      ? 'Their personal data was removed. Only the times of changes remain.'
      : `Their personal data was removed on ${at}. Only the times of changes remain.`,
  failedMessage: {
    title: 'The last message with a password could not be delivered',
    correct: { email: 'Go to the email address', phone: 'Go to the phone number' },
  },
  timeline: {
    filter: 'Show',
    filters: {
      all: 'Everything',
      changes: 'Data',
      roles: 'Roles',
      messages: 'Messages',
      access: 'Sign-ins and access',
    },
    today: 'Today',
    yesterday: 'Yesterday',
    empty: {
      all: 'Nothing on record yet.',
      changes: 'No changes of data on record.',
      roles: 'The role has never been changed.',
      messages: 'No messages have been sent to this user.',
      access: 'No sign-ins on record.',
    },
    more: 'Show earlier entries',
    complete: (count: number) =>
      count === 1 ? 'That is the only entry on record.' : 'That is everything on record.',
    notLoaded: "Couldn't load the history",
    by: 'by',
    address: (address: string) => `from ${address}`,
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    sentAt: (time: string) => `sent ${time}`,
    nextAttempt: (time: string) => `next attempt ${time}`,
    titles: {
      created: 'Created',
      updated: 'Changed',
      renamed: 'Employee ID changed',
      deactivated: 'Deactivated',
      reactivated: 'Reactivated',
      role: 'Role changed',
      rehired: 'Rehired',
      deleted: 'Removed',
      erased: 'Erased',
    },
    someCall: 'Bulk change',
    call: (kind: string, source: string | null) =>
      source === null ? `Bulk change: ${kind}` : `${kind}: ${source}`,
  },
};

/** The language of messages to a user. */
export const userLanguageCopy = {
  label: 'Language of messages',
  hint: 'Passwords and notices are sent in this language.',
  standard: (language: string) => `Default (${language})`,
  done: (name: string, language: string) => `Language of messages to ${name}: ${language}.`,
  notLoaded: "Couldn't load the language",
  failed: "Couldn't change the language",
};
