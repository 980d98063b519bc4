import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('GET /service/users/{serial} returns', () => {
  test('every stored field of the user and no secret', async () => {
    const { password: _, ...given } = await service.givenUser({
      username: newId('u'),
      email: 'grace@example.com',
      phone: '+1 (202) 555-0147',
      password: 'a password that stays secret',
      isActive: false,
      tagSerials: ['T2', 'T1', 'T2'],
      organizationSerial: 'ORG7',
    });
    const reply = await service.get(`/service/users/${given.serial}`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        ...given,
        tagSerials: ['T2', 'T1'],
        createdAt: timestamp,
        updatedAt: timestamp,
        ...{ signInName: null, manager: null, managers: [], attributes: {}, upcomingChanges: [] },
      },
    });
    expect(reply.text).not.toMatch(/password|argon2|hash/i);
  });

  test('null for missing fields and an empty list for no tags', async () => {
    const { serial, ...given } = await service.givenUser();
    expect(await service.readUserWithPlans(serial)).toEqual({
      serial,
      ...given,
      username: null,
      phone: null,
      tagSerials: [],
      organizationSerial: null,
      createdAt: timestamp,
      updatedAt: timestamp,
      ...{ signInName: null, manager: null, managers: [], attributes: {}, upcomingChanges: [] },
    });
  });

  test('equal createdAt and updatedAt for a new user, at the time of the request', async () => {
    const before = Date.now();
    const { serial } = await service.givenUser();
    const after = Date.now();
    const { createdAt, updatedAt } = (await service.readUser(serial)) as Record<string, string>;
    expect(updatedAt).toBe(createdAt);
    expect(Date.parse(createdAt ?? '')).toBeGreaterThanOrEqual(before);
    expect(Date.parse(createdAt ?? '')).toBeLessThanOrEqual(after);
  });

  test('the user for a serial in any case', async () => {
    const { serial, employeeID } = await service.givenUser();
    expect(await service.readUser(serial.toUpperCase())).toMatchObject({ employeeID, serial });
  });

  test('no body to HEAD, with the same headers', async () => {
    const { serial } = await service.givenUser();
    const head = await service.request('HEAD', `/service/users/${serial}`);
    const get = await service.get(`/service/users/${serial}`);
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });
});

describe('the ETag of a user', () => {
  const etagOf = async (serial: string) =>
    (await service.get(`/service/users/${serial}`)).headers.get('etag');

  test('is strong and stable while nothing changes', async () => {
    const { serial } = await service.givenUser();
    const etag = await etagOf(serial);
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(await etagOf(serial)).toBe(etag);
  });

  test('differs after a PATCH and after a bulk update', async () => {
    const user = await service.givenUser();
    const tags = [await etagOf(user.serial)];
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'Ada King' } });
    tags.push(await etagOf(user.serial));
    await service.updateBulk([{ employeeID: user.employeeID, name: 'Ada Byron', isActive: true }]);
    tags.push(await etagOf(user.serial));
    expect(new Set(tags).size).toBe(3);
  });
});

test('GET /service/users/{serial} fails with 404 and 10102 for what is not the serial of a user', async () => {
  const { employeeID } = await service.givenUser();
  for (const serial of [
    '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
    'somebody',
    '0198c0de7a11700080005f1e2d3c4b5a',
    '%7B0198c0de-7a11-7000-8000-5f1e2d3c4b5a%7D',
    '0198c0de-7a11-7000-8000-5f1e2d3c4b5a%0A',
    '%00',
    "'%20OR%20true--",
    'a'.repeat(900),
    'a%2Fb',
    employeeID,
  ]) {
    const reply = await service.get(`/service/users/${serial}`);
    expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /No user has this serial/);
    expect(reply.headers.get('etag')).toBeNull();
  }
});
