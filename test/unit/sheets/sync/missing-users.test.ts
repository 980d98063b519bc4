import { describe, expect, test } from 'vitest';
import { deactivation, mayDeactivate, percentNeeded, presenceOf } from '../../../../sheets/src/index.js';

describe('an active user who is not in the file', () => {
  const presence = (user: string, includesRoles = false) =>
    presenceOf(user, { includesRoles, hasRole: (id) => id === 'admin', isPresent: (id) => id === 'E1' });

  test('is missing', () => {
    expect([presence('E1'), presence('E2')]).toEqual(['present', 'missing']);
  });

  test('is spared with a role, unless that is asked for', () => {
    expect([presence('admin'), presence('admin', true)]).toEqual(['spared', 'missing']);
  });

  test('is deactivated by an item that cannot create anyone', () => {
    expect(deactivation('E2')).toEqual({ employeeID: 'E2', isActive: false });
  });
});

describe('deactivations', () => {
  test('may affect a share of the active users, rounded down, or a number', () => {
    const allowed = [
      [1, 19, { percent: 10 }],
      [3, 3, { percent: 100 }],
      [7, 9, { users: 7 }],
    ] as const;
    for (const [missing, active, max] of allowed) {
      expect(mayDeactivate(missing, active, max)).toBe(true);
      expect(mayDeactivate(missing + 1, active, max)).toBe(false);
    }
  });

  test('are allowed by the lowest whole percentage that suffices', () => {
    expect([percentNeeded(2, 5), percentNeeded(1, 3), percentNeeded(29, 100)]).toEqual([40, 34, 29]);
  });
});
