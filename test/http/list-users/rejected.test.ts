import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

describe('GET /service/users rejects with 10005', () => {
  test.each([
    ['an unknown parameter', 'sorted=name', /"sorted" is unknown. Use search, .*cursor/],
    ['a parameter in another case', 'employeeId=E1', /"employeeId" is unknown/],
    ['a name that every object has', 'constructor=1', /"constructor" is unknown/],
    ['the name of the prototype', '__proto__=1', /"__proto__" is unknown/],
    ['a parameter without a name', '=1', /"" is unknown/],
    ['an unprintable unknown name', '%00%22=1', /"\?\?" is unknown/],
    ['a repeated parameter', 'search=a&search=b', /"search" appears more than once/],
    ['a parameter repeated with the same value', 'limit=2&limit=2', /"limit" appears more than once/],
    ['a parameter in brackets', 'search[]=a', /"search\[\]" is unknown/],
    ['a limit of 0', 'limit=0', /"limit" must be a whole number from 1 to 200/],
    ['a limit above the maximum', 'limit=201', /"limit" must be a whole number from 1 to 200/],
    ['a negative limit', 'limit=-1', /"limit" must be a whole number/],
    ['a fraction as the limit', 'limit=1.5', /"limit" must be a whole number/],
    ['an exponent as the limit', 'limit=1e2', /"limit" must be a whole number/],
    ['a word as the limit', 'limit=all', /"limit" must be a whole number/],
    ['an empty limit', 'limit=', /"limit" must be a whole number/],
    ['a limit with a space', 'limit=%205', /"limit" must be a whole number/],
    ['a capitalized isActive', 'isActive=TRUE', /"isActive" must be one of true, false/],
    ['isActive as a number', 'isActive=1', /"isActive" must be one of true, false/],
    ['an empty isActive', 'isActive=', /"isActive" must be one of true, false/],
    ['an unknown sort', 'sort=email', /"sort" must be one of createdAt, employeeID, name/],
    ['an empty sort', 'sort=', /"sort" must be one of/],
    ['a sort with two minus signs', 'sort=--name', /"sort" must be one of/],
    ['two sorts', 'sort=name,employeeID', /"sort" must be one of/],
    ['a search that is too long', `search=${'a'.repeat(201)}`, /"search" must not exceed 200 characters/],
    ['a filter that is too long', `tagSerial=${'a'.repeat(201)}`, /"tagSerial" must not exceed 200/],
    ['a NUL in a search', 'search=a%00b', /"search" must not contain NUL/],
    ['a NUL in an employeeID', 'employeeID=%00', /"employeeID" must not contain NUL/],
    ['a NUL in a username', 'username=%00', /"username" must not contain NUL/],
    ['a NUL in an organizationSerial', 'organizationSerial=%00', /"organizationSerial" must not contain NUL/],
    ['a NUL in a tagSerial', 'tagSerial=%00', /"tagSerial" must not contain NUL/],
    ['a NUL in a cursor', 'cursor=%00', /"cursor" must not contain NUL/],
  ])('%s', async (_, query, detail) => {
    const reply = await service.get(`/service/users?${query}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  });
});

describe('GET /service/users accepts', () => {
  test.each([
    ['an invalid % escape, taken literally,', 'search=100%&employeeID=%zz'],
    ['bytes that are not UTF-8', 'search=%ff%fe'],
    ['a lone surrogate', 'tagSerial=%ed%a0%80'],
  ])('%s and finds no users', async (_, query) => {
    const reply = await service.get(`/service/users?organizationSerial=${newId('ORG')}&${query}`);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data.items).toEqual([]);
  });
});

describe('GET /service/users rejects a cursor with 10006', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  async function givenCursor(query: Record<string, string> = {}) {
    const organizationSerial = newId('ORG');
    for (let count = 0; count < 2; count++) await service.givenUser({ organizationSerial });
    const given = { organizationSerial, limit: '1', ...query };
    const reply = await service.get(`/service/users?${new URLSearchParams(given)}`);
    const cursor: string = reply.json.data.nextCursor;
    return { given, cursor };
  }

  async function expectRefused(query: Record<string, string>) {
    const reply = await service.get(`/service/users?${new URLSearchParams(query)}`);
    expectFailure(reply, 400, 10006, 'REQUEST_CURSOR_INVALID', /same filters and sort/);
  }

  test.each([
    ['empty', ''],
    ['not base64', '***'],
    ['not JSON', Buffer.from('not json').toString('base64url')],
    ['null', encoded(null)],
    ['a number', encoded(7)],
    ['an object', encoded({})],
    ['an empty array', encoded([])],
    ['an array of nulls', encoded([null, null, null])],
    ['only a serial', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a'],
    ['very long', 'a'.repeat(5_000)],
  ])('that is %s', async (_, cursor) => {
    await expectRefused({ cursor });
  });

  test('with any one character changed', async () => {
    const { given, cursor } = await givenCursor();
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      await expectRefused({ ...given, cursor: changed });
    }
  });

  test('that is truncated', async () => {
    const { given, cursor } = await givenCursor();
    for (const length of [1, 20, cursor.length - 2])
      await expectRefused({ ...given, cursor: cursor.slice(0, length) });
  });

  test.each(['', 'name', '-employeeID'])('whose position was forged (sort: %s)', async (sort) => {
    const { given, cursor } = await givenCursor(sort === '' ? {} : { sort });
    const [fingerprint, serial, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    await expectRefused({ ...given, cursor: encoded([fingerprint, 'not a serial', 'not a serial']) });
    await expectRefused({ ...given, cursor: encoded([fingerprint, serial, 7]) });
    await expectRefused({ ...given, cursor: encoded([fingerprint, serial, `${key}\u0000`]) });
    await expectRefused({ ...given, cursor: encoded([fingerprint, serial, key, 'more']) });
    await expectRefused({ ...given, cursor: encoded([serial, key]) });
  });

  test.each([
    ['another organization', { organizationSerial: 'OTHER' }],
    ['an additional filter', { isActive: 'true' }],
    ['an additional search', { search: 'ada' }],
    ['another sort', { sort: 'name' }],
    ['the other direction', { sort: '-createdAt' }],
  ])('used with %s', async (_, other) => {
    const { given, cursor } = await givenCursor();
    await expectRefused({ ...given, cursor, ...other });
  });

  test('used without one of its filters', async () => {
    const { given, cursor } = await givenCursor({ isActive: 'true' });
    await expectRefused({ organizationSerial: given.organizationSerial, limit: '1', cursor });
  });

  test('but not if the same parameters are in another order', async () => {
    const { given, cursor } = await givenCursor({ isActive: 'true' });
    const turned = Object.fromEntries(Object.entries({ ...given, cursor }).reverse());
    const reply = await service.get(`/service/users?${new URLSearchParams(turned)}`);
    expect(reply.status).toBe(200);
    expect(reply.json.data.items).toHaveLength(1);
  });
});
