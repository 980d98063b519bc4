/** What users see and change of themselves. */
export const profileCopy = {
  title: 'Your data',
  lead: 'What your company has stored about you. To correct something you cannot change here, ask your HR department.',
  cannotLoad: "Couldn't load your data",
  edit: 'Edit',
  cancel: 'Cancel',
  saved: 'Saved.',
  notSaved: "Couldn't save your data",
  contactHint: "We'll send a code to it first.",
  organization: 'Organization',
  tags: 'Tags',
  confirm: {
    title: (value: string) => `Confirm ${value}`,
    sent: 'We have sent a code of 8 digits to it. Enter it here to use it from now on.',
    sending: 'A code of 8 digits is on its way to it. Enter it here to use it from now on.',
    until: (time: string) => `The code works until ${time}.`,
    code: 'Code',
    action: 'Confirm',
    withdraw: 'Keep the old one',
    failed: "Couldn't confirm it",
    notWithdrawn: "Couldn't withdraw it",
    attemptsLeft: (count: number) =>
      count === 0
        ? 'This code no longer works. Edit your data again to get another one.'
        : count === 1
          ? 'Wrong code. One attempt left.'
          : `Wrong code. ${count} attempts left.`,
    done: (value: string) => `${value} is confirmed.`,
  },
  team: {
    title: 'Your team',
    manager: 'Your manager',
    reports: 'Reports to you',
    noManager: 'No manager is stored.',
    inactive: (name: string) => `${name} (inactive)`,
    more: 'and others',
  },
  report: { action: 'Download as a report', failed: "Couldn't make the report" },
  history: {
    title: 'What has changed',
    table: 'Changes, newest first',
    lead: 'Changes of your data, newest first.',
    empty: 'No changes yet.',
    cannotLoad: "Couldn't load the changes",
    when: 'When',
    what: 'What',
    by: { self: 'by you', person: 'by a colleague who manages users', program: 'by another system' },
    valueChanged: (field: string) => `${field} changed`,
  },
};
