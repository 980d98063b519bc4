import { describe, expect, test } from 'vitest';
import { formatMatches, formatNoMatches } from '../../../src/cli/users/matches.js';

describe('the number of matching users', () => {
  test.each([
    [{ printed: 1, isMore: false }, undefined, '1 user'],
    [{ printed: 50, isMore: true }, { count: 1_204, isExact: true }, '50 of 1,204 users'],
    [{ printed: 50, isMore: true }, { count: 41_000, isExact: false }, '50 of about 41,000 users'],
    [{ printed: 20_000, isMore: true }, { count: 10_000, isExact: false }, 'The first 20,000 users'],
  ])('%j of %j: %s', (printed, total, text) => {
    expect(formatMatches(printed, total)).toBe(text);
  });
});

describe('no matches', () => {
  test.each([
    [{}, 'There are no users yet. To create one, see: rollcall users create --help.'],
    [{ search: 'müller' }, 'No users match --search müller.\nTry fewer or shorter words.'],
    [
      { employeeId: ['E1', 'E2'] },
      'No users match --employee-id E1 --employee-id E2.\nTo find users by part of a value, use --search.',
    ],
    [{ tag: ['t1'] }, 'No users match --tag t1.\nTags and organizations must match exactly, including case.'],
    [
      { active: true, mustChangePassword: true, neverSignedIn: false },
      'No users match --active true --must-change-password --never-signed-in false.\nAll filters must match, so try removing one.',
    ],
    [
      { hasOrganization: false },
      'No users match --has-organization false.\nTo include all users, remove the filter.',
    ],
    [
      { notRole: ['none' as const] },
      'No users match --not-role none.\nTo include all users, remove the filter.',
    ],
    [
      { updatedSince: '2026-11-15T00:00:00.000Z' },
      'No users match --updated-since 2026-11-15T00:00:00Z.\nTry a longer period.',
    ],
    [
      { notTag: ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T\u001b7'] },
      'No users match --not-tag T1 --not-tag T2 --not-tag T3 --not-tag T4 --not-tag T5 (and 2 more).\nTo include all users, remove the filter.',
    ],
  ])('with %j', (filters, text) => {
    expect(formatNoMatches(filters)).toBe(text);
  });

  test('a value cannot control the terminal', () => {
    expect(formatNoMatches({ search: 'a\u001b[31m' })).toContain("--search 'a [31m'.");
  });
});
