import { formatNumber, formatPercent } from '../format.js';
import { plural, users } from './plural.js';

const rows = (count: number) => plural(count, 'row');
const listed = new Intl.ListFormat('en', { type: 'conjunction' });

interface SafetyLimitCounts {
  readonly confirm?: number;
  readonly removed?: number;
  readonly deactivated?: number;
  readonly renamed?: number;
  readonly cleared?: number;
  readonly total?: number;
  readonly limitPercent?: number;
}

export const bulkCopy = {
  title: { update: 'Update users from a file', create: 'Create users from a file' },
  stepsLabel: 'Steps',
  steps: { file: 'File', columns: 'Columns', check: 'Review', run: 'Run', result: 'Result' },
  next: 'Next',
  back: 'Back',
  startOver: 'Upload another file',
  duplicateEmployeeID: (row: number) =>
    `This employee ID also appears in row ${formatNumber(row)}. Both rows are applied in order.`,
  safetyLimit: (counts: SafetyLimitCounts) => {
    const { confirm = 0, removed = 0, deactivated = 0, renamed = 0, cleared = 0 } = counts;
    const { total = 0, limitPercent = 0 } = counts;
    const effects = {
      remove: removed,
      deactivate: deactivated,
      'change the employee ID of': renamed,
      'clear the username, email or phone of': cleared,
    };
    const parts = Object.entries(effects).flatMap(([verb, count]) =>
      count > 0 ? [`${verb} ${formatNumber(count)}`] : [],
    );
    const share = total > 0 ? ` (${formatPercent(confirm / total)})` : '';
    return `This would ${listed.format(parts)} of ${users(total)}${share}, which exceeds the safety limit of ${formatPercent(limitPercent / 100)}.`;
  },

  file: {
    heading: 'Upload a file',
    hint: {
      update:
        'One row per user, matched by employee ID. Name and Active are required. Every other column updates the field it is matched to.',
      create:
        'One row per new user. Employee ID, Name, Active, and an email address or phone number are required.',
    },
    limit: (max: number) => `Up to ${formatNumber(max)} rows.`,
    drop: 'Drop a CSV or Excel (.xlsx) file here',
    choose: 'Choose file',
    pasteLabel: 'Or paste rows from a spreadsheet',
    pasteHint: 'Copy the cells including their headings, click here and paste.',
    pasted: 'Pasted rows',
    template: 'Download blank template',
    templateName: { update: 'update-users.csv', create: 'create-users.csv' },
    reading: (name: string) => `Reading ${name}`,
    readSoFar: (count: number) => `${rows(count)} so far`,
    cancel: 'Cancel',
    loaded: (name: string, count: number) => `${name}: ${rows(count)}`,
    cannotRead: (name: string) => `Couldn't read ${name}`,
    unreadable:
      "Your browser couldn't open the file. Make sure it hasn't been moved or renamed, then choose it again.",
  },

  columns: {
    heading: 'Match columns',
    hint: 'Columns are matched by their headings. Correct any that are wrong.',
    fieldFor: (heading: string) => `Field for "${heading}"`,
    skipped: 'Skip this column',
    noExample: 'empty',
    list: 'Columns in the file',
    nameOrder: (parts: string) => `Names are combined as: ${parts}`,
    swapName: 'Swap order',
    unknown: (headings: string) => `Skipped because no field matches: ${headings}.`,
    emptyLabel: 'Empty cells',
    emptyLeaves: 'Keep the current value',
    emptyClears: 'Clear the field',
    emptyHint: 'Employee ID, Name and Active are never cleared.',
    readOptions: 'File format',
    separator: 'Separator',
    separators: { ',': 'Comma (,)', ';': 'Semicolon (;)', '\t': 'Tab', '|': 'Pipe (|)' },
    encoding: 'Encoding',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16',
      'utf-16be': 'UTF-16 (big-endian)',
      'windows-1252': 'Western European (Windows)',
    },
    sheet: 'Sheet',
    headingRow: 'Heading row',
    needed: 'Before you continue',
    missing: (fields: string, kind: 'update' | 'create') =>
      `${kind === 'update' ? 'Updates' : 'New users'} require ${fields}. Choose the matching column.`,
    contactMissing: 'New users require an email address or phone number. Choose the matching column.',
    nothingMapped: 'No headings were recognized. Choose a field for each column.',
    notJoined: (field: string) => `${field} is matched to several columns. Choose one.`,
    and: ' and ',
  },

  check: {
    heading: 'Review changes',
    editHint: "Click a cell to edit it, or select it and press Enter. Your file isn't changed.",
    reading: 'Checking rows',
    previewing: (done: number, all: number) => `Previewed ${formatNumber(done)} of ${rows(all)}`,
    stopped: "Couldn't preview the changes",
    checked: 'All rows checked. Nothing has been changed yet.',
    counts: {
      changes: { update: 'to update', create: 'to create' },
      renames: 'with a new employee ID',
      deactivates: 'to deactivate',
      unchanged: 'unchanged',
      error: 'with errors',
      waiting: 'not checked yet',
    },
    show: 'Show',
    filters: { all: 'All', problems: 'Problems', changes: 'Changes' },
    nothing: { all: 'No rows left', problems: 'No problems', changes: 'No changes' },
    table: 'Rows and their changes',
    number: 'Row',
    state: 'Change',
    states: {
      error: 'Error',
      waiting: '…',
      unchanged: 'No change',
      created: 'Create',
      updated: 'Update',
      renamed: 'New ID',
      deactivated: 'Deactivate',
    },
    cellPrefix: (heading: string, row: number) => `${heading}, row ${formatNumber(row)}:`,
    editLabel: (heading: string, row: number) => `${heading}, row ${formatNumber(row)}`,
    empty: 'empty',
    was: 'was',
    becomes: 'becomes',
    errorsSkipped: (count: number) =>
      count === 1
        ? '1 row has an error and will be skipped. Fix it here, or download it after the run.'
        : `${rows(count)} have errors and will be skipped. Fix them here, or download them after the run.`,
    acrossChunks: (count: number, perChunk: number) =>
      `The rows are sent in ${formatNumber(count)} parts of up to ${rows(perChunk)}. The preview of each part ignores the parts before it. Rows that use an employee ID from an earlier part may show an error here and still succeed.`,
    safetyLimit: 'You will be asked to confirm',
    deliver: 'Passwords',
    deliverHint: (count: number) =>
      `${users(count)} will receive a password by email, or by SMS if they have no email address. A password is generated unless the file contains one.`,
    deliverNow: 'Send now',
    deliverHold: 'Hold until an administrator releases them',
    run: {
      update: (count: number) => `Update ${users(count)}`,
      create: (count: number) => `Create ${users(count)}`,
    },
    otherTab: 'A run is in progress in another tab',
    otherTabHint:
      'Two runs at the same time can interfere with each other. Wait for the other run to finish, or run this one anyway.',
    runAnyway: 'Run anyway',
  },

  run: {
    heading: { running: 'Running', stopping: 'Stopping', paused: 'Paused', ended: 'Done' },
    progress: 'Progress',
    sent: (done: number, all: number) => `${formatNumber(done)} of ${rows(all)}`,
    succeeded: 'succeeded',
    failed: 'failed',
    rate: (perSecond: number) => `${rows(perSecond)} per second`,
    sending: (count: number) => `Sending ${rows(count)}.`,
    stop: 'Stop after this part',
    stopHint: 'Completed changes are kept and can be undone.',
    resume: 'Continue',
    end: 'End and view result',
    paused: {
      failed: "Couldn't continue",
      interrupted: 'The service stopped partway through',
      stopped: 'Run stopped',
      session: 'Your session has expired',
      safetyLimit: 'Confirm these changes',
    },
    nothingTwice: 'Completed changes are kept and will not be repeated.',
    stoppedHint: (count: number) =>
      count === 1 ? '1 row has not been sent.' : `${rows(count)} have not been sent.`,
    sessionHint: 'Sign in again to continue the run.',
    confirm: (count: number) => `Change ${users(count)}`,
    nothingDone: 'Nothing in this part has been changed yet.',
    keepOpen: 'Keep this tab open until the run finishes.',
    leaving: {
      title: 'Leave this page?',
      hint: 'The run continues while this tab is open. If it needs your input, it waits until you return.',
      stay: 'Stay',
      leave: 'Leave page',
    },
  },

  result: {
    heading: 'Result',
    allDone: (count: number) => (count === 1 ? '1 row succeeded.' : `All ${rows(count)} succeeded.`),
    counts: {
      done: 'succeeded',
      failed: 'failed',
      planned: 'awaiting approval',
      undone: 'undone',
      unknown: 'unconfirmed',
      notSent: 'not sent',
    },
    filters: {
      all: 'All',
      failed: 'Failed',
      done: 'Succeeded',
      planned: 'Awaiting approval',
      undone: 'Undone',
      unknown: 'Unconfirmed',
      notSent: 'Not sent',
    },
    states: {
      done: 'Succeeded',
      failed: 'Failed',
      planned: 'Waiting',
      undone: 'Undone',
      unknown: 'Unconfirmed',
      notSent: 'Not sent',
    },
    unknownHint: (count: number) =>
      `The service did not confirm ${rows(count)}. Check them again: rows that went through show no change, or an employee ID that is already taken.`,
    table: 'Rows and their results',
    state: 'Result',
    nothing: 'No matches',
    download: (count: number) => `Download ${plural(count, 'failed row')}`,
    downloadHint: 'The download is a CSV file with a Problem column. Correct the rows and upload it again.',
    downloadName: (file: string) => `failed-${file.replace(/\.[^.]*$/, '')}.csv`,
    problemColumn: 'Problem',
    fix: 'Fix here',
    runRest: (count: number) => `Continue with the remaining ${rows(count)}`,
    runAgain: 'Run the undone rows again',
    undo: 'Undo all changes',
    calls: 'Parts',
    call: (number: number, succeeded: number, failed: number) =>
      `Part ${formatNumber(number)}: ${formatNumber(succeeded)} succeeded, ${formatNumber(failed)} failed`,
    plannedCall: (number: number, planned: number, failed: number) =>
      `Part ${formatNumber(number)}: ${formatNumber(planned)} awaiting approval, ${formatNumber(failed)} failed`,
    plannedTitle: 'Awaiting approval',
    plannedHint: (count: number) =>
      `${rows(count)} ${count === 1 ? 'exceeds' : 'exceed'} the safety limit, so someone else has to approve ${count === 1 ? 'it' : 'them'}. Nothing has changed for ${count === 1 ? 'it' : 'them'} yet.`,
    undone: 'undone',
    inActivity: 'View in Activity',
  },
};
