import type { ShownFeed } from '../../../domain/feeds/feeds.js';
import type { AppliedLimits } from '../../../domain/feeds/limits/judge.js';
import { countsOf } from '../../../domain/feeds/run-journal.js';
import type { FeedRow, FeedRun } from '../../../domain/feeds/runs.js';
import { exampleSerial } from '../users/examples.js';

export function feedView({ feed, settings, hidden, secrets, openRun, recentRuns, users }: ShownFeed) {
  const { key, name, version, isPaused, createdAt, updatedAt, dueAt } = feed;
  const [lastRun] = recentRuns;
  return {
    ...{ key, name, version, isPaused, ...settings, hidden, createdAt, updatedAt },
    hasSecret: secrets?.secret != null,
    hasChatUrl: secrets?.chatUrl != null,
    nextRunAt: isPaused ? null : dueAt,
    lastRun: lastRun ? runView(lastRun) : null,
    openRun: openRun ? runView(openRun) : null,
    recentRuns: recentRuns.toReversed().map(recentRunView),
    users,
  };
}

export function runView(run: FeedRun) {
  const {
    claim: _,
    crashes: ________,
    isCancelled: __,
    fileHash: ___,
    fileVersion: ____,
    profile,
    dueUntil: ______,
    undoerScopes: _______,
    counts,
    ...shown
  } = run;
  const { limits = null } = (profile ?? {}) as { readonly limits?: AppliedLimits }; // as a run has stored it
  return { ...shown, counts: countsOf(counts), changed: counts.changed, limits };
}

function recentRunView({ id, state, createdAt, rows, counts }: FeedRun) {
  const { created, rehired, updated, renamed, deactivated, reactivated, failed } = countsOf(counts);
  const changes = created + rehired + updated + renamed + deactivated + reactivated;
  return { id, state, at: createdAt, rows, changes, failed };
}

export function rowView({
  place,
  isMissing,
  serial,
  kind,
  employeeID,
  code,
  detail,
  changed,
  kept,
}: FeedRow) {
  return {
    row: isMissing ? null : place,
    ...{ employeeID, serial, kind },
    changed: changed ?? [],
    kept: kept ?? [],
    problem: code === null ? null : { code, detail: detail ?? '' },
  };
}

const noRows = {
  ...{ created: 0, rehired: 0, updated: 0, renamed: 0, deactivated: 0, reactivated: 0 },
  ...{ unchanged: 0, planned: 0, skipped: 0, failed: 0 },
};

export const exampleRun = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b60',
  feed: 'workday',
  state: 'waiting',
  phase: 'plan',
  trigger: 'schedule',
  isDryRun: false,
  replays: null,
  version: 3,
  startedBy: null,
  createdAt: '2026-11-18T03:30:00.000Z',
  startedAt: '2026-11-18T03:30:01.000Z',
  finishedAt: null,
  approvedAt: null,
  approvedBy: null,
  undoneBy: null,
  fileName: 'staff-2026-11-18.csv',
  hasFile: true,
  rows: 812,
  done: 812,
  counts: { ...noRows, updated: 495, unchanged: 317 },
  changed: { phone: 495 },
  limits: { rowsMin: 729, rowsMax: 893, createsMax: 40, deactivationsMax: 5, failuresMax: 16 },
  findings: [
    {
      code: 'FIELD_CHANGES',
      field: 'phone',
      actual: 495,
      of: 812,
      text: 'Phone changes for 61% of users (495 of 812), usually 0.4% and at most 1.2%. The limit is 41. Column 7 ("Phone") may have moved.',
    },
  ],
  problem: null,
};

export const exampleSettings = {
  name: 'Staff from Workday',
  source: { type: 'sftp', host: 'sftp.example.com', username: 'rollcall', path: '/out/staff-*.csv' },
  schedule: { cron: '30 4 * * 1-5', timeZone: 'Europe/Berlin', until: '07:00' },
  mapping: {
    columns: [
      { field: 'employeeID', columns: ['Personnel no.'], padTo: 8 },
      { field: 'name', columns: ['First name', 'Last name'] },
      { field: 'email', columns: ['Mail'] },
      { field: 'isActive', columns: ['Status'], values: { A: 'true', I: 'false' } },
    ],
  },
  rules: { deactivateMissing: true, rehire: true },
};

export const exampleFeed = {
  key: 'workday',
  version: 3,
  isPaused: false,
  ...exampleSettings,
  limits: {},
  inform: {},
  hidden: [],
  hasSecret: true,
  hasChatUrl: false,
  createdAt: '2026-11-01T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
  nextRunAt: '2026-11-19T03:30:00.000Z',
  lastRun: exampleRun,
  openRun: exampleRun,
  recentRuns: [
    { id: exampleRun.id, state: 'done', at: '2026-11-17T03:30:00.000Z', rows: 812, changes: 14, failed: 1 },
  ],
  users: 812,
};

export const exampleRow = {
  row: 17,
  employeeID: 'E1001',
  serial: exampleSerial,
  kind: 'updated',
  changed: ['phone'],
  kept: [],
  problem: null,
};
