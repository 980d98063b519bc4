import { describe, expect, test } from 'vitest';
import { noQuarantine } from '../../src/domain/names/quarantine.js';
import { checkQuarantine, freeNames, quarantineOf } from '../../src/domain/names/quarantined-names.js';
import { releasedBefore, releasedWithin } from '../../src/domain/users/plans/quarantine.js';
import type { Executor } from '../../src/storage/database.js';

describe('a quarantine that is off', () => {
  const off = { quarantineDays: noQuarantine.days };
  const untouched = { query: () => expect.unreachable('no query is needed') } as unknown as Executor;

  test('costs no query', async () => {
    const names = { employeeIDs: ['E1'], usernames: ['ada'] };
    expect(await quarantineOf(off, untouched, names)).toBe(noQuarantine);
    const taken = { employeeID: new Map([['E1', 'a']]), username: new Map([['ada', 'a']]) };
    await checkQuarantine(off, untouched, taken);
    expect(freeNames(off, names, [])).toEqual({ employeeIDs: [], usernames: [] });
  });
});

describe('a released name', () => {
  const releasedAt = new Date('2026-03-03T09:15:00Z');
  const quarantine = {
    days: { employeeID: 30, username: 0 },
    released: {
      employeeID: new Map([['E1001', { serial: 'ada', releasedAt }]]),
      username: new Map<string, never>(),
    },
    now: releasedAt,
  };
  const wanted = (serial: string) => ({ field: 'employeeID', value: 'E1001', key: 'E1001', serial }) as const;

  test('says when it was released and from when anyone can have it', () => {
    expect(releasedBefore(quarantine, undefined, wanted('bob'))).toMatchObject({
      error: 'USER_EMPLOYEE_ID_EXISTS',
      detail:
        'The employee ID "E1001" was released on 3 March 2026 and can be given to someone else from 2 April 2026, 09:15 UTC. Use another one, or ask an administrator to release it.',
      data: { quarantined: { serial: 'ada', quarantinedUntil: '2026-04-02T09:15:00.000Z' } },
    });
  });

  test('is free for its last holder', () => {
    expect(releasedBefore(quarantine, 1, wanted('ada'))).toBeUndefined();
    expect(releasedWithin(quarantine, 1, wanted('ada'), { serial: 'ada', position: 0 })).toBeUndefined();
  });

  test('is not quarantined by a call if only the other kind of name is', () => {
    const username = { field: 'username', value: 'ada', key: 'ada', serial: 'bob' } as const;
    expect(releasedWithin(quarantine, 1, username, { serial: 'ada', position: 0 })).toBeUndefined();
  });
});
