import { expect, test } from 'vitest';
import type { FileVersion } from '../../../src/domain/feeds/source-reader.js';
import { checkedVersion, timeOf } from '../../../src/sources/file-version.js';

const version: FileVersion = { name: 'Müller.csv', etag: '"é"', modifiedAt: null, bytes: null };

test('a version has a name that can be stored, and an ETag that can be sent back', () => {
  expect(checkedVersion(version)).toBe(version);
  for (const name of ['a\0.csv', 'a\n.csv', 'a\u0085.csv', 'a\ud800.csv']) {
    expect(() => checkedVersion({ ...version, name }), JSON.stringify(name)).toThrow('control characters');
  }
  for (const etag of ['"\r\n"', '"\0"', '"ł"']) {
    expect(() => checkedVersion({ ...version, etag }), JSON.stringify(etag)).toThrow('not valid');
  }
});

test('a time that no calendar has is none', () => {
  expect([0, Number.NaN, 1e17].map(timeOf)).toEqual(['1970-01-01T00:00:00.000Z', null, null]);
});
