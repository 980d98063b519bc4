import { expect, test } from 'vitest';
import { fileNamePart } from '../../../console/src/users/selection/file-name-part.js';

test.each([
  [[], ''],
  [['Organization: Vertrieb Süd', 'Status: active'], 'organization-vertrieb-süd-status-active'],
  [['../a:b*c?"<|>'], 'a-b-c'],
  [['x'.repeat(59), 'yz'], 'x'.repeat(59)],
])('the filters %j are named %j in a file name', (filters, part) => {
  expect(fileNamePart(filters)).toBe(part);
});
