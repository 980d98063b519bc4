import { describe, expect, test } from 'vitest';
import {
  byDay,
  countsText,
  formerChangesPath,
  kindOf,
  matchesFilters,
  readActivityFilters,
  type StoryEntry,
  withGroupedEdits,
} from '../../../console/src/activity/story.js';
import { isStale, mayBeStale, nothing, withEvent } from '../../../console/src/live/stale-data.js';

describe('what is refreshed', () => {
  const userChanged = withEvent(nothing, { data: { userSerial: 'u1', callId: null } });
  const callEnded = withEvent(nothing, { data: { callId: 'c1' } });

  test.each([
    [['users', {}, null], true],
    [['user', 'u1'], true],
    [['user', 'u1', 'history'], true],
    [['user', 'u2'], false],
    [['statistics', 30], true],
    [['activity', 'calls', {}], false],
    [['matching', 'preview'], false],
    [['changes', {}], false],
  ])('after a change to a user: %j %s', (key, stale) => {
    expect(isStale(userChanged, key)).toBe(stale);
  });

  test.each([
    [['activity', 'calls', {}], true],
    [['activity', 'call', 'c1'], true],
    [['activity', 'approvals'], true],
    [['activity', 'undo-preview', 'c1'], false],
    [['user', 'u1'], false],
  ])('after a bulk call: %j %s', (key, stale) => {
    expect(isStale(callEnded, key)).toBe(stale);
  });

  test('the pages of all users if many have changed', () => {
    let happened = nothing;
    for (let number = 0; number <= 50; number++)
      happened = withEvent(happened, { data: { userSerial: `u${number}`, callId: 'c1' } });
    expect(isStale(happened, ['user', 'someone'])).toBe(true);
    const next = withEvent(happened, { data: { userSerial: 'one more', callId: 'c1' } });
    expect(next.users).toBe(happened.users); // thousands are not copied each time
  });

  test('everything but previews after an interruption', () => {
    expect([['changes'], ['user', 'x'], ['activity', 'call', 'x']].map(mayBeStale)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [
        ['matching', 'x'],
        ['activity', 'undo-preview'],
      ].map(mayBeStale),
    ).toEqual([false, false]);
  });
});

describe('the story of what happened', () => {
  const change = {
    timestamp: '2026-11-15T12:00:00.000Z',
    data: {
      types: ['user.deactivated', 'user.updated'],
      userSerial: 'u1',
      callId: 'c1',
      actor: { id: 'a1' },
      fields: { isActive: { before: true, after: false } },
    },
  };
  const filters = (given: Record<string, string>) => readActivityFilters((name) => given[name] ?? null);

  test.each([
    [{}, true],
    [{ by: 'a1', kind: 'updated', field: 'isActive' }, true],
    [{ by: 'a2' }, false],
    [{ kind: 'created' }, false],
    [{ field: 'phone' }, false],
    [{ from: '2026-11-10', until: '2026-11-20T08:30' }, true],
    [{ until: '2026-11-10' }, false],
    [{ from: '2026-11-20' }, false],
    [{ kind: 'nonsense', field: 'shoeSize' }, true],
  ])('with %j has a new change: %s', (given, isNew) => {
    expect(matchesFilters(filters(given), change)).toBe(isNew);
  });

  test.each([
    [['user.created'], 'created'],
    [['user.erased', 'user.deleted'], 'erased'],
    [['user.deleted'], 'deleted'],
    [['user.rehired', 'user.reactivated', 'user.updated'], 'rehired'],
    [['user.renamed', 'user.updated'], 'updated'],
  ])('%j is %s', (types, kind) => {
    expect(kindOf(types)).toBe(kind);
  });

  test('groups changes by day', () => {
    const at = (day: number, hour: number) => ({ at: new Date(2026, 10, day, hour).toISOString() });
    const groups = byDay([at(15, 23), at(15, 1), at(14, 23)]);
    expect(groups.map(({ items }) => items.length)).toEqual([2, 1]);
    expect(byDay([])).toEqual([]);
  });

  test('joins what one person adds to a directory, one after the other', () => {
    const entry = (id: string, kind: string, by: string) => {
      const edit = { directory: 'organizations', serial: id, kind, fields: {} };
      return { id, edit, actor: { kind: 'person', id: by } } as unknown as StoryEntry;
    };
    const groups = withGroupedEdits([
      ...[entry('A', 'added', 'ada'), entry('B', 'added', 'ada'), entry('C', 'added', 'grace')],
      ...[entry('D', 'changed', 'grace'), entry('E', 'changed', 'grace')],
    ]);
    expect(groups.map(({ edits }) => edits.map(({ serial }) => serial))).toEqual([
      ...[['A', 'B'], ['C'], ['D'], ['E']],
    ]);
  });

  test('counts in the words of imports', () => {
    const counts = { created: 14, changed: 22, deactivated: 6, reactivated: 2, removed: 0, failed: 3 };
    expect(countsText(counts)).toBe('14 new, 22 changed, 6 deactivated, and 2 reactivated');
    const none = { ...counts, created: 0, changed: 0, deactivated: 0, reactivated: 0 };
    expect([countsText(none), countsText({ ...none, failed: 0 })]).toEqual(['', 'nothing changed']);
  });

  test.each([
    ['', '/activity/story'],
    [
      'kind=created&from=2026-11-10&until=2026-11-20',
      '/activity/story?kind=created&from=2026-11-10&until=2026-11-20',
    ],
    ['call=c1', '/activity/calls/c1'],
    ['user=u1', '/users/u1'],
  ])('is where links to /changes?%s lead', (search, path) => {
    expect(formerChangesPath(search)).toBe(path);
  });
});
