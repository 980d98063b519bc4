import { expect, test } from 'vitest';
import { canRunLockFree, lockFreeChunkItems } from '../../src/domain/users/lock-free-updates.js';
import { parseBulkChange } from '../../src/domain/users/user-rules.js';
import { itemFor, rename } from '../support/bulk-items.js';

test.each([
  ['without items', [], true],
  ['with different users', [itemFor('A'), itemFor('B', { phone: '123' })], true],
  [
    'with usernames, because it becomes known only later whether they change',
    [itemFor('A', { username: 'u' })],
    true,
  ],
  [
    'that sets newEmployeeID to the current one or to null',
    [rename('A', 'A'), itemFor('B', { newEmployeeID: null })],
    true,
  ],
  ['with users whose employee IDs differ only in case', [itemFor('A'), itemFor('a')], true],
  ['with invalid items for the same user', [itemFor('A'), { employeeID: 'A' }, 7, null], true],
  ['that renames', [itemFor('A'), rename('B', 'C')], false],
  ['that renames by changing only the case', [rename('A', 'a')], false],
  ['with the same user twice', [itemFor('A'), itemFor('B'), itemFor('A', { phone: '123' })], false],
])('a call %s can run lock-free: %j', (_, items, expected) => {
  expect(canRunLockFree(items.map((item, position) => parseBulkChange(item, { position })))).toBe(expected);
});

test.each([
  { items: 100, connections: 2, expected: 500 },
  { items: 1_000, connections: 2, expected: 500 },
  { items: 3_001, connections: 2, expected: 1_501 },
  { items: 3_000, connections: 1, expected: 2_500 },
  { items: 10_000, connections: 2, expected: 2_500 },
])('a call with $items items uses chunks of $expected on $connections connections', (each) => {
  const limits = { bulkChunkItems: 2_500, bulkConnectionsMax: each.connections };
  expect(lockFreeChunkItems(each.items, limits)).toBe(each.expected);
});
