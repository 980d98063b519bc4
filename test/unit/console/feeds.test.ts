import { describe, expect, test } from 'vitest';
import { feedHealth } from '../../../console/src/components/feeds.js';
import { formatDate, formatDay, formatTime } from '../../../console/src/copy/format.js';
import {
  comparable,
  isOnlyPlanned,
  isUndoable,
  resultOf,
  sourceText,
} from '../../../console/src/feeds/feed.js';
import { findingText } from '../../../console/src/feeds/finding-text.js';
import { problemText, rowProblem } from '../../../console/src/feeds/problem-text.js';
import { scheduleTexts } from '../../../console/src/feeds/schedule-text.js';
import {
  changedParts,
  conversionTexts,
  limitRows,
  rulesTexts,
  sourceColumns,
} from '../../../console/src/feeds/settings-text.js';
import { isStale, nothing, withEvent } from '../../../console/src/live/stale-data.js';
import type { Finding } from '../../../src/domain/feeds/limits/finding.js';
import { sourceProblemText } from '../../../src/domain/feeds/source-problem.js';
import { exampleRun } from '../../../src/http/routes/feeds/feed-views.js';

const run = exampleRun as unknown as Parameters<typeof isUndoable>[0];

describe('a finding in words', () => {
  const column = { number: 7, heading: 'Phone' };
  const excess = { of: 800, limit: 16, source: 'learned', usual: 3, highest: 10 } as const;

  test.each<[Finding, string]>([
    [
      { code: 'FIELD_CHANGES', field: 'phone', actual: 488, ...excess, column },
      'Phone would change for 61% of users (488 of 800). Usually 0.4%, so far at most 1.3%. The limit is 16. Column 7 (“Phone”) may have moved.',
    ],
    [
      { code: 'FIELD_EMPTIED', field: 'email', actual: 80, of: 800, limit: 5, source: 'explicit', column },
      'Email would become empty for 10% of users (80 of 800). The limit in the settings is 5. Check column 7 (“Phone”).',
    ],
    [
      {
        ...{ code: 'DEACTIVATIONS', actual: 90, of: 900, limit: 0, source: 'fixed' },
        ...{ isFirstRun: true, missing: 90 },
      },
      '90 users would be deactivated (10% of 900). They are missing from the file. A first run deactivates users only with approval.',
    ],
    [
      { code: 'RENAMES', actual: 1, ...excess, of: 2_000, highest: 0, isFirstRun: false },
      '1 user would get another employee ID (less than 0.1% of 2,000). Usually there are none. The limit is 16.',
    ],
    [
      { code: 'FAILURES', actual: 40, of: 100, limit: 2, source: 'fixed', isFirstRun: false },
      '40 rows would fail (40% of 100). The limit is 2.',
    ],
    [
      { code: 'WITHDRAWALS', actual: 412, of: 500, limit: 50, source: 'fixed', isFirstRun: false },
      'The file no longer plans 412 of 500 later changes. The limit is 50.',
    ],
    [
      { code: 'ROWS_BELOW', actual: 512, limit: 730, source: 'learned', usual: 812 },
      'The file has 512 rows. The last one had 812. Expected at least 730.',
    ],
    [
      { code: 'ROWS_ABOVE', actual: 512, limit: 500, source: 'explicit' },
      'The file has 512 rows. The limit in the settings is 500.',
    ],
    [
      {
        ...{ code: 'COLUMNS_MOVED', of: 800 },
        fields: [
          { code: 'FIELD_CHANGES', field: 'phone', actual: 700, ...excess },
          { code: 'FIELD_CHANGES', field: 'email', actual: 600, ...excess },
        ],
      },
      'Phone and Email would change for at least 75% of users at once. The columns of the file may have moved.',
    ],
    [
      { code: 'CHANGES_REVERTED', actual: 30, of: 40 },
      '30 of 40 users would get back values that recent changes replaced. The file may be an older one.',
    ],
    [
      { code: 'FILE_SEEN_BEFORE', at: '2026-11-14T04:30:00.000Z' },
      `This is the file of ${formatDate('2026-11-14T04:30:00.000Z')} again. Newer files have been read since then.`,
    ],
  ])('%j', (finding, text) => {
    expect(findingText({ ...finding, text: 'In English.' })).toEqual({ text, isForeign: false });
  });

  test('of a kind that the console does not know is the text of the service', () => {
    const finding = { code: 'BRAND_NEW', text: 'Something else is unusual.' };
    expect(findingText(finding)).toEqual({ text: finding.text, isForeign: true });
  });
});

describe('a problem in words', () => {
  test('names the columns that are missing, and what to do', () => {
    const missing = [{ code: 'COLUMN_MISSING', field: 'email', heading: 'Mail', nearest: 'E-Mail' }];
    expect(problemText({ code: 'COLUMNS_MISSING', text: 'In English.', missing }).text).toBe(
      'The file has no column “Mail”, which fills “Email”. The most similar heading is “E-Mail”. Have the export corrected, or change the columns in the settings.',
    );
  });

  test('names the rows without a readable employee ID, which are only the first ones', () => {
    const problem = { code: 'IDS_UNREADABLE', text: 'In English.', rows: [4, 1_200], count: 3 };
    expect(problemText(problem).text).toMatch(/^3 rows have no readable .* Rows concerned: 4, 1,200, ….$/);
  });

  test.each([
    ['host_unknown', /can't be reached/],
    ['authentication_failed', /refused access/],
    ['host_key_changed', /could not prove its identity/],
  ])('says what to do about a source with %s', (code, text) => {
    const { text: told, isForeign } = problemText({ code: 'SOURCE_FAILED', text: 'No.', source: { code } });
    expect(told).toMatch(text);
    expect(isForeign).toBe(false);
  });

  test('of a source that the console does not know is the text of the service', () => {
    const text = sourceProblemText({ code: 'http_status', status: 418 });
    const problem = { code: 'SOURCE_FAILED', text, source: { code: 'brand_new' } };
    expect(problemText(problem)).toEqual({ text, isForeign: true });
  });

  test('of a row is in words of the console if it knows them', () => {
    const detail = { text: 'No.', isForeign: true };
    expect(rowProblem({ code: 'USER_EMPLOYEE_ID_EXISTS', detail: 'No.' })).toEqual([
      { text: 'This employee ID is already taken.', isForeign: false },
    ]);
    expect(rowProblem({ code: 'FIELD_INVALID', detail: 'No.' })).toEqual([
      { text: 'A value is not allowed.', isForeign: false },
      detail,
    ]);
    expect(rowProblem({ code: 'BRAND_NEW', detail: 'No.' })).toEqual([detail]);
  });
});

/** The region of the machine decides how times are written. */
const at = (time: string) => formatTime(`2026-01-01T${time}`);

describe('a schedule in words', () => {
  test.each([
    ['30 4 * * *', `Every day at ${at('04:30')}`],
    ['30 4 * * 1-5', `Monday to Friday at ${at('04:30')}`],
    ['0 5 * * MON,THU', `Monday and Thursday at ${at('05:00')}`],
    ['0 5 * * 7', `Sunday at ${at('05:00')}`],
    ['0 6 1 * *', `On day 1 of each month at ${at('06:00')}`],
    ['15 * * * *', 'Every hour, 15 minutes past'],
    ['*/7 4 * * *', 'At special times (*/7 4 * * *)'],
    ['0 4 1 1 *', 'At special times (0 4 1 1 *)'],
  ])('%s', (cron, text) => {
    expect(scheduleTexts({ cron })).toEqual([text]);
  });

  test('says when it looks for files, how long it waits, and when it does not run', () => {
    expect(scheduleTexts(null)).toEqual(['Only when someone starts it']);
    expect(
      scheduleTexts({
        ...{ cron: '30 4 * * *', timeZone: 'Europe/Berlin', onNewFile: true, from: '03:00', until: '07:00' },
        blackoutDates: ['2026-12-25'],
      }),
    ).toEqual([
      `Every day at ${at('04:30')} (Europe/Berlin)`,
      `Whenever there is a new file, between ${at('03:00')} and ${at('07:00')} (Europe/Berlin)`,
      `If there is no file yet, the run waits for it until ${at('07:00')}.`,
      `Not on ${formatDay('2026-12-25')}.`,
    ]);
  });
});

describe('settings in words', () => {
  test('say how columns become fields', () => {
    const name = { field: 'name', columns: ['First name', 'Last name'], separator: ', ' };
    expect(sourceColumns(name)).toBe('First name + Last name');
    expect(conversionTexts(name)).toEqual(['Joined with “, ”']);
    expect(sourceColumns({ field: 'organizationSerial', constant: 'ORG7' })).toBe('Always “ORG7”');
    const values = { A: 'true', I: 'false', X: 'false', Y: 'true', Z: 'true' };
    expect(conversionTexts({ field: 'isActive', columns: ['Status'], values, otherwise: 'reject' })).toEqual([
      ...['“A” means “Active”', '“I” means “Inactive”', '“X” means “Inactive”', '“Y” means “Active”'],
      ...['and 1 more', 'Other values are an error'],
    ]);
  });

  test('say what applies if nothing is set', () => {
    expect(rulesTexts({ rules: {}, mapping: { columns: [] } })).toEqual([
      'New people in the file are created.',
      'Users are changed as the file says.',
      'Users who are missing from the file stay as they are.',
      'Empty cells leave a field as it is.',
      'Users of another feed are left alone.',
      'Unknown organizations or tags stop the run.',
      'Runs beyond the limits wait for approval.',
    ]);
  });

  test('say which users the feed is for', () => {
    const attributes = { level: [7, 8.5], isContractor: [true] };
    const texts = rulesTexts({ rules: { tagSerials: ['TAG3'], attributes }, mapping: { columns: [] } });
    expect(texts).toEqual(
      expect.arrayContaining([
        'Only users with any of these tags: TAG3.',
        'Only users whose “level” is one of: 7 and 8.5.',
        'Only users whose “isContractor” is one of: Yes.',
      ]),
    );
  });

  test('list the limits that are set', () => {
    expect(limitRows({ deactivationsMax: 50, changesMax: '20%' })).toEqual([
      ['Deactivated users at most', '50'],
      ['Users with a change of the same field at most', '20%'],
    ]);
  });

  test('say what differs between two versions', () => {
    const before = { name: 'Staff', schedule: { cron: '0 4 * * *' }, rules: {} };
    expect(changedParts(before, { ...before, name: 'People', rules: { rehire: true } })).toEqual([
      'Name',
      'Rules',
    ]);
  });

  test('name the source without its credentials', () => {
    expect(sourceText({ type: 'sftp', host: 'sftp.example.com', username: 'hr', path: '/a.csv' })).toBe(
      'SFTP sftp.example.com',
    );
    expect(sourceText({ type: 'https', url: 'https://hr.example.com/a.csv?key=1' })).toBe(
      'Web server hr.example.com',
    );
  });
});

describe('the state of a feed', () => {
  const feed = { openRun: null, lastRun: null, isPaused: false, nextRunAt: null };
  const now = Date.parse('2026-11-18T12:00:00Z');

  test.each([
    [{}, 'ready'],
    [{ openRun: run }, 'waiting'],
    [{ openRun: { ...run, state: 'running' as const } }, 'running'],
    [{ openRun: run, isPaused: true }, 'waiting'],
    [{ lastRun: { ...run, state: 'failed' as const } }, 'failed'],
    [{ lastRun: { ...run, state: 'failed' as const }, isPaused: true }, 'paused'],
    [{ nextRunAt: '2026-11-18T11:55:00Z' }, 'ready'],
    [{ nextRunAt: '2026-11-18T11:00:00Z' }, 'late'],
  ])('%#: %s', (facts, health) => {
    expect(feedHealth({ ...feed, ...facts }, now)).toBe(health);
  });

  test('is refreshed after calls and events of runs, but not after every change to a user', () => {
    const runEnded = withEvent(nothing, { data: {} as { callId: string | null } });
    expect(isStale(runEnded, ['feeds', 'list'])).toBe(true);
    const userChanged = withEvent(nothing, { data: { userSerial: 'u1', callId: null } });
    expect(isStale(userChanged, ['feeds', 'list'])).toBe(false);
  });
});

describe('a run', () => {
  test('that waits shows what it would do, and can be undone only after it has changed somebody', () => {
    expect(isOnlyPlanned(run)).toBe(true);
    expect(isUndoable(run)).toBe(false);
    const done = { ...run, state: 'done' as const, phase: 'apply' as const };
    expect(isOnlyPlanned(done)).toBe(false);
    expect(isUndoable(done)).toBe(true);
    expect(isUndoable({ ...done, isDryRun: true })).toBe(false);
    expect(isUndoable({ ...run, state: 'cancelled' })).toBe(false);
    expect(isUndoable({ ...done, counts: { ...run.counts, updated: 0 } })).toBe(false);
  });

  test('counts what it would change until that is decided, and nothing once it was rejected', () => {
    const changes = run.counts.updated;
    expect(resultOf(run)).toEqual({ changes, isPlanned: true });
    expect(resultOf({ ...run, state: 'cancelled' })).toEqual({ changes: 0, isPlanned: false });
    expect(resultOf({ ...run, state: 'done', phase: 'apply' })).toEqual({ changes, isPlanned: false });
  });

  test('is compared with those that read a whole file, oldest first', () => {
    const [newest, failed, oldest] = [
      run,
      { ...run, id: 'failed', state: 'failed' as const, rows: null },
      { ...run, id: 'oldest', state: 'done' as const },
    ];
    expect(comparable([newest, failed, oldest])).toEqual([oldest, newest]);
  });
});
