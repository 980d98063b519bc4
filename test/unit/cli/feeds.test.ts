import { describe, expect, test } from 'vitest';
import { changesOf, type FeedRun, nextSteps } from '../../../src/cli/feeds/format-run.js';
import {
  type Feed,
  formatColumn,
  formatCron,
  formatSchedule,
  formatScope,
} from '../../../src/cli/feeds/format-settings.js';
import { planFeeds } from '../../../src/cli/feeds/plan.js';
import { readFeedFile } from '../../../src/cli/feeds/read-file.js';
import { sparkline } from '../../../src/cli/terminal/sparkline.js';

const stored = {
  key: 'workday',
  name: 'Staff',
  isPaused: false,
  source: { type: 'https', url: 'https://hr.example.com/export.csv' },
  hasSecret: true,
  hasChatUrl: false,
  schedule: null,
  mapping: {
    columns: [
      { field: 'employeeID', columns: ['ID'] },
      { field: 'name', columns: ['Name'] },
    ],
  },
  rules: {},
  limits: {},
  inform: {},
} as unknown as Feed; // what a plan compares

function plan(settings: string, secrets = false, feed: Feed = stored) {
  const read = readFeedFile(`feeds:\n- { key: workday, ${settings} }\n`);
  const planned = planFeeds(read.ok ? read.entries : [], [feed], { secrets });
  const [step] = 'steps' in planned ? planned.steps : [];
  return step ? { settings: step.settings, secrets: step.secrets, changes: step.changes } : undefined;
}

describe('a plan for a feed', () => {
  const secret = 'secret: { env: TOKEN }';

  test.each([
    ['name: Staff, isPaused: false, schedule: null, rules: {}, inform: { users: [] }'],
    ['mapping: { columns: [{ field: name, columns: [Name] }, { field: employeeID, columns: [ID] }] }'],
    [secret],
    ['chatUrl: null'],
  ])('has nothing to do for { %s }', (settings) => expect(plan(settings)).toBeUndefined());

  test('has nothing to do about what is hidden from the caller, and shows no query', () => {
    const url = 'https://hr.example.com/export.csv';
    const columns = [{ field: 'attributes.pay', constant: '…' }];
    const hidden = ['source.url', 'mapping.attributes.pay'];
    const shown = { ...stored, source: { type: 'https', url: `${url}?…` }, mapping: { columns }, hidden };
    const planned = (settings: string) => plan(settings, false, shown as unknown as Feed);
    expect(planned(`source: { type: https, url: "${url}?token=x" }`)).toBeUndefined();
    expect(planned('mapping: { columns: [{ field: attributes.pay, constant: "7" }] }')).toBeUndefined();
    expect(planned('source: { type: https, url: "https://hr.example.com/other.csv?token=x" }')).toMatchObject(
      {
        changes: [{ name: 'source.url', before: `${url}?…`, after: 'https://hr.example.com/other.csv?…' }],
      },
    );
  });

  test('sends a setting as a whole, and shows which of its parts change', () => {
    expect(plan('rules: { rehire: true, deliver: hold }')).toEqual({
      settings: ['rules'],
      secrets: [],
      changes: [
        { name: 'rules.rehire', before: undefined, after: true },
        { name: 'rules.deliver', before: undefined, after: 'hold' },
      ],
    });
  });

  test('shows the attributes of a scope one by one, and nothing about values that are hidden', () => {
    const attributes = { pay: ['…'], department: ['IT'] };
    const shown = { ...stored, rules: { attributes }, hidden: ['rules.attributes.pay'] };
    const planned = plan(
      'rules: { attributes: { department: [Sales], level: [7], pay: [high] } }',
      false,
      shown as unknown as Feed,
    );
    expect(planned?.changes).toEqual([
      { name: 'rules.attributes.department', before: ['IT'], after: ['Sales'] },
      { name: 'rules.attributes.level', before: undefined, after: [7] },
    ]);
  });

  test('sends a secret that the service has only with another source, or if that is wanted', () => {
    expect(plan(`${secret}, rules: { rehire: true }`)?.secrets).toEqual([]);
    expect(plan(`${secret}, source: { type: https, url: "https://other.example.com" }`)?.secrets).toEqual([
      'secret',
    ]);
    expect(plan(secret, true)?.secrets).toEqual(['secret']);
    expect(plan('secret: null')?.secrets).toEqual(['secret']);
    expect(plan('chatUrl: { file: url.txt }, inform: { chat: slack }')?.secrets).toEqual(['chatUrl']);
  });
});

test.each([
  ['30 4 * * 1-5', 'Monday to Friday at 04:30'],
  ['0 22 * * *', 'every day at 22:00'],
  ['5 6 * * 0', 'on Sundays at 06:05'],
  ['*/15 * * * *', 'cron */15 * * * *'],
])('the schedule %s reads %j', (cron, text) => expect(formatCron(cron)).toBe(text));

test('a schedule says when a feed runs, how long it waits for the file, and when it does not run', () => {
  const nightly = { cron: '30 4 * * 1-5', timeZone: 'Europe/Berlin', until: '07:00' };
  expect(formatSchedule({ ...nightly, blackoutDates: ['2026-12-25'] })).toBe(
    'Monday to Friday at 04:30 (Europe/Berlin); waits for the file until 07:00; not on 2026-12-25',
  );
  expect(formatSchedule({ onNewFile: true, from: '04:00', until: '07:00' })).toBe(
    'when there is a new file from 04:00 until 07:00',
  );
});

test('a scope says which conditions users meet', () => {
  const attributes = { department: ['Sales', 'Service'], isContractor: [true] };
  expect(formatScope({ organizationSerials: ['ORG7'], tagSerials: ['TAG3', 'TAG4'], attributes })).toEqual([
    'only users of ORG7',
    'only users tagged TAG3, TAG4',
    'only users with department Sales or Service',
    'only users with isContractor true',
  ]);
});

describe('a run', () => {
  const counts = {
    created: 2,
    rehired: 0,
    updated: 0,
    renamed: 0,
    deactivated: 1,
    reactivated: 0,
    failed: 0,
  };
  const run = { feed: 'workday', id: 'r1', isDryRun: false, phase: 'plan', counts } as unknown as FeedRun; // what is told

  test('that was rejected has changed nobody, and one that was stopped later has', () => {
    const cancelled: FeedRun = { ...run, state: 'cancelled' };
    expect(changesOf(cancelled)).toBe(0);
    expect(nextSteps(cancelled)).toEqual(['The run was cancelled. Nothing was changed.']);
    expect(nextSteps({ ...cancelled, phase: 'apply' })).toEqual([
      'The run was cancelled after it had changed 3 users. To undo: rollcall feeds undo workday r1',
    ]);
  });

  test('that waits may still change users', () => expect(changesOf({ ...run, state: 'waiting' })).toBe(3));
});

test('a column says where a field comes from, and how values are converted', () => {
  expect(formatColumn({ field: 'name', columns: ['First', 'Last'] })).toBe('First + Last');
  expect(formatColumn({ field: 'isActive', columns: ['Status'], values: { A: 'true', I: 'false' } })).toBe(
    'Status (A: true, I: false)',
  );
  expect(formatColumn({ field: 'organizationSerial', constant: 'ORG7' })).toBe('always ORG7');
});

test('numbers are bars on a terminal, of which only 0 has the lowest, and text elsewhere', () => {
  expect(sparkline([0, 1, 7, 100], { isTTY: true } as never)).toBe('▁▂▂█');
  expect(sparkline([1, 2, 3, 4, 5, 6], { isTTY: false } as never)).toBe('2, 3, 4, 5, 6');
});
