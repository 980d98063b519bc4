import { verify } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();

describe('POST /service/users', () => {
  test('returns 201 with the status, a message, the serial and Location', async () => {
    const reply = await service.post('/service/users', aUser());
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        serial: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
      },
    });
    expect(reply.headers.get('location')).toBe(`/service/users/${reply.json.data.serial}`);
  });

  test('creates nobody with parameters that only bulk calls support', async () => {
    const user = aUser();
    for (const parameter of ['dryRun=true', 'effectiveAt=2100-01-01', 'approval=required', 'deliver=hold']) {
      const reply = await service.post(`/service/users?${parameter}`, user);
      expect(reply.json).toMatchObject({ errorCode: 10005, detail: expect.stringMatching(/create-bulk/) });
    }
    expect((await service.post('/service/users', user)).status).toBe(201);
  });

  test('ignores what it does not know, but nothing that could be misspelled', async () => {
    const user = aUser();
    for (const [query, fields, errorCode] of [
      ['dry_run=true', {}, 10005],
      ['Rehire=true', {}, 10005],
      ['', { dryRun: true }, 10108],
      ['', { user_name: 'ada' }, 10108],
      ['', { newEmployeeID: 'E1' }, 10108],
    ] as const) {
      const reply = await service.post(`/service/users?${query}`, { ...user, ...fields });
      expect([reply.status, reply.json.errorCode]).toEqual([400, errorCode]);
    }
    const rawBody = `{"traceId":1,"traceId":2,"__proto__":{},${JSON.stringify(user).slice(1)}`;
    const reply = await service.post('/service/users?api-version=1&api-version=2', undefined, { rawBody });
    expect(reply.status, reply.text).toBe(201);
  });

  test('stores every field except the password at Location', async () => {
    const { password, ...shown } = aUser({
      username: newId('Ada'),
      phone: '+44 20 7946 0958',
      password: 'correct horse battery staple',
      isActive: false,
      tagSerials: ['T2', 'T1'],
      organizationSerial: 'ORG7',
    });
    const created = await service.post('/service/users', { ...shown, password });
    const read = await service.get(String(created.headers.get('location')));
    expect(read.status).toBe(200);
    expect(read.json.data).toEqual({
      ...shown,
      signInName: null,
      serial: created.json.data.serial,
      createdAt: expect.any(String),
      updatedAt: read.json.data.createdAt,
      ...{ manager: null, managers: [], attributes: {}, upcomingChanges: [] },
    });
  });

  test('returns null for fields without a value, and an empty list of tags', async () => {
    const empty = { username: null, phone: null, tagSerials: [], organizationSerial: null };
    for (const fields of [{}, empty, { ...empty, username: '', organizationSerial: '', tagSerials: null }]) {
      const { serial } = await service.givenUser(fields);
      expect(await service.readUser(serial)).toMatchObject(empty);
    }
  });

  test('assigns each user a new serial, and serials increase over time', async () => {
    const first = await service.givenUser();
    const second = await service.givenUser();
    expect(second.serial > first.serial).toBe(true);
  });

  test('stores a given password only as a hash, to be changed at the first sign-in', async () => {
    const password = `secret ${newId()}`;
    const { serial } = await service.givenUser({ password });
    const { rows } = await service.database.pool.query(
      'SELECT password_hash, must_change FROM credentials WHERE user_serial = $1',
      [serial],
    );
    expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$argon2id\$/), must_change: true }]);
    expect(await verify(rows[0].password_hash, password)).toBe(true);
  });

  test('keeps a given password out of replies and logs', async () => {
    const password = `secret${newId()}`;
    const user = aUser({ password });
    const created = await service.post('/service/users', user);
    const refused = await service.post('/service/users', user);
    const invalid = await service.post('/service/users', { ...user, password: password.padEnd(200, 'x') });
    const read = await service.get(`/service/users/${created.json.data.serial}`);
    expect([created.status, refused.status, invalid.status, read.status]).toEqual([201, 409, 400, 200]);
    for (const text of [created.text, refused.text, invalid.text, read.text, service.logs]) {
      expect(text).not.toContain(password);
    }
  });
});
