import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { type ErrorName, errorCatalogue } from '../../src/contract/errors.js';
import { fieldLimits, limitDefaults } from '../../src/contract/limits.js';

const page = readFileSync('docs/contract.md', 'utf8');
const description = readFileSync('openapi-contract.json', 'utf8');

// Its requests are sent in test/http/contract/page.test.ts.
describe('docs/contract.md', () => {
  test('is short, and the first link of the README', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(250);
    const [, first] = /\]\(([^)]+)\)/.exec(readFileSync('README.md', 'utf8')) ?? [];
    expect(first).toBe('docs/contract.md');
  });

  test('states the errors as the catalogue does', () => {
    const rows = [...page.matchAll(/^\| (\d{5}.*?) \| (.*?) \| (\d{3}.*?) \|/gm)];
    expect(rows.length).toBeGreaterThan(8);
    for (const [, codes = '', names = '', statuses = ''] of rows) {
      const entries = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => errorCatalogue[name as ErrorName]);
      const stated = statuses.split(', ').map(Number);
      expect(entries.map(({ code }) => code)).toEqual(codes.split(', ').map(Number));
      expect(entries.map(({ status }) => status)).toEqual(entries.map((_, at) => stated[at] ?? stated[0]));
    }
  });

  test('states the limits that apply', () => {
    const count = (number: number) => number.toLocaleString('en');
    const { nameMaxLength, emailMaxLength, phoneMaxLength, passwordMaxLength } = fieldLimits;
    const { bulkBodyMaxBytes, bodyMaxBytes, requestsPerMinuteMax, tokenRequestsPerMinuteMax } = limitDefaults;
    const limits = Object.fromEntries(
      [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what = '', limit = '']) => [what, limit]),
    );
    expect(limits).toMatchObject({
      'Items of a call': count(limitDefaults.bulkItemsMax),
      'Body of a bulk call, of a create': `${bulkBodyMaxBytes / 2 ** 20} MiB, ${bodyMaxBytes / 2 ** 10} KiB, decompressed`,
      '`employeeID`, `newEmployeeID`, `username`': `${fieldLimits.employeeIdMaxLength} characters from a-z, A-Z, 0-9`,
      '`name`, `email`, `phone`, `password`': `${nameMaxLength}, ${emailMaxLength}, ${phoneMaxLength}, ${passwordMaxLength} characters`,
      '`tagSerials`, `organizationSerial`': `${fieldLimits.tagSerialsMaxCount} tags; ${fieldLimits.serialMaxLength} characters each`,
      'Requests per minute': `${count(requestsPerMinuteMax)} per client, ${count(tokenRequestsPerMinuteMax)} tokens per address`,
    });
  });
});

// `npm run check` checks that it matches the code.
test('openapi-contract.json describes the two operations and the token endpoint, in at most 40 KB', async () => {
  expect(Buffer.byteLength(description)).toBeLessThanOrEqual(40_000);
  const document = JSON.parse(description);
  expect(Object.keys(document.paths)).toEqual([
    '/service/users',
    '/service/users/update-bulk',
    '/oauth/token',
  ]);
  const { errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  const { items } = document.components.schemas.BulkUpdateReport.properties.data.properties.successItems;
  expect(Object.keys(items.properties)).toEqual(['payload', 'response']);
});
