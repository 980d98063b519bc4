import { describe, expect, test } from 'vitest';
import {
  callsFor,
  type Decision,
  FreedNames,
  IdIndex,
  type ItemResult,
  isRetryable,
  kindOfEffect,
  outcomeOf,
  type SyncOutcome,
  type SyncRow,
  Tally,
} from '../../../../sheets/src/index.js';
import { viewedUser } from '../../../support/stored-user.js';

const row: SyncRow = { row: 2, employeeID: 'E1', fields: { employeeID: 'E1' } };
const update: Decision = {
  ...{ action: 'send', kind: 'updated', serial: 's1', changed: ['phone'] },
  item: { employeeID: 'E1', phone: '1' },
};
const create: Decision = { action: 'send', kind: 'created', item: { employeeID: 'E9', name: 'Ada' } };
const unchanged: Decision = { action: 'none', serial: 's1' };
const taken: ItemResult = { ok: false, code: 'USER_USERNAME_EXISTS', detail: 'is taken', taken: 'Ada' };

describe('the calls for some rows', () => {
  test('update first, and only those with new users may create', () => {
    const rehire: Decision = { ...update, kind: 'rehired', item: { employeeID: 'E3' } };
    const calls = callsFor([create, unchanged, update, rehire]);
    expect(calls.map(({ create, at }) => ({ create, at }))).toEqual([
      { create: false, at: [2] },
      { create: true, at: [0, 3] },
    ]);
    expect(calls[1]?.items.map(({ employeeID }) => employeeID)).toEqual(['E9', 'E3']);
  });

  test('are none if nothing changes', () => {
    expect(callsFor([unchanged])).toEqual([]);
  });
});

describe('what an item did', () => {
  test.each<[string, string, Record<string, object>]>([
    ['created', 'created', { isActive: { after: true } }],
    ['unchanged', 'unchanged', {}],
    ['deactivated', 'updated', { isActive: { before: true, after: false }, employeeID: {} }],
    ['reactivated', 'updated', { isActive: { before: false, after: true }, name: {} }],
    ['rehired', 'rehired', { isActive: { before: false, after: true }, name: {} }],
    ['renamed', 'updated', { employeeID: { before: 'E1', after: 'E2' }, name: {} }],
    ['updated', 'updated', { name: {} }],
  ])('counts once, as %s', (change, kind, fields) => {
    expect(kindOfEffect({ kind, fields })).toBe(change);
  });
});

describe('the outcome of a row', () => {
  const done: ItemResult = { ok: true, serial: 's9' };

  test.each<[string, Decision, ItemResult | undefined, Partial<SyncOutcome>]>([
    ['decided', update, done, { kind: 'updated', serial: 's1', changed: ['phone'] }],
    ['done, if that differs', create, { ...done, kind: 'updated' }, { kind: 'updated', serial: 's9' }],
    ['planned', update, { ...done, isPlanned: true }, { kind: 'planned' }],
    ['unchanged', unchanged, undefined, { kind: 'unchanged', serial: 's1' }],
    ['failed', update, taken, { kind: 'failed', problem: { code: taken.code, detail: taken.detail } }],
    [
      'never sent',
      update,
      undefined,
      { kind: 'failed', problem: expect.objectContaining({ code: 'NOT_SENT' }) },
    ],
  ])('is what was %s', (_, decision, result, outcome) => {
    expect(outcomeOf(row, decision, result)).toMatchObject({ row: 2, employeeID: 'E1', ...outcome });
  });

  test('is what an interrupted sync was about to do, if the user is as the row says', () => {
    expect(outcomeOf(row, unchanged, undefined, 'renamed')).toMatchObject({ kind: 'renamed' });
    expect(outcomeOf(row, update, done, 'renamed')).toMatchObject({ kind: 'updated' });
  });

  test('can wait for other rows if a name is taken', () => {
    const invalid: ItemResult = { ok: false, code: 'USER_FIELD_INVALID', detail: 'is invalid' };
    expect([isRetryable(taken), isRetryable(invalid), isRetryable(done)]).toEqual([true, false, false]);
  });

  test('counts by kind and by changed field', () => {
    const tally = new Tally();
    tally.add([outcomeOf(row, update, done), outcomeOf(row, update, taken), outcomeOf(row, create, done)]);
    expect(tally.counts).toMatchObject({ updated: 1, failed: 1, created: 1, unchanged: 0 });
    expect([...tally.fields]).toEqual([['phone', 1]]);
    expect(tally.failures).toHaveLength(1);
  });
});

test('in a dry run, a name that an earlier row gives up counts as free', () => {
  const freed = new FreedNames();
  const fileIds = new IdIndex();
  fileIds.add('E1', 2);
  const user = { ...viewedUser({ employeeID: 'E1', name: 'Ada', username: 'ada' }), serial: 's1' };
  const ofAnother: ItemResult = { ok: true, serial: 's1', kind: 'updated' };
  expect([freed.assume(row, taken), freed.assume(row, ofAnother)]).toEqual([taken, ofAnother]);
  freed.note({ ...update, changed: ['employeeID', 'username'] }, user, fileIds);
  for (const result of [taken, ofAnother]) {
    expect(freed.assume(row, result)).toEqual({ ok: true, serial: null });
  }
  expect([freed.hasId('E1'), freed.hasId('E2')]).toEqual([true, false]);
});
