import { describe, expect, test } from 'vitest';
import { commandFor } from '../../../console/src/navigation/keys.js';
import { isAt, places } from '../../../console/src/navigation/places.js';
import { actionEntries, matching, pageEntries } from '../../../console/src/palette/entries.js';
import { formatSeconds, limitGroups } from '../../../console/src/system/limit-groups.js';

const labels = (entries: readonly { label: string }[]) => entries.map(({ label }) => label);

describe('the command palette', () => {
  test('offers what the user may do', () => {
    expect(labels(pageEntries(['users:read']))).toEqual([
      ...['Home', 'Users', 'Organizations', 'Tags', 'Feeds', 'Activity'],
    ]);
    expect(labels(pageEntries(['users:read', 'users:write', 'access:admin', 'audit:read']))).toEqual([
      ...['Home', 'Users', 'Organizations', 'Tags', 'Feeds', 'Activity', 'Settings', 'System'],
      ...[
        'Attributes',
        'API clients',
        'Applications',
        'Receive users (SCIM)',
        'Send users (SCIM)',
        'Webhooks',
        'Status',
        'Limits',
      ],
    ]);
    expect(labels(actionEntries(['users:read']))).not.toContain('Create user');
    expect(labels(actionEntries(['users:read', 'users:write']))).toContain('Create user');
  });

  test.each([
    ['theme dark', ['Use the dark theme']],
    ['SIGN', ['Sign out']],
    ['ign', []],
    ['', labels(actionEntries(['users:read']))],
  ])('"%s" finds %j', (text, found) => {
    expect(labels(matching(actionEntries(['users:read']), text))).toEqual(found);
  });
});

describe('keyboard shortcuts', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const idle = { isTyping: false, isDialogOpen: false, isAfterG: false };
  const typing = { ...idle, isTyping: true };

  test.each([
    [{ ...plain, key: 'k', ctrlKey: true }, idle, { kind: 'palette' }],
    [{ ...plain, key: 'K', metaKey: true }, typing, { kind: 'palette' }],
    [{ ...plain, key: 'k', ctrlKey: true }, { ...idle, isDialogOpen: true }, undefined],
    [{ ...plain, key: '/' }, idle, { kind: 'search' }],
    [{ ...plain, key: '/' }, typing, undefined],
    [{ ...plain, key: '?' }, idle, { kind: 'help' }],
    [{ ...plain, key: 'c' }, idle, { kind: 'create' }],
    [{ ...plain, key: 'c', ctrlKey: true }, idle, undefined],
    [
      { ...plain, key: 'c' },
      { ...idle, isAfterG: true },
      { kind: 'go', letter: 'c' },
    ],
    [{ ...plain, key: 'x' }, idle, undefined],
  ])('%j %j', (pressed, situation, command) => {
    expect(commandFor(pressed, situation)).toEqual(command);
  });
});

test.each([
  ['/', 'home'],
  ['/users/123', 'users'],
  ['/import', 'users'],
  ['/tags', 'tags'],
  ['/system/limits', 'system'],
  ['/account', undefined],
])('%s belongs to %s', (location, key) => {
  expect(places.find((place) => isAt(place, location))?.key).toBe(key);
});

describe('limits', () => {
  test.each([
    [43_200, '12 hours'],
    [86_400, '1 day'],
    [900, '15 minutes'],
    [604_800, '7 days'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });

  test('are shown in the words of the console', () => {
    const limits = { bulkItemsMax: 10_000, bulkBodyMaxBytes: 16 * 1024 ** 2 };
    const groups = limitGroups({
      ...{ version: '1.0.0', database: 'embedded', timeZone: 'UTC', directories: 'open' },
      ...{ safetyLimitPercent: 20, safetyApproval: true, plannedCallExpiryHours: 0 },
      ...{ employeeIdQuarantineDays: 0, usernameQuarantineDays: 90, limits },
    } as never);
    const rows = groups.flatMap(({ rows }) => rows);
    expect(rows).toContainEqual(['Safety limit', '20% of all users']);
    expect(rows).toContainEqual(['Beyond the safety limit', 'Waits for approval']);
    expect(rows).toContainEqual(['Scheduled changes expire after', 'Never']);
    expect(rows).toContainEqual(['Users per bulk change', '10,000']);
    expect(rows).toContainEqual(['Size of a bulk change', '16 MB']);
    expect(rows).toContainEqual(['Quarantine of usernames', '90 days']);
  });
});
