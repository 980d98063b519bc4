import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

describe('GET /service/users rejects with 10005', () => {
  // Every rule is tested in test/unit/list-parameters.test.ts.
  test.each([
    ['sorted=name', 'sorted', /"sorted" is unknown. Use search, .*cursor/],
    ['search=a&search=b', 'search', /"search" appears more than once/],
    ['limit=201', 'limit', /"limit" must be a whole number from 1 to 200/],
    ['isActive=TRUE', 'isActive', /"isActive" must be one of true, false/],
    ['sort=email', 'sort', /"sort" must be one of createdAt, -createdAt, employeeID/],
    ['sort=', 'sort', /"sort" must be one of/],
    ['sort=--name', 'sort', /"sort" must be one of/],
    ['exactFirst=1', 'exactFirst', /"exactFirst" must be one of true, false/],
    ['total=yes', 'total', /"total" must be one of approximate, exact/],
    ['tagSerial=%00', 'tagSerial', /"tagSerial" must not contain NUL/],
    ['role=boss', 'role', /"role" must be one of .*, none/],
    [Array(101).fill('tagSerial=x').join('&'), 'tagSerial', /has more than 100 values/],
  ])('%s', async (query, parameter, detail) => {
    const reply = await service.get(`/service/users?${query}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    expect(reply.json.data).toEqual({ parameter });
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

  test.each(['', 'name', '-employeeID'])('that is forged (sort: %s)', async (sort) => {
    const { given, cursor } = await givenCursor(sort === '' ? {} : { sort });
    const [fingerprint, serial, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    await expectRefused({ ...given, cursor: '' });
    await expectRefused({ ...given, cursor: cursor.slice(0, 20) });
    await expectRefused({ ...given, cursor: encoded([fingerprint, 'not a serial', 'not a serial']) });
    await expectRefused({ ...given, cursor: encoded([fingerprint, serial, 7]) });
    await expectRefused({ ...given, cursor: encoded([fingerprint, serial, key, 'more']) });
    await expectRefused({ ...given, cursor: encoded([serial, key]) });
  });

  test('used with other filters or another order', async () => {
    const { given, cursor } = await givenCursor({ isActive: 'true' });
    for (const other of [
      { organizationSerial: 'OTHER' },
      { hasTags: 'true' },
      { search: 'ada' },
      { sort: 'name' },
      { sort: '-createdAt' },
    ])
      await expectRefused({ ...given, cursor, ...other });
    const { isActive: _, ...fewer } = given as Record<string, string>;
    await expectRefused({ ...fewer, cursor });
  });

  test('but not if the same parameters are in another order', async () => {
    const { given, cursor } = await givenCursor({ isActive: 'true' });
    const turned = Object.fromEntries(Object.entries({ ...given, cursor }).reverse());
    const reply = await service.get(`/service/users?${new URLSearchParams(turned)}`);
    expect(reply.status).toBe(200);
    expect(reply.json.data.items).toHaveLength(1);
  });
});
