import type { Schemas } from '@rollcall/client';
import { describe, expect, it, test } from 'vitest';
import type { Feed } from '../../../console/src/feeds/form/feed.js';
import {
  creationOf,
  draftFrom,
  draftOf,
  type FeedDraft,
  isKept,
  keyFromName,
  newFeed,
  patchOf,
  problemsOf,
} from '../../../console/src/feeds/form/feed-draft.js';
import { mappingDraftOf, mappingOf, withGuesses } from '../../../console/src/feeds/form/mapping-draft.js';
import { nextRun } from '../../../console/src/feeds/form/next-run.js';
import { newSchedule, scheduleDraftOf, scheduleOf } from '../../../console/src/feeds/form/schedule-draft.js';
import { newSource, sourceDraftOf, sourceOf } from '../../../console/src/feeds/form/source-draft.js';
import { proposalFrom } from '../../../console/src/import/state/feed-proposal.js';
import { nextDue } from '../../../src/domain/feeds/schedule.js';
import { given } from './imports.js';

type Settings = Schemas['CreateFeed'];

const settings: Settings = {
  key: 'workday',
  name: 'Staff from Workday',
  source: { type: 'sftp', host: 'sftp.example.com', username: 'rollcall', path: '/out/*.csv' },
  schedule: { cron: '30 4 * * 1-5', until: '07:00', blackoutDates: ['2026-12-25'] },
  mapping: {
    columns: [
      { field: 'employeeID', columns: ['No.'], padTo: 8, prefix: 'E' },
      { field: 'name', columns: ['First', 'Last'], separator: ', ' },
      { field: 'isActive', columns: ['Status'], values: { A: 'true' }, otherwise: 'reject' },
      { field: 'organizationSerial', constant: 'ORG7' },
    ],
    empty: 'clears',
    separator: '\t',
    headingRow: 3,
  },
  rules: {
    ...{ deactivateMissing: true, organizationSerials: ['ORG7'], tagSerials: ['TAG3'], approval: 'always' },
    attributes: { department: ['Sales'], level: [7], isContractor: [true] },
  },
  limits: { deactivationsMax: 50, changesMax: '12.5%' },
  inform: { users: ['one'], chat: 'slack' },
};

const feedWith = (part: Partial<Settings> = {}, more: Partial<Feed> = {}): Feed =>
  ({ ...settings, hasSecret: true, hasChatUrl: true, ...part, ...more }) as Feed; // what the form reads
const edited = (feed: Feed, part: Partial<FeedDraft>): FeedDraft => ({ ...draftOf(feed), ...part });

describe('a schedule', () => {
  it.each([
    ['30 4 * * *', '04:30', [1, 2, 3, 4, 5, 6, 7]],
    ['0 23 * * 1-5', '23:00', [1, 2, 3, 4, 5]],
    ['5 0 * * 1,3,6', '00:05', [1, 3, 6]],
    ['5 0 * * 0,6', '00:05', [6, 7]],
  ])('is read as words and written again: %s', (cron, time, weekdays) => {
    const draft = scheduleDraftOf({ cron });
    expect(draft).toMatchObject({ kind: 'times', time, weekdays });
    expect(scheduleOf(draft)).toEqual({ cron });
  });

  it('counts Sunday as 7, too', () => {
    expect(scheduleDraftOf({ cron: '0 5 * * 5-7' }).weekdays).toEqual([5, 6, 7]);
    expect(scheduleOf(scheduleDraftOf({ cron: '0 5 * * 5-7' }))).toEqual({ cron: '0 5 * * 0,5,6' });
  });

  it.each(['0 5 1 * *', '*/10 * * * *', '0 5,17 * * *', '0 5 * * MON', '61 5 * * *', '0 5 * * 5-1'])(
    'that words cannot say stays an expression: %s',
    (cron) => {
      expect(scheduleDraftOf({ cron })).toMatchObject({ kind: 'cron', cron });
      expect(scheduleOf(scheduleDraftOf({ cron }))).toEqual({ cron });
    },
  );

  it('keeps what a new file does', () => {
    for (const schedule of [
      { onNewFile: true },
      { onNewFile: true, from: '01:00', until: '05:00', timeZone: 'Europe/Berlin' },
      { cron: '0 5 * * *', onNewFile: true, from: '01:00', until: '05:00' },
    ])
      expect(scheduleOf(scheduleDraftOf(schedule))).toEqual(schedule);
    expect(scheduleOf(scheduleDraftOf(null))).toBeNull();
  });

  it.each([
    ['2026-11-20T20:00:00Z', 'Europe/Berlin', []], // a Friday
    ['2026-11-20T03:29:00Z', 'Europe/Berlin', []],
    ['2026-11-20T03:30:00Z', 'Europe/Berlin', ['2026-11-23']],
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', []], // clocks change on the next day
    ['2026-10-24T12:00:00Z', 'America/New_York', []],
    ['2026-11-20T11:00:00Z', 'Pacific/Kiritimati', []],
  ])('runs next when the service says: %s in %s', (now, timeZone, blackoutDates) => {
    const draft = { ...newSchedule, blackoutDates };
    const schedule = { cron: '30 4 * * 1-5', blackoutDates };
    const next = nextRun(draft, new Date(now), timeZone);
    expect(next?.toISOString()).toBe(nextDue(schedule, new Date(now), timeZone).dueAt);
  });
});

describe('a feed', () => {
  it('passes through the form unchanged', () => {
    const { key: _, ...sent } = creationOf(draftOf(feedWith()));
    expect(sent).toEqual({
      ...settings,
      key: undefined,
      source: { ...settings.source, port: 22, auth: 'password' },
      rules: {
        ...{ create: true, update: true, rehire: false, deactivateMissing: true },
        ...{ organizationSerials: ['ORG7'], tagSerials: ['TAG3'], onConflict: 'skip', unknownNames: 'stop' },
        attributes: { department: ['Sales'], level: [7], isContractor: [true] },
        ...{ approval: 'always', deliver: 'now' },
      },
    });
    expect(patchOf(draftOf(feedWith()), feedWith())).toEqual({});
  });

  it.each<Settings['source']>([
    { type: 'https', url: 'https://hr.example.com/x.csv', auth: 'basic', username: 'rollcall' },
    { type: 's3', endpoint: 'https://s3.example.com', region: 'r', bucket: 'b', key: 'k', accessKeyId: 'a' },
    { type: 'folder', path: 'workday/*.csv' },
    { type: 'upload' },
  ])('keeps a source of the type $type', (source) => {
    expect(sourceOf(sourceDraftOf(source))).toEqual(source);
  });

  it('is changed only where the form was', () => {
    const feed = feedWith();
    const limits = { learn: true, values: { deactivationsMax: '5 %', rowsMin: '', createsMax: '2,5%' } };
    expect(patchOf(edited(feed, { limits }), feed)).toEqual({
      limits: { deactivationsMax: '5%', createsMax: '2.5%' },
    });
  });

  it('whose files are uploaded has no schedule', () => {
    const feed = feedWith({ source: { type: 'upload' }, schedule: null }, { hasSecret: false });
    expect(patchOf(draftOf(feed), feed)).toEqual({});
    expect(creationOf(draftOf(feed)).schedule).toBeNull();
  });

  it('suggests a key from its name', () => {
    expect(keyFromName('  Müller & Söhne (2026) ')).toBe('muller-sohne-2026');
    expect(keyFromName('3 Straßen')).toBe('strassen');
  });
});

describe('a secret', () => {
  const feed = feedWith();
  const { source } = draftOf(feed);

  it('is kept as long as it goes to the same server and user, and never sent again', () => {
    const draft = edited(feed, { source: { ...source, path: '/other.csv', hostKey: 'SHA256:x' } });
    expect(isKept('secret', draft, feed)).toBe(true);
    expect(problemsOf(draft, feed, [])).toEqual([]);
    expect(Object.keys(patchOf(draft, feed))).toEqual(['source']);
  });

  it.each([
    { host: 'other.example.com' },
    { username: 'other' },
    { port: 2222 },
    { sftpAuth: 'key' as const },
  ])('has to be entered again after %o', (part) => {
    const draft = edited(feed, { source: { ...source, ...part } });
    expect(problemsOf(draft, feed, [])).toEqual(['secret']);
    const entered = { ...draft, secrets: { secret: 'new' } };
    expect(problemsOf(entered, feed, [])).toEqual([]);
    expect(patchOf(entered, feed)).toMatchObject({ secret: 'new' });
  });

  it('that is no longer needed is removed', () => {
    const upload = edited(feed, { source: newSource, inform: { users: [], chat: '' } });
    expect(patchOf(upload, feed)).toMatchObject({ secret: null, chatUrl: null });
  });

  it('of a private key has a passphrase only if one is entered with it', () => {
    const withKey = feedWith({ source: { ...settings.source, auth: 'key' } as Settings['source'] });
    const draft = edited(withKey, { secrets: { secret: 'KEY' } });
    expect(patchOf(draft, withKey)).toEqual({ secret: 'KEY', passphrase: null });
    expect(patchOf(edited(withKey, {}), withKey)).toEqual({});
  });

  it('of a chat belongs to the chat', () => {
    const without = feedWith({ inform: {} }, { hasChatUrl: false });
    const draft = edited(without, { inform: { users: [], chat: 'teams' } });
    expect(problemsOf(draft, without, [])).toEqual(['chatUrl']);
  });
});

test('a new feed says what it lacks', () => {
  expect(problemsOf(newFeed, undefined, [])).toEqual(['name', 'key', 'source.url', 'mapping']);
});

test('a sample file fills the fields that have no columns, and leaves the others alone', async () => {
  const store = await given('No.;Name;E-mail;Phone;Phone\n1;Ada;ada@example.com;1;2');
  const headings = store.getState().format?.headings ?? [];
  const before = mappingDraftOf({
    columns: [
      { field: 'employeeID', columns: [] },
      { field: 'name', columns: ['Full name'] },
    ],
  });
  expect(mappingOf(withGuesses(before, headings, [])).columns).toEqual([
    { field: 'employeeID', columns: ['No.'] },
    { field: 'name', columns: ['Full name'] },
    { field: 'email', columns: ['E-mail'] },
  ]);
});

describe('an import', () => {
  test('becomes a feed with its columns, options and rules', async () => {
    const store = await given('No.;Name;E-mail\n1;Ada;ada@example.com', { emptyCells: 'clears' });
    store.dispatch({ type: 'missingChanged', missing: { isOn: true } });
    const state = store.getState();
    const source = { name: 'workday_2026-11-18.csv', content: '' };
    const proposal = proposalFrom({ ...state, source, readOptions: { encoding: 'windows-1252' } });
    if ('unnamed' in proposal) throw new Error('a column has no name');
    const draft = draftFrom(proposal);
    expect(draft).toMatchObject({ name: 'workday', key: 'workday' });
    expect(creationOf(draft)).toMatchObject({
      rules: { deactivateMissing: true, deliver: 'now' },
      mapping: {
        columns: [
          { field: 'employeeID', columns: ['No.'] },
          { field: 'name', columns: ['Name'] },
          { field: 'email', columns: ['E-mail'] },
        ],
        empty: 'clears',
        encoding: 'windows-1252',
      },
    });
  });

  test('with columns that cannot be stored says which', async () => {
    const store = await given('No.;Name;;Password\n1;Ada;ada@example.com;x');
    const state = store.getState();
    const mapping = { ...state.mapping, email: [2], password: [3] };
    expect(proposalFrom({ ...state, mapping })).toEqual({
      unnamed: [
        { field: 'email', column: 2 },
        { field: 'password', column: 3 },
      ],
    });
  });
});
