import { type SafetyLimitCounts, safetyLimitText } from '@rollcall/sheets';
import { formatNumber } from '../format.js';
import { plural, users } from './plural.js';

const rows = (count: number) => plural(count, 'row');

export const importCopy = {
  title: 'Import users',
  section: { running: (percent: number) => `${percent}%`, done: '✓ Done', paused: 'Paused' },
  stepsLabel: 'Steps',
  steps: { file: 'File', columns: 'Columns', names: 'Names', check: 'Check', run: 'Run', result: 'Result' },
  next: 'Next',
  back: 'Back',
  startOver: 'Import another file',
  duplicateEmployeeID: (row: number) => `This employee ID also appears in row ${formatNumber(row)}.`,
  contactRequired: 'A user needs an email address or a phone number.',
  nameRequired: 'The name is missing. A new user needs one.',
  managerNotById: 'The column must contain employee IDs, not names.',
  safetyLimit: (counts: SafetyLimitCounts) => safetyLimitText(counts, formatNumber),

  file: {
    heading: 'Choose a file',
    hint: 'New employee IDs are created and existing users are updated. Any file with an employee ID and one more column will do. Fields without a column stay as they are.',
    limit: (max: number) => `Up to ${formatNumber(max)} rows.`,
    safe: 'You see a preview first. Nothing changes until you confirm it.',
    drop: 'Drop a CSV or Excel (.xlsx) file here',
    choose: 'Choose file',
    pasteLabel: 'Or paste rows from a spreadsheet',
    pasteHint: 'Copy the cells including their headings, click here and paste.',
    pasted: 'Pasted rows',
    template: 'Download blank template',
    templateName: 'import-users.csv',
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
    letter: 'Column',
    inFile: 'In the file',
    examples: 'First values',
    field: 'Field',
    fieldFor: (heading: string) => `Field for "${heading}"`,
    skipped: 'Skip this column',
    skippedColumns: (count: number, names: string) =>
      count === 1 ? `1 column is skipped: ${names}` : `${formatNumber(count)} columns are skipped: ${names}`,
    takeAs: (field: string) => `Use as ${field}`,
    takeAsFor: (field: string, heading: string) => `Use as ${field}: "${heading}"`,
    managerEmployeeID: 'Manager (employee ID)',
    addAttribute: 'Add as attribute…',
    addAttributeFor: (heading: string) => `Add as attribute: "${heading}"`,
    attributesHint:
      'Columns without a field can become attributes, which administrators add in the settings.',
    noExample: 'empty',
    list: 'Columns in the file',
    nameOrder: (parts: string) => `Names are combined as: ${parts}`,
    swapName: 'Swap order',
    emptyLabel: 'Empty cells',
    emptyLeaves: 'Keep the current value',
    emptyClears: 'Clear the field',
    emptyHint: 'Employee ID, Name and Active are never cleared.',
    missingLabel: 'Deactivate users who are not in this file',
    missingHint:
      'Only for files that list everyone. You see who they are before anything changes, and neither you nor anyone with a role is one of them. Users in the file become active, unless it has a column for that.',
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
    idMissing: 'Choose the column that contains the employee ID.',
    onlyID: 'Choose a field for at least one more column.',
    nothingMapped: 'No headings were recognized. Choose a field for each column.',
    notJoined: (field: string) => `${field} is matched to several columns. Choose one.`,
    and: ' and ',
  },

  names: {
    heading: 'Match names',
    hint: "The file names organizations or tags that the directory doesn't have, or that share a name with others. Choose what each name means. If you leave out an organization, its users keep the one they have; a tag that you leave out is ignored. Your choices are remembered for the next file.",
    strict: 'Add new organizations and tags under Organizations and Tags first.',
    rows: (count: number, first: number) =>
      count === 1 ? `Row ${formatNumber(first)}.` : `${rows(count)}, first in row ${formatNumber(first)}.`,
    ambiguous: 'Several have this name.',
    meaning: (name: string) => `Meaning of "${name}"`,
    choose: 'Choose…',
    proposed: 'Suggested, because only the spelling differs.',
    use: (entry: string) => `Use ${entry}`,
    useOther: 'Use another one…',
    useExisting: 'Use an existing one…',
    existing: { organizations: 'Existing organization', tags: 'Existing tag' },
    create: { organizations: 'Create a new organization', tags: 'Create a new tag' },
    leaveOut: 'Leave out',
    createAll: (count: number) => `Create all ${formatNumber(count)}`,
    leaveOutAll: (count: number) => `Leave out all ${formatNumber(count)}`,
    recognized: 'Recognized by another name',
    decidedBefore: (entry: string) => `${entry}, as chosen before`,
    leftOutBefore: 'Left out, as chosen before',
    former: (entry: string) => `${entry}, formerly called this`,
    showMore: (count: number) => `Show ${formatNumber(count)} more`,
    left: (count: number) =>
      count === 0 ? 'All names are matched.' : `${plural(count, 'name')} left to match.`,
    failed: "Couldn't look up the organizations and tags",
  },

  check: {
    heading: 'Check the changes',
    editHint:
      "Click a cell to edit it, or move with the arrow keys and press Enter. Click a heading to find and replace, or a row number to see what the row changes or to leave it out (Delete). Your file isn't changed.",
    leaveOutRow: 'Leave out this row',
    leftOutRows: (count: number) => `${rows(count)} left out.`,
    takeBackRows: 'Include again',
    onlyProblemColumns: 'Only columns with problems',
    undoEdit: (heading: string, count: number) =>
      count === 1 ? `Undo edit in "${heading}"` : `Undo edit of ${rows(count)} in "${heading}"`,
    edited: (row: number, state: string, problem: string) =>
      `Row ${formatNumber(row)}: ${state}. ${problem}`.trim(),
    user: (name: string, employeeID: string) => `${name} (${employeeID})`,
    use: (text: string) => `Use ${text}`,
    inNewTab: 'Opens in a new tab',
    reading: 'Checking rows',
    listing: (count: number) => `Looking for users who are not in the file: ${users(count)} so far`,
    previewing: (done: number, all: number) => `Checked ${formatNumber(done)} of ${rows(all)}`,
    stopped: "Couldn't check the rows",
    checked: 'All rows checked. Nothing has been changed yet.',
    filter: 'Show rows',
    counts: {
      all: 'All',
      toReview: 'To review',
      created: 'New',
      updated: 'Changed',
      renamed: 'New employee ID',
      deactivated: 'Deactivated',
      reactivated: 'Reactivated',
      unchanged: 'Unchanged',
      invalid: 'Invalid',
      waiting: 'Not checked yet',
      warnings: 'With warnings',
    },
    nothing: 'No rows',
    table: 'Rows and their changes',
    number: 'Row',
    notInFile: 'Not in the file',
    state: 'Change',
    states: {
      created: 'New',
      updated: 'Changed',
      renamed: 'New ID',
      deactivated: 'Deactivated',
      reactivated: 'Reactivated',
      unchanged: 'Unchanged',
      invalid: 'Invalid',
      waiting: '…',
    },
    details: (row: number) => `Details of row ${formatNumber(row)}`,
    detailsOf: (employeeID: string) => `Details of ${employeeID}`,
    cellPrefix: (heading: string, row: number) => `${heading}, row ${formatNumber(row)}:`,
    editLabel: (heading: string, row: number) => `${heading}, row ${formatNumber(row)}`,
    empty: 'empty',
    inFile: 'In the file:',
    was: 'was',
    becomes: 'becomes',
    keepActive: 'Keep active',
    keepActiveLabel: (name: string) => `Keep active: ${name}`,
    notInFileColumn: 'Not in the file',
    kept: (count: number) =>
      count === 1
        ? '1 user who is not in the file stays active.'
        : `${users(count)} who are not in the file stay active.`,
    sparedRoles: (count: number) =>
      count === 1
        ? '1 user who is not in the file stays active, because they have a role.'
        : `${users(count)} who are not in the file stay active, because they have a role.`,
    keepNobody: 'Deactivate them after all',
    invalidHint: (count: number) =>
      count === 1
        ? '1 row is invalid and will be skipped. Fix it here, or download it.'
        : `${rows(count)} are invalid and will be skipped. Fix them here, or download them.`,
    acrossChunks: (count: number, perChunk: number) =>
      `The rows are sent in ${formatNumber(count)} parts of up to ${rows(perChunk)}. The check of each part ignores the parts before it. Rows that use an employee ID from an earlier part may be invalid here and still succeed.`,
    safetyLimit: 'You will be asked to confirm',
    lostZeros: (from: string, to: string, count: number) =>
      count === 1
        ? `Did a spreadsheet remove leading zeros? There is a user ${to}, but the file has ${from}.`
        : `Did a spreadsheet remove leading zeros? For ${rows(count)}, such as ${from}, there is a user with zeros: ${to}.`,
    lostZerosFix: (from: string, to: string, count: number) =>
      count === 1 ? `Change ${from} → ${to}` : `Change ${from} → ${to} in ${rows(count)}`,
    sameText: (heading: string, from: string, count: number) =>
      count === 1
        ? `1 more row has "${from}" in ${heading}.`
        : `${rows(count)} more have "${from}" in ${heading}.`,
    sameTextFix: (from: string, to: string, count: number) =>
      count === 1
        ? `Change "${from}" → "${to}" there too`
        : `Change "${from}" → "${to}" in all ${rows(count)}`,
    dismiss: 'No',
    missing: (missing: number, active: number, percent: string) =>
      `${users(missing)} of ${formatNumber(active)} active (${percent}%) ${missing === 1 ? 'is' : 'are'} not in this file and will be deactivated.`,
    tooManyMissing: (missing: number, active: number, percent: string, max: number) =>
      `${users(missing)} of ${formatNumber(active)} active (${percent}%) ${missing === 1 ? 'is' : 'are'} not in this file, but at most ${max}% may be deactivated. Is the file complete?`,
    tooManyMissingTitle: 'Too many users are missing',
    percentLabel: 'Deactivate at most (%)',
    raise: (percent: number) => `Allow ${percent}%`,
    unreadableIDs: (count: number) =>
      count === 1
        ? '1 row has no valid employee ID, so nobody can be said to be missing. Fix it first.'
        : `${rows(count)} have no valid employee ID, so nobody can be said to be missing. Fix them first.`,
    options: 'Options',
    deliver: 'Passwords',
    deliverHint: (count: number) =>
      `${users(count)} will receive a password by email, or by SMS if they have no email address. A password is generated unless the file contains one.`,
    deliverNow: 'Send now',
    deliverHold: 'Hold until an administrator releases them',
    when: 'When',
    now: 'Run now',
    onDate: 'Run on a date',
    approval: 'Ask for approval',
    day: 'Date',
    dayHint: 'At the beginning of the day, in the time zone of the service.',
    notBefore: 'Not before (optional)',
    planHint:
      'The import does what you see here. Rows whose outcome has changed by then are skipped and reported.',
    approvalHint: 'Someone else with permission to change users has to approve it.',
    planTooLarge: (max: number) =>
      `Only imports of up to ${rows(max)} can be scheduled, because they have to be one bulk change. Split the file.`,
    note: 'Note (optional)',
    noteHint: 'Shown with this import in Activity.',
    run: {
      now: (count: number) => `Import ${users(count)}…`,
      date: (count: number) => `Schedule ${users(count)}…`,
      approval: (count: number) => `Ask for approval of ${users(count)}…`,
    },
    nothingToRun: 'Nothing to change',
    otherTab: 'A run is in progress in another tab',
    otherTabHint:
      'Two runs at the same time can interfere with each other. Wait for the other run to finish, or run this one anyway.',
    runAnyway: 'Run anyway',
  },

  invalid: {
    download: (count: number) => `Download ${plural(count, 'invalid row')}`,
    asWorkbook: 'Excel workbook (.xlsx)',
    asCsv: (separator: string, encoding: string) => `CSV: ${separator}, ${encoding}`,
    hint: 'The downloaded file says in its Problem column what to correct. Then import it.',
    fileName: (file: string) => `invalid-${file.replace(/\.[^.]*$/, '')}`,
    problemColumn: 'Problem',
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
    notify: "Notify me when it's done",
    notifyOn: "You'll get a notification when it's done.",
    notifyOff: 'Your browser blocks notifications from this site.',
    announceDone: (file: string) => `Import finished: ${file}`,
    announcePaused: 'The import needs your attention.',
    resume: 'Continue',
    end: 'End and view result',
    paused: {
      failed: "Couldn't continue",
      interrupted: 'The service stopped partway through',
      stopped: 'Run stopped',
      session: 'Your session has ended',
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
    allDone: (count: number) => `Import complete: ${users(count)}.`,
    filter: 'Show rows',
    counts: {
      all: 'All',
      created: 'New',
      updated: 'Changed',
      renamed: 'New employee ID',
      deactivated: 'Deactivated',
      reactivated: 'Reactivated',
      planned: 'Planned',
      unchanged: 'Unchanged',
      invalid: 'Invalid',
      undone: 'Undone',
      unknown: 'Unconfirmed',
      notSent: 'Not sent',
    },
    states: {
      created: 'New',
      updated: 'Changed',
      renamed: 'New ID',
      deactivated: 'Deactivated',
      reactivated: 'Reactivated',
      planned: 'Planned',
      unchanged: 'Unchanged',
      invalid: 'Invalid',
      undone: 'Undone',
      unknown: 'Unconfirmed',
      notSent: 'Not sent',
    },
    unknownHint: (count: number) =>
      `The service did not confirm ${rows(count)}. Check them again: rows that went through show no change, or an employee ID that is already taken.`,
    table: 'Rows and their results',
    state: 'Result',
    nothing: 'No rows',
    fix: (count: number) => `Fix ${plural(count, 'invalid row')} here`,
    runRest: (count: number) => `Continue with the remaining ${rows(count)}`,
    runAgain: 'Run the undone rows again',
    undo: 'Undo this import',
    calls: 'Parts',
    call: (number: number, succeeded: number, failed: number) =>
      `Part ${formatNumber(number)}: ${formatNumber(succeeded)} succeeded, ${formatNumber(failed)} failed`,
    plannedCall: (number: number, planned: number, failed: number) =>
      `Part ${formatNumber(number)}: ${formatNumber(planned)} planned, ${formatNumber(failed)} failed`,
    plannedTitle: {
      now: 'Awaiting approval',
      date: (day: string) => `Planned for ${day}`,
      approval: 'Awaiting approval',
      approvalFrom: (day: string) => `Awaiting approval, then on ${day}`,
    },
    plannedHint: {
      now: (count: number) =>
        count === 1
          ? '1 row exceeds the safety limit, so someone else has to approve it. Nothing has changed for it yet.'
          : `${rows(count)} exceed the safety limit, so someone else has to approve them. Nothing has changed for them yet.`,
      date: (count: number) =>
        count === 1
          ? 'Nothing has changed yet. 1 row is applied on that day, as you checked it.'
          : `Nothing has changed yet. ${rows(count)} are applied on that day, as you checked them.`,
      approval: (count: number) =>
        count === 1
          ? 'Nothing has changed yet. 1 row is applied once someone else has approved it.'
          : `Nothing has changed yet. ${rows(count)} are applied once someone else has approved them.`,
    },
    plannedView: 'View the scheduled change',
    undone: (part: string) => `${part} (undone)`,
    inActivity: 'View in Activity',
  },
};
