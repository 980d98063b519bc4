import { describe, expect, test } from 'vitest';
import { parseNameHistory, serializeNameHistory } from '../../src/domain/bulk/name-history.js';
import type { ItemOutcome } from '../../src/domain/bulk/outcomes.js';
import {
  nameHistoryWithout,
  outcomeWithout,
  usersToForget,
} from '../../src/domain/erasure/stored-outcomes.js';
import { noSuchEmployee } from '../../src/domain/users/plans/missing-user.js';
import { employeeIdTaken, usernameTaken } from '../../src/domain/users/plans/user-change.js';

const users = usersToForget([{ serial: 's1', names: ['E1', 'Ada'] }]);

const fields = { name: { before: 'Ada', after: 'Ada King' } };
const failed = (failure: Extract<ItemOutcome, { ok: false }>['failure']): ItemOutcome => ({
  ok: false,
  failure,
});

describe('a stored outcome', () => {
  test.each<[string, ItemOutcome]>([
    ['a success without effects', { ok: true, serial: 's1' }],
    ['what another item changed', { ok: true, serial: 's2', effect: { kind: 'updated', fields } }],
    ['a name that only begins alike', failed(noSuchEmployee(0, 'E11'))],
    ['the name of somebody else', failed(usernameTaken(0, 'grace', { serial: 's2' }))],
  ])('keeps %s', (_, outcome) => {
    expect(outcomeWithout(users, outcome, 0)).toBe(outcome);
  });

  test('keeps that a forgotten user was changed, but not how', () => {
    const outcome: ItemOutcome = { ok: true, serial: 's1', effect: { kind: 'updated', fields } };
    expect(outcomeWithout(users, outcome, 0)).toEqual({
      ...outcome,
      effect: { kind: 'updated', fields: {} },
    });
  });

  test.each([
    ['an employee ID', noSuchEmployee(4, 'E1')],
    ['what it was changed to', noSuchEmployee(4, 'E0', { rename: { position: 1, to: 'E1' } })],
    ['an employee ID that is taken', employeeIdTaken(4, 'E1', { serial: 's1' })],
    ['a username in another case', usernameTaken(4, 'ADA', { serial: 's1' })],
  ])('keeps the error, but not %s', (_, failure) => {
    expect(outcomeWithout(users, failed(failure), 4)).toEqual({
      ok: false,
      failure: {
        error: failure.error,
        detail: 'items[4]: the details were erased together with a user.',
        reason: 'The details were erased together with a user.',
      },
    });
  });
});

test('what earlier items did to names is kept only for others', () => {
  const take = (serial: string) => ({ position: 0, serial });
  const stored = serializeNameHistory({
    employeeIdTakes: new Map([
      ['E1', take('s2')],
      ['E2', take('s1')],
      ['E3', take('s3')],
    ]),
    uniqueNameTakes: new Map([
      ['7:badge of a forgotten user', take('s1')],
      ['7:badge', take('s2')],
    ]),
    usernameTakes: new Map([['ada', take('s2')]]),
    renames: new Map([
      ['E1', { position: 1, to: 'E9' }],
      ['E8', { position: 2, to: 'E1' }],
      ['E4', { position: 3, to: 'E5' }],
    ]),
    employeeIdReleases: new Map([
      ['E1', take('s2')],
      ['E6', take('s3')],
    ]),
    usernameReleases: new Map([['bob', take('s1')]]),
  });
  const history = parseNameHistory(nameHistoryWithout(users, stored));
  expect(Object.values(history).flatMap((names) => [...names.keys()])).toEqual([
    ...['E3', '7:badge', 'E4', 'E6'],
  ]);
});
