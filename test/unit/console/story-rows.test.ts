import type { Schemas } from '@rollcall/client';
import { describe, expect, test } from 'vitest';
import type { StoryEntry } from '../../../console/src/activity/story.js';
import { type RowNames, rowsOf } from '../../../console/src/activity/story-rows.js';

const at = '2026-11-18T19:30:00.000Z';
const names: RowNames = {
  userName: ({ employeeID }) => (employeeID === 'E1' ? 'Ada' : undefined),
  madeBy: (actor) => actor?.id ?? 'Rollcall',
  feedName: () => undefined,
  organizations: new Map([['ORG7', 'Sales']]),
  tags: new Map(),
  attributes: [],
};

const entry = {
  id: 'e1',
  at,
  actor: { kind: 'person', id: 'U9' },
  requestId: 'r1',
  change: null,
  calls: null,
  decision: null,
  edit: null,
  counts: { created: 0, changed: 0, deactivated: 0, reactivated: 0, removed: 0, failed: 0 },
} as unknown as StoryEntry; // what the rows don't need is left out

const calls = {
  ids: ['c1'],
  kind: 'update-bulk',
  source: 'moves.xlsx',
  note: null,
} as unknown as NonNullable<StoryEntry['calls']>;

const item = { position: 0, employeeID: 'E1', outcome: 'succeeded', serial: 'U1' } as const;

describe('the file of what happened', () => {
  test('has a row for each field of the people in a bulk change, without the change log', () => {
    const effect: NonNullable<Schemas['CallItem']['effect']> = {
      kind: 'updated',
      fields: {
        organizationSerial: { before: null, after: 'ORG7' },
        attributes: { before: { remote: false }, after: { remote: true } },
      },
    };
    const rows = rowsOf({ entry: { ...entry, calls }, item: { ...item, effect } }, names);
    const start = [
      expect.stringMatching(/^2026-11-1\d \d\d:30$/),
      'Import of moves.xlsx',
      'Ada',
      'E1',
      'Changed',
    ];
    expect(rows).toEqual([
      [...start, 'Organization', '', 'Sales (ORG7)', 'U9'],
      [...start, 'remote', 'No', 'Yes', 'U9'],
    ]);
  });

  test('leaves out those who stayed as they were', () => {
    const effect = { kind: 'unchanged', fields: {} } as const;
    expect(rowsOf({ entry: { ...entry, calls }, item: { ...item, effect } }, names)).toEqual([]);
  });

  test('says what was scheduled in the words of the screen', () => {
    const decision = {
      kind: 'planned',
      callId: 'c1',
      callKind: 'update-matching',
      source: null,
      note: null,
      patch: [{ kind: 'deactivate', target: null }],
      items: 2,
      effects: { deactivated: 2 },
      effectiveAt: '2027-01-01T00:00:00.000Z',
      lastWorkingDay: '2026-12-31',
    } as unknown as NonNullable<StoryEntry['decision']>;
    const [row] = rowsOf({ entry: { ...entry, decision } }, names);
    expect(row?.slice(1, 5)).toEqual([
      'Deactivate 2 users, last working day Dec 31, 2026',
      '',
      '',
      'Scheduled',
    ]);
  });
});
