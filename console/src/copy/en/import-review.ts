import { formatNumber } from '../format.js';
import { plural, users } from './plural.js';

/** What the check of an import points out, and what is confirmed before and summarized after the run. */
export const importReviewCopy = {
  otherName: (row: number) =>
    `Row ${formatNumber(row)} has the same employee ID but another name. Correct one of them, or leave one out.`,
  unusualID: (digits: number, usual: number) =>
    digits === 1
      ? `This employee ID has only 1 digit. Employee IDs usually have ${formatNumber(usual)}.`
      : `This employee ID has ${formatNumber(digits)} digits. Employee IDs usually have ${formatNumber(usual)}.`,
  emailTaken: 'Another user has this email address:',
  phoneWithoutDigits: 'This phone number has no digits.',
  incompleteEmail: 'This email address seems to be incomplete: nothing like “.com” is at its end.',
  formerID: 'This is a former employee ID. The user who had it now has another one:',
  formerIDs: (from: string, to: string, count: number) =>
    `${plural(count, 'row')} have a former employee ID, such as ${from}, which is now ${to}.`,
  currentIDsFix: (count: number) => `Use the current employee IDs in ${plural(count, 'row')}`,
  rowsForUsers: (rows: number, count: number) =>
    `${plural(rows, 'row')} will be sent. They change ${users(count)}.`,
  restored: {
    text: (file: string, time: string, edits: number) =>
      edits === 0
        ? `Restored: ${file}, as you left it on ${time}.`
        : `Restored: ${file} with ${plural(edits, 'edit')}, as you left it on ${time}.`,
    where: 'Only this browser keeps it, until it is finished or you sign out, for at most a day.',
    discard: 'Discard this import',
  },
  replace: {
    title: (heading: string) => `Find and replace in "${heading}"`,
    find: 'Find',
    replaceWith: 'Replace with',
    wholeCell: 'Only if it is the whole cell',
    found: (count: number) => `Found in ${plural(count, 'row')}.`,
    confirm: (count: number) => `Replace in ${plural(count, 'row')}`,
    failed: "Couldn't replace the text",
  },
  emailOfRow: (name: string, row: number) =>
    `${name} in row ${formatNumber(row)} has the same email address.`,
  lostZeros: (digits: number, from: string, count: number) =>
    count === 1
      ? `Did a spreadsheet remove leading zeros? Employee IDs usually have ${plural(digits, 'digit')}, but the file has ${from}.`
      : `Did a spreadsheet remove leading zeros? Employee IDs usually have ${plural(digits, 'digit')}, but ${plural(count, 'row')} have fewer, such as ${from}.`,
  wrongColumn: (heading: string, count: number) =>
    `${plural(count, 'row')} ${count === 1 ? 'is' : 'are'} invalid because of the column "${heading}". The import can do without it.`,
  lastNameFirst: (from: string, count: number) =>
    count === 1
      ? `The last name comes first in "${from}".`
      : `The last name comes first in ${plural(count, 'name')}, such as "${from}".`,
  lastNameFirstFix: (to: string, count: number) =>
    count === 1 ? `Change it to "${to}"` : `Turn ${plural(count, 'name')} around: "${to}"`,
  spacedIDs: (from: string, count: number) =>
    count === 1
      ? `The employee ID "${from}" contains a space.`
      : `${plural(count, 'employee ID')} contain spaces, such as "${from}".`,
  spacedIDsFix: (to: string, count: number) =>
    count === 1 ? `Remove it: ${to}` : `Remove the spaces in ${plural(count, 'row')}: ${to}`,
  skipColumn: (heading: string) => `Skip the column "${heading}"`,
  fields: {
    title: 'What changes',
    line: (field: string, text: string) => `${field}: ${text}`,
    users,
    newOrganizations: (count: number, names: string) =>
      count === 1 ? `1 new organization (${names})` : `${formatNumber(count)} new organizations (${names})`,
    newTags: (count: number, names: string) =>
      count === 1 ? `1 new tag (${names})` : `${formatNumber(count)} new tags (${names})`,
  },
  andMore: (count: number) => `${formatNumber(count)} more`,
  confirm: {
    title: (count: number) => `Import ${users(count)}?`,
    numbers: 'What the import does',
    kinds: {
      created: (count: number) => (count === 1 ? '1 user is created.' : `${users(count)} are created.`),
      updated: (count: number) => (count === 1 ? '1 user is changed.' : `${users(count)} are changed.`),
      renamed: (count: number) =>
        count === 1 ? '1 user gets another employee ID.' : `${users(count)} get another employee ID.`,
      deactivated: (count: number) =>
        count === 1 ? '1 user is deactivated.' : `${users(count)} are deactivated.`,
      reactivated: (count: number) =>
        count === 1 ? '1 user is reactivated.' : `${users(count)} are reactivated.`,
    },
    passwords: {
      now: (count: number) =>
        count === 1
          ? '1 password is sent by email or SMS.'
          : `${plural(count, 'password')} are sent by email or SMS.`,
      hold: (count: number) =>
        count === 1
          ? '1 password is held until an administrator releases it.'
          : `${plural(count, 'password')} are held until an administrator releases them.`,
    },
    inactive: (count: number) =>
      count === 1
        ? '1 inactive user receives the password only once activated.'
        : `${plural(count, 'inactive user')} receive their passwords only once activated.`,
    leftOut: (count: number) =>
      count === 1 ? '1 invalid row is left out.' : `${plural(count, 'invalid row')} are left out.`,
    deactivation:
      "Deactivated users are signed out and lose their roles. Undoing the import reactivates them, but doesn't give their roles back.",
    renaming: 'Users without a username sign in with their new employee ID.',
    cannotRecall: "Passwords can't be recalled once they are sent.",
    now: 'The import runs right away.',
    onDate: (day: string) => `The import runs on ${day}.`,
    afterApproval: 'The import runs once someone else has approved it.',
    afterApprovalFrom: (day: string) =>
      `The import runs once someone else has approved it, but not before ${day}.`,
    start: { now: 'Start import', date: 'Schedule import', approval: 'Request approval' },
    failed: "Couldn't start the import",
  },
  result: {
    done: (count: number) => `Imported: ${users(count)}.`,
    kinds: (kinds: string) => `${kinds}.`,
    kind: {
      created: (count: number) => `${formatNumber(count)} new`,
      updated: (count: number) => `${formatNumber(count)} changed`,
      renamed: (count: number) => `${formatNumber(count)} with another employee ID`,
      deactivated: (count: number) => `${formatNumber(count)} deactivated`,
      reactivated: (count: number) => `${formatNumber(count)} reactivated`,
    },
    failed: (count: number) => (count === 1 ? '1 row failed.' : `${plural(count, 'row')} failed.`),
    leftOut: (count: number) =>
      count === 1 ? '1 invalid row was left out.' : `${plural(count, 'invalid row')} were left out.`,
    held: (count: number) =>
      count === 1
        ? '1 password message is held and has not been sent.'
        : `${plural(count, 'password message')} are held and have not been sent.`,
    release: 'View and release',
    parts: (count: number) =>
      `The rows were sent in ${plural(count, 'part')}, because the service takes only so many at once.`,
    call: (succeeded: number, failed: number) =>
      `${plural(succeeded, 'row')} succeeded, ${formatNumber(failed)} failed`,
    plannedCall: (planned: number, failed: number) =>
      `${plural(planned, 'row')} planned, ${formatNumber(failed)} failed`,
  },
  language: (language: string) =>
    `Messages to new users are in the language of this installation: ${language}. While a password is held, you can choose another language in the profile of the user.`,
  lostLetters:
    'Letters of this name seem to be lost. Correct the name, or save the file again as an Excel workbook (.xlsx) or as CSV UTF-8.',
};
