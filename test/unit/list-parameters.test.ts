import { describe, expect, test } from 'vitest';
import { readTime } from '../../src/contract/times.js';
import { fingerprintOf, readCursor, writeCursor } from '../../src/domain/cursor.js';
import { idsMeantBy } from '../../src/domain/users/exact-matches.js';
import {
  choiceParameter,
  countParameter,
  flagParameter,
  readPage,
  readParameters,
  readValues,
} from '../../src/http/query.js';
import { flagFilters, type GivenFilters, readUserFilters } from '../../src/http/user-filters.js';
import { rejected } from '../support/expect-failure.js';

const failed = (parameter: string, problem: RegExp) => ({
  error: 'REQUEST_PARAMETER_INVALID',
  detail: expect.stringMatching(new RegExp(`^"${parameter}" ${problem.source}`)),
  data: { parameter },
});

describe('parameters of a list', () => {
  const known = { search: 0, limit: 0, cursor: 0, tagSerial: 0, types: 0 };
  const read = (query: Record<string, unknown>) => readValues(query, known, { repeatable: ['tagSerial'] });

  test('are read as sent, and some can be repeated', () => {
    expect(read({ search: '', tagSerial: ['a', 'b'] })).toEqual({ search: [''], tagSerial: ['a', 'b'] });
  });

  test.each([
    ['sorted', 'name', 'sorted', /^is unknown. Use search, limit, cursor, tagSerial, types\.$/],
    ['Search', 'x', 'Search', /^is unknown/],
    ['constructor', '1', 'constructor', /^is unknown/],
    ['__proto__', '1', '__proto__', /^is unknown/],
    ['', '1', '', /^is unknown/],
    ['\u0000"', '1', '??', /^is unknown/],
    ['search[]', 'a', 'search[]', /^is unknown/],
    ['search', ['a', 'b'], 'search', /^appears more than once\. Send it once\.$/],
    ['limit', ['2', '2'], 'limit', /^appears more than once/],
    ['search', 'a\u0000', 'search', /^must not contain NUL characters\.$/],
    ['cursor', '\u0000', 'cursor', /^must not contain NUL/],
    ['tagSerial', ['a', '\u0000'], 'tagSerial', /^must not contain NUL/],
    ['search', '\ud800', 'search', /^must not contain lone surrogates\.$/],
    ['search', 'a'.repeat(201), 'search', /^must not exceed 200 characters\.$/],
    ['search', '🙂'.repeat(201), 'search', /^must not exceed 200 characters/],
  ])('reject %j=%j', (name, value, parameter, problem) => {
    const query = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);
    const result = rejected(() => read(query));
    const [start, rest] = [`"${parameter}" `, result.detail.slice(parameter.length + 3)];
    expect(result).toMatchObject({ error: 'REQUEST_PARAMETER_INVALID', data: { parameter } });
    expect([result.detail.startsWith(start), rest]).toEqual([true, expect.stringMatching(problem)]);
  });

  test('accept 200 characters, and any length of a cursor', () => {
    expect(read({ search: '🙂'.repeat(200) })).toBeDefined();
    expect(read({ cursor: 'a'.repeat(5_000) })).toBeDefined();
  });

  test.each(['0', '201', '-1', '1.5', '1e2', 'all', '', ' 5', '0200'])('reject the limit %j', (limit) => {
    expect(rejected(() => readPage({ limit }))).toEqual(
      failed('limit', /must be a whole number from 1 to 200\.$/),
    );
  });

  test('have a limit from 1 to 200, by default 50', () => {
    expect(['1', '200', undefined].map((limit) => readPage(limit === undefined ? {} : { limit }))).toEqual(
      [1, 200, 50].map((limit) => ({ limit, cursor: undefined })),
    );
  });

  test('have flags of true or false, by default as declared', () => {
    const flags = {
      off: flagParameter('', false),
      on: flagParameter('', true),
      open: flagParameter('', undefined),
    };
    expect(readParameters({}, flags)).toStrictEqual({ off: false, on: true });
    expect(readParameters({ off: 'true', on: 'false', open: 'true' }, flags)).toEqual({
      ...{ off: true, on: false, open: true },
    });
    for (const value of ['', '1', 'TRUE', 'yes', 'true '])
      expect(rejected(() => readParameters({ on: value }, flags))).toEqual(
        failed('on', /must be one of true, false\.$/),
      );
  });

  test('have counts, and choices with or without a default', () => {
    const parameters = {
      count: countParameter(''),
      kind: choiceParameter(['a', 'b'], undefined, ''),
      mode: choiceParameter(['a', 'b'], 'b', ''),
    };
    expect(readParameters({}, parameters)).toStrictEqual({ mode: 'b' });
    expect(readParameters({ count: '007', kind: 'b', mode: 'a' }, parameters)).toEqual({
      ...{ count: 7, kind: 'b', mode: 'a' },
    });
    for (const count of ['', '-1', '1.5', '1e3', '1000000000'])
      expect(rejected(() => readParameters({ count }, parameters))).toEqual(
        failed('count', /must be a whole number from 0 to 999999999\.$/),
      );
    expect(rejected(() => readParameters({ kind: 'A' }, parameters))).toEqual(
      failed('kind', /must be one of a, b\.$/),
    );
  });
});

const serial = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

describe('filters of users', () => {
  test.each([
    [{ search: ['ada'] }, { search: 'ada' }],
    [{ search: [' \u200b'] }, {}],
    [{ search: ['!!!'] }, { search: '!!!' }],
    [{ serial: ['a', 'b'] }, { serials: ['a', 'b'] }],
    [{ employeeID: ['a', 'b'] }, { employeeIDs: ['a', 'b'] }],
    [{ formerEmployeeID: ['a'] }, { formerEmployeeIDs: ['a'] }],
    [{ username: ['a'] }, { usernames: ['a'] }],
    [{ organizationSerial: ['a'] }, { organizationSerials: ['a'] }],
    [
      { organizationSerial: ['a'], includeParts: ['true'] },
      { organizationSerials: ['a'], includeParts: true },
    ],
    [{ organizationSerial: ['a'], includeParts: ['false'] }, { organizationSerials: ['a'] }],
    [{ notOrganizationSerial: ['a'] }, { notOrganizationSerials: ['a'] }],
    [{ tagSerial: ['a'] }, { tagSerials: ['a'] }],
    [{ notTagSerial: ['a'] }, { notTagSerials: ['a'] }],
    [{ manager: ['a', serial] }, { managers: { employeeIDs: ['a', serial], serials: [serial] } }],
    [
      { hasManager: ['true'], managerIsActive: ['false'] },
      { hasManager: true, managerIsActive: false },
    ],
    [
      { isActive: ['true'], hasOrganization: ['false'] },
      { isActive: true, hasOrganization: false },
    ],
    [
      { hasTags: ['true'], mustChangePassword: ['false'], neverSignedIn: ['true'] },
      { hasTags: true, mustChangePassword: false, neverSignedIn: true },
    ],
    [
      { role: ['viewer', 'none'], notRole: ['administrator'] },
      { roles: ['viewer', 'none'], notRoles: ['administrator'] },
    ],
    [
      { createdSince: ['2026-11-15T08:30Z'], createdUntil: ['2026-11-15T08:30:00+01:00'] },
      { createdSince: '2026-11-15T08:30:00.000Z', createdUntil: '2026-11-15T07:30:00.000Z' },
    ],
    [
      { updatedSince: ['0001-01-01T00:00:00Z'], updatedUntil: ['9999-12-31T23:59:59.999Z'] },
      { updatedSince: '0001-01-01T00:00:00.000Z', updatedUntil: '9999-12-31T23:59:59.999Z' },
    ],
  ])('%j', (given, filters) => {
    expect(readUserFilters(given)).toEqual({ filters });
  });

  test.each<[GivenFilters, string, RegExp]>([
    [{ role: ['boss'] }, 'role', /^must be one of .*, none\.$/],
    [{ role: ['viewer', 'boss'] }, 'role', /^must be one of/],
    [{ notRole: [''] }, 'notRole', /^must be one of/],
    ...flagFilters.map(
      (flag) => [{ [flag]: ['1'] }, flag, /^must be one of true, false\.$/] as [GivenFilters, string, RegExp],
    ),
    [{ isActive: ['true', 'false'] }, 'isActive', /^appears more than once/],
    [{ search: ['a', 'b'] }, 'search', /^appears more than once/],
    [{ includeParts: ['true'] }, 'includeParts', /^requires "organizationSerial"\.$/],
    ...['createdSince', 'createdUntil', 'updatedSince', 'updatedUntil'].map(
      (time) =>
        [
          { [time]: ['yesterday'] },
          time,
          /^must be a time with an offset, such as 2026-11-15T08:30:00Z\.$/,
        ] as [GivenFilters, string, RegExp],
    ),
    [{ tagSerial: ['x', '\u0000'] }, 'tagSerial', /^must not contain NUL/],
    [{ organizationSerial: ['\ud800'] }, 'organizationSerial', /^must not contain lone surrogates/],
    [{ search: ['a'.repeat(201)] }, 'search', /^must not exceed 200 characters/],
    [{ tagSerial: Array(101).fill('x') }, 'tagSerial', /^has more than 100 values\.$/],
    [{ serial: Array(101).fill('x') }, 'serial', /^has more than 100 values\.$/],
  ])('%j is rejected', (given, name, problem) => {
    expect(readUserFilters(given)).toEqual({ name, problem: expect.stringMatching(problem) });
  });

  test('have up to 100 values, and more serials if there is room for them', () => {
    expect(readUserFilters({ tagSerial: Array(100).fill('x') })).toHaveProperty('filters');
    const serial = Array(1_000).fill('x');
    expect(readUserFilters({ serial }, { serialsMax: 1_000 })).toHaveProperty('filters');
    expect(readUserFilters({ serial: [...serial, 'x'] }, { serialsMax: 1_000 })).toHaveProperty('problem');
  });

  test.each([
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-11-15T08:30:00',
    '2026-11-15T24:00:00Z',
    '',
    '0000-01-01T00:00Z',
  ])('have no time %j', (text) => expect(readTime(text)).toBeUndefined());
});

describe('a search for a whole employee ID', () => {
  test('means it as typed, or in one case', () => {
    expect(idsMeantBy(' Ab1 ')).toEqual(['Ab1', 'AB1', 'ab1']);
    expect(idsMeantBy('ab1')).toEqual(['ab1', 'AB1']);
    for (const none of ['', 'a b', 'É1', 'a'.repeat(65)]) expect(idsMeantBy(none)).toEqual([]);
  });

  test('of digits means any number of leading zeros, up to the longest ID', () => {
    const meant = idsMeantBy('0042');
    expect(meant.slice(0, 4)).toEqual(['42', '042', '0042', '00042']);
    expect([meant.length, meant.at(-1)?.length]).toEqual([63, 64]);
    expect(idsMeantBy('000').slice(0, 2)).toEqual(['0', '00']);
  });
});

describe('a cursor', () => {
  const fingerprint = fingerprintOf('list', { a: 1 });
  const cursor = writeCursor(fingerprint, ['key', 'serial']);
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('is read by the list that wrote it, and by no other', () => {
    expect(readCursor(cursor, fingerprint)).toEqual(['key', 'serial']);
    for (const other of [
      fingerprintOf('list', { a: 2 }),
      fingerprintOf('other', { a: 1 }),
      fingerprintOf('list'),
    ])
      expect(readCursor(cursor, other)).toBeUndefined();
  });

  test.each([
    '',
    '***',
    Buffer.from('not json').toString('base64url'),
    ...[null, 7, {}, [], [null, null], 'x'].map(encoded),
    encoded([fingerprint, 7]),
    encoded([fingerprint, 'a\u0000']),
    'a'.repeat(5_000),
    cursor.slice(0, -4),
  ])('is not %j', (text) => {
    expect(readCursor(text, fingerprint)).toBeUndefined();
  });
});
