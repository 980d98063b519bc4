import { expect, test } from 'vitest';
import { mayRunAside } from '../../src/domain/users/updates-aside.js';
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
  expect(mayRunAside(items.map((item, position) => parseBulkChange(item, { position })))).toBe(expected);
});
