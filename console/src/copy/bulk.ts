import type { Lookalike } from '@rollcall/sheets';
import { formatNumber } from './format.js';

const rows = (count: number) => (count === 1 ? '1 row' : `${formatNumber(count)} rows`);
const people = (count: number) => (count === 1 ? '1 person' : `${formatNumber(count)} people`);

const lookalikes: Readonly<Record<Lookalike, string>> = {
  pdf: 'a PDF document',
  png: 'a picture',
  jpeg: 'a picture',
  gif: 'a picture',
  xls: 'a workbook of an old Excel (.xls)',
  encrypted: 'a workbook that is protected by a password',
  xlsb: 'a binary workbook (.xlsb)',
  ods: 'an OpenDocument spreadsheet (.ods)',
  numbers: 'a spreadsheet of Apple Numbers',
  docx: 'a text document',
  zip: 'a ZIP archive',
  gzip: 'a packed file',
  html: 'a web page',
  xml: 'an XML file',
  rtf: 'a text document',
  binary: 'something else than a table',
};
const saveAs =
  'Open it in your spreadsheet program, save it as CSV or Excel workbook (.xlsx), and take that file.';

export const bulkCopy = {
  title: { update: 'Update from a file', create: 'Create from a file' },
  stepsLabel: 'Steps',
  steps: { file: 'File', columns: 'Columns', check: 'Check', run: 'Run', result: 'Result' },
  stepOf: (at: number, all: number, name: string) => `Step ${at} of ${all}: ${name}`,
  next: 'Next',
  back: 'Back',
  rows,
  row: (n: number) => `Row ${formatNumber(n)}`,
  rowInSentence: (n: number) => `row ${formatNumber(n)}`,
  safetyLimit: (counts: {
    readonly confirm?: number;
    readonly removed?: number;
    readonly deactivated?: number;
    readonly renamed?: number;
    readonly total?: number;
    readonly limitPercent?: number;
  }) => {
    const { confirm = 0, removed = 0, deactivated = 0, renamed = 0, total = 0, limitPercent = 0 } = counts;
    const verbs = { remove: removed, deactivate: deactivated, rename: renamed };
    const parts = Object.entries(verbs).flatMap(([verb, users]) =>
      users > 0 ? [`${verb} ${formatNumber(users)}`] : [],
    );
    const share = ((confirm / total) * 100).toFixed(1);
    return `This would ${parts.join(' and ')} of ${formatNumber(total)} users (${share}%), which exceeds the safety limit of ${limitPercent}%.`;
  },
  startOver: 'Take another file',

  file: {
    heading: 'Which file?',
    hint: {
      update:
        'A table with one person in each row, found by employee ID. Name and whether they are active have to be in it; other columns change what they name.',
      create:
        'A table with one new person in each row: employee ID, name, whether they are active, and an email or a phone number.',
    },
    drop: 'Drop a CSV file or an Excel workbook (.xlsx) here',
    choose: 'Choose a file',
    pasteLabel: 'Or paste rows from a spreadsheet',
    pasteHint: 'Copy the cells with their headings, click here and paste.',
    pasted: 'Pasted rows',
    template: 'Download an empty template',
    templateName: { update: 'update-people.csv', create: 'create-people.csv' },
    reading: (name: string) => `Reading ${name}`,
    readSoFar: (count: number) => `${rows(count)} so far`,
    cancel: 'Stop reading',
    taken: (name: string, count: number) => `${name}: ${rows(count)}`,
    cannot: (name: string) => `${name} cannot be taken`,
    limit: (max: number) => `Up to ${formatNumber(max)} rows.`,
    failures: {
      EMPTY: 'There is nothing in it. Did you save the file before you chose it?',
      ONLY_HEADINGS: 'It has headings but no rows under them. Add a row for each person.',
      NOT_A_TABLE: (seems: Lookalike) => `It seems to be ${lookalikes[seems]}. ${saveAs}`,
      ENCODING_BROKEN: (line: number) =>
        `Its text is damaged in line ${formatNumber(line)}. Save it again as "CSV UTF-8", or as an Excel workbook (.xlsx).`,
      QUOTE_UNFINISHED: (line: number) =>
        `In line ${formatNumber(line)} a quotation mark (") begins a text that never ends. Close it or take it away.`,
      ROW_TOO_LONG: (line: number, max: number) =>
        `Line ${formatNumber(line)} is longer than ${formatNumber(max)} characters. Most likely a quotation mark (") before it is not closed.`,
      TOO_MANY_COLUMNS: (max: number) =>
        `It has more than ${formatNumber(max)} columns. Keep those that are needed, and delete the others.`,
      TOO_MANY_ROWS: (max: number) =>
        `It has more than ${formatNumber(max)} rows, which is as many as can be done here. Cut it into several files.`,
      JSON_BROKEN: (line: number) =>
        `It looks like JSON, but cannot be read from line ${formatNumber(line)} on.`,
      SHEET_UNKNOWN: (sheet: string) => `It has no sheet "${sheet}".`,
      WORKBOOK_DAMAGED: 'The workbook is damaged. Open it in your spreadsheet program and save it anew.',
      WORKBOOK_TOO_LARGE: 'The workbook is too large when unpacked. Save the sheet as CSV and take that.',
      UNREADABLE:
        'Your browser could not read it. Check that the file is still where it was, and choose it again.',
    },
  },

  columns: {
    heading: 'What is in the columns?',
    hint: 'Guessed from the headings. Change what is wrong.',
    goesInto: (heading: string) => `"${heading}" goes into`,
    leftOut: 'Left out',
    examples: 'First rows',
    noExample: 'empty',
    list: 'Columns of the file',
    nameJoined: (parts: string) => `Names are put together as: ${parts}`,
    turnName: 'Turn around',
    unknown: (headings: string) => `Left out, because nothing fits their headings: ${headings}.`,
    doubled: (heading: string) => `More than one column is called "${heading}".`,
    warnings: {
      NUMBER_FORMAT: (heading: string, row: number) =>
        `In "${heading}" the sheet shows numbers in another way than they are stored (first in row ${formatNumber(row)}). Where the digits differ, the row is wrong: format the column as text.`,
      LONG_NUMBER: (heading: string, row: number) =>
        `"${heading}" has numbers with more digits than a spreadsheet keeps (first in row ${formatNumber(row)}). Format the column as text and enter the values again.`,
      FORMULA_WITHOUT_VALUE: (heading: string, row: number) =>
        `"${heading}" has formulas without a result (first in row ${formatNumber(row)}). Open the file in Excel and save it so formulas are calculated.`,
      CELLS_WITHOUT_HEADING: (heading: string, row: number) =>
        `Column ${heading} has cells but no heading (first in row ${formatNumber(row)}).`,
      HIDDEN_ROWS: (row: number, count: number) =>
        `${rows(count)} of the sheet are hidden (first row ${formatNumber(row)}). They are taken too.`,
      MERGED_CELLS: (count: number) =>
        `${formatNumber(count)} groups of cells are merged. Only the first cell of each has the value; rows that need another one are wrong.`,
    },
    emptyLabel: 'An empty cell',
    emptyLeaves: 'leaves the field as it is',
    emptyClears: 'clears the field',
    emptyHint: 'Name, Active and the employee ID are never cleared.',
    howRead: 'How the file was read',
    separator: 'Separator',
    separators: { ',': 'Comma ,', ';': 'Semicolon ;', '\t': 'Tab', '|': 'Bar |' },
    encoding: 'Encoding',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16',
      'utf-16be': 'UTF-16 (big endian)',
      'windows-1252': 'Windows (Western European)',
    },
    sheet: 'Sheet',
    headingRow: 'Headings are in row',
    needed: 'Before you can go on',
    missing: (fields: string, kind: 'update' | 'create') =>
      `${kind === 'update' ? 'The update' : 'A new person'} needs ${fields}. Choose the column that has it.`,
    contactMissing: 'A new person needs an email or a phone number. Choose the column that has it.',
    nothingMapped: 'None of the headings is known. Choose for each column what is in it.',
    notJoined: (field: string) => `${field} is chosen for more than one column. Leave it at one.`,
    otherProblem: (text: string) => text,
    and: ' and ',
  },

  check: {
    heading: 'What will happen?',
    reading: 'Looking at the rows',
    previewing: (done: number, all: number) => `Asking the service: ${formatNumber(done)} of ${rows(all)}`,
    stopped: 'The preview could not be made',
    checked: 'Every row was checked. Nothing has been changed yet.',
    counts: {
      changes: { update: 'to change', create: 'to create' },
      renames: 'to rename',
      deactivates: 'to deactivate',
      unchanged: 'unchanged',
      wrong: 'wrong',
      waiting: 'not checked yet',
    },
    show: 'Show',
    filters: { all: 'All', problems: 'Problems', changes: 'Changes' },
    nothing: {
      all: 'There are no rows left to do.',
      problems: 'No row has a problem.',
      changes: 'No row changes anything.',
    },
    table: 'Rows and what each will do',
    number: 'Row',
    state: 'Effect',
    states: {
      wrong: 'Wrong',
      waiting: '…',
      unchanged: 'Unchanged',
      created: 'Create',
      updated: 'Change',
      renamed: 'Rename',
      deactivated: 'Deactivate',
    },
    cellBefore: (heading: string, row: number) => `${heading}, row ${formatNumber(row)}:`,
    mendLabel: (heading: string, row: number) => `${heading}, row ${formatNumber(row)}`,
    mendHint: 'A cell can be changed here: click it, or press Enter on it. Your file stays as it is.',
    empty: 'empty',
    was: 'was',
    becomes: 'becomes',
    wrongLeftOut: (count: number) =>
      count === 1
        ? '1 row will not be done, because something in it is wrong. You can mend it here, or download it after the run.'
        : `${rows(count)} will not be done, because something in them is wrong. You can mend them here, or download them after the run.`,
    acrossCalls: (count: number, perCall: number) =>
      `The rows are sent as ${formatNumber(count)} calls of up to ${formatNumber(perCall)}. The preview of a call does not see what the calls before it will do: where people are renamed in one call and selected by the new ID in a later one, the run is right and the preview is not.`,
    brake: 'This will need your confirmation',
    deliver: 'Passwords',
    deliverHint: (count: number) =>
      `${people(count)} will each get a message with a password to sign in with: by email, or by SMS without one. Passwords in the file are used; where there is none, one is made.`,
    deliverNow: 'Send the messages now',
    deliverHold: 'Hold the messages back until an administrator releases them',
    run: {
      update: (count: number) => `Update ${people(count)}`,
      create: (count: number) => `Create ${people(count)}`,
    },
    otherTab: 'Another tab is at work',
    otherTabHint:
      'Another tab of this browser is running a file at this moment. Two runs at once may get into each other’s way. Wait for it, or run this one all the same.',
    runAnyway: 'Run all the same',
  },

  run: {
    heading: { running: 'Running', stopping: 'Stopping after this part', paused: 'Paused', ended: 'Done' },
    progress: 'Progress of the run',
    sent: (done: number, all: number) => `${formatNumber(done)} of ${rows(all)}`,
    succeeded: 'done',
    failed: 'failed',
    rate: (perSecond: number) => `${formatNumber(perSecond)} ${perSecond === 1 ? 'row' : 'rows'} a second`,
    part: (count: number) => `${rows(count)} are with the service now.`,
    stop: 'Stop after this part',
    stopHint: 'What has been done by then stays, and can be undone.',
    goOn: 'Go on',
    end: 'End here and see the result',
    paused: {
      failed: 'Something got in the way',
      brokeOff: 'The service stopped in the middle of this part',
      cancelled: 'You stopped the run',
      session: 'Your session has ended',
      braked: 'Is this meant?',
    },
    nothingTwice: 'What has been done stays. When you go on, nothing is done twice.',
    cancelledHint: (count: number) => `${rows(count)} have not been sent.`,
    sessionHint: 'Sign in again; the run goes on by itself.',
    brakeConfirm: (count: number) => `Yes, do this to ${people(count)}`,
    brakeNothing: 'Nothing of this part has been done yet.',
    keepOpen: 'Keep this tab open until it has ended.',
    leaveTitle: 'Leave while it runs?',
    leaveHint:
      'The run goes on as long as this tab is open, and you find it here when you come back. If it needs you, it waits.',
    stay: 'Stay here',
    leave: 'Leave this page',
  },

  result: {
    heading: 'What came of it',
    allDone: (count: number) => `All ${rows(count)} are done.`,
    counts: {
      done: 'done',
      failed: 'failed',
      undone: 'undone',
      unknown: 'without an answer',
      notSent: 'not sent',
    },
    filters: {
      all: 'All',
      failed: 'Failed',
      done: 'Done',
      undone: 'Undone',
      unknown: 'Without an answer',
      notSent: 'Not sent',
    },
    states: { done: 'Done', failed: 'Failed', undone: 'Undone', unknown: 'No answer', notSent: 'Not sent' },
    unknownHint: (count: number) =>
      `${rows(count)} were sent, but no answer came, so they may be done or not. Check them again: what is done already shows as unchanged, or as taken.`,
    table: 'Rows and what came of each',
    state: 'Result',
    nothing: 'No row is like that.',
    download: (count: number) => `Download the ${rows(count)} that failed`,
    downloadHint: 'As a CSV file with a column "Problem", which you can mend and take in here again.',
    downloadName: (file: string) => `failed-${file.replace(/\.[^.]*$/, '')}.csv`,
    problemColumn: 'Problem',
    mend: 'Mend them here',
    runRest: (count: number) => `Go on with the ${rows(count)} that are left`,
    runAgain: 'Run the undone rows again',
    undo: 'Undo everything',
    undoOf: 'Undo what was done',
    calls: 'Calls',
    call: (at: number, done: number, failed: number) =>
      `Part ${formatNumber(at)}: ${formatNumber(done)} done, ${formatNumber(failed)} failed`,
    undone: 'undone',
    inActivity: 'See it in Activity',
  },

  undo: {
    title: 'Undo what was done?',
    looking: 'Asking the service what can be put back',
    would: (restored: number, left: number, kind: 'update' | 'create') =>
      `${people(restored)} will be ${kind === 'create' ? 'removed again' : 'put back as they were'}${left === 0 ? '.' : `; ${people(left)} will be left as they are.`}`,
    nothing: 'There is nothing that could be put back.',
    severalCalls: 'The parts are undone one after the other, the last one first.',
    confirm: 'Undo',
    undoing: 'Undoing',
    cannot: 'It could not be undone',
    done: (restored: number, kind: 'update' | 'create') =>
      `${people(restored)} ${restored === 1 ? 'was' : 'were'} ${kind === 'create' ? 'removed again' : 'put back as they were'}.`,
    left: (count: number) => `${people(count)} could not be put back:`,
    more: (count: number) => `… and ${formatNumber(count)} more, which Activity lists.`,
  },

  employeeIdTwice: (row: number) =>
    `The employee ID is in row ${formatNumber(row)} already; both are done, in their order.`,
};
