import { expect, test } from 'vitest';
import { canRunLockFree, lockFreeChunkItems } from '../../src/domain/users/lock-free-updates.js';
import { parseBulkChange } from '../../src/domain/users/user-rules.js';
import { itemFor, rename } from '../support/bulk-items.js';

test.each([
  ['without items', [], true],
  ['on different people', [itemFor('A'), itemFor('B', { phone: '123' })], true],
  ['with usernames: whether they are new is known only later', [itemFor('A', { username: 'u' })], true],
  [
    'that gives somebody the own employee ID, or none',
    [rename('A', 'A'), itemFor('B', { newEmployeeID: null })],
    true,
  ],
  ['on people whose employee IDs differ in letters', [itemFor('A'), itemFor('a')], true],
  ['with broken items for the same person', [itemFor('A'), { employeeID: 'A' }, 7, null], true],
  ['that renames', [itemFor('A'), rename('B', 'C')], false],
  ['that renames by letters alone', [rename('A', 'a')], false],
  ['on one person twice', [itemFor('A'), itemFor('B'), itemFor('A', { phone: '123' })], false],
])('a call %s may go the quick way: %j', (_, items, expected) => {
  expect(canRunLockFree(items.map((item, position) => parseBulkChange(item, { position })))).toBe(expected);
});

test.each([
  { items: 100, connections: 2, expected: 500 },
  { items: 1_000, connections: 2, expected: 500 },
  { items: 3_001, connections: 2, expected: 1_501 },
  { items: 3_000, connections: 1, expected: 2_500 },
  { items: 10_000, connections: 2, expected: 2_500 },
])('a call of $items items has parts of $expected on $connections connections', (each) => {
  const limits = { bulkChunkItems: 2_500, bulkConnectionsMax: each.connections };
  expect(lockFreeChunkItems(each.items, limits)).toBe(each.expected);
});
