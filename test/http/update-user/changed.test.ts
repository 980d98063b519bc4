import { describe, expect, test } from 'vitest';
import { newId, useService } from '../../support/service.js';

const service = useService();

function patch(serial: string, body: unknown, headers: Record<string, string> = {}) {
  return service.request('PATCH', `/service/users/${serial}`, { body, headers });
}

/** A user with every field set. */
function givenFullUser() {
  return service.givenUser({
    username: newId('u'),
    phone: '+44 20 7946 0958',
    tagSerials: ['T1', 'T2'],
    organizationSerial: 'ORG7',
  });
}

describe('PATCH /service/users/{serial} sets', () => {
  test.each([
    ['employeeID, which renames the user', () => ({ employeeID: newId('Renamed') })],
    ['name', () => ({ name: 'Ada King' })],
    ['username', () => ({ username: newId('other') })],
    ['email', () => ({ email: 'ada@example.org' })],
    ['phone', () => ({ phone: '+1 202 555 0147' })],
    ['isActive', () => ({ isActive: false })],
    ['tagSerials', () => ({ tagSerials: ['T9', 'T1'] })],
    ['organizationSerial', () => ({ organizationSerial: 'ORG8' })],
  ])('%s and keeps all other fields', async (_, change) => {
    const { serial } = await givenFullUser();
    const before = await service.readUser(serial);
    const body = change();
    const reply = await patch(serial, body);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: { ...before, ...body, updatedAt: expect.any(String) },
    });
    expect(await service.readUser(serial)).toEqual(reply.json.data);
  });

  test('all fields at once', async () => {
    const { serial } = await service.givenUser();
    const body = {
      employeeID: newId(),
      name: 'Grace Hopper',
      username: newId('u'),
      email: 'grace@example.org',
      phone: '+1 202 555 0147',
      isActive: false,
      tagSerials: ['T1'],
      organizationSerial: 'ORG7',
    };
    expect((await patch(serial, body)).json.data).toMatchObject({ serial, ...body });
  });

  test('a trimmed name, and tags without duplicates in the order sent', async () => {
    const { serial } = await service.givenUser();
    const reply = await patch(serial, { name: '  Ada  King ', tagSerials: ['T2', 'T1', 'T2'] });
    expect(reply.json.data).toMatchObject({ name: 'Ada  King', tagSerials: ['T2', 'T1'] });
  });

  test('another case of the same username and employee ID', async () => {
    const username = newId('ada');
    const { serial, employeeID } = await service.givenUser({ username });
    const body = { username: username.toUpperCase(), employeeID: employeeID.toLowerCase() };
    expect((await patch(serial, body)).json.data).toMatchObject(body);
  });

  test('a later updatedAt and keeps createdAt', async () => {
    const { serial } = await service.givenUser();
    const before = await service.readUser(serial);
    const { data } = (await patch(serial, { name: 'Ada King' })).json;
    expect(data.createdAt).toBe(before.createdAt);
    expect(data.updatedAt >= String(before.updatedAt)).toBe(true);
  });

  test('another employee ID, which frees the old one', async () => {
    const { serial, employeeID } = await service.givenUser();
    await patch(serial, { employeeID: newId() });
    expect((await service.givenUser({ employeeID })).employeeID).toBe(employeeID);
  });

  test('the username to null, which frees it', async () => {
    const username = newId('u');
    const { serial } = await service.givenUser({ username });
    await patch(serial, { username: null });
    expect((await service.givenUser({ username: username.toUpperCase() })).username).toBe(
      username.toUpperCase(),
    );
  });
});

describe('PATCH /service/users/{serial} clears', () => {
  test.each([
    ['username', null, null],
    ['username', '', null],
    ['email', null, null],
    ['email', '', null],
    ['phone', null, null],
    ['phone', '', null],
    ['tagSerials', null, []],
    ['tagSerials', [], []],
    ['organizationSerial', null, null],
    ['organizationSerial', '', null],
  ])('%s with %j', async (field, sent, stored) => {
    const { serial } = await givenFullUser();
    const before = await service.readUser(serial);
    const reply = await patch(serial, { [field]: sent });
    expect(reply.json.data).toEqual({ ...before, [field]: stored, updatedAt: expect.any(String) });
  });

  test('email if the same patch sets a phone', async () => {
    const { serial } = await service.givenUser();
    const reply = await patch(serial, { email: null, phone: '+1 202 555 0147' });
    expect(reply.json.data).toMatchObject({ email: null, phone: '+1 202 555 0147' });
  });
});

describe('PATCH /service/users/{serial} accepts the media type', () => {
  test.each([
    'application/json',
    'application/merge-patch+json',
    'application/merge-patch+json; charset=utf-8',
    'Application/Merge-Patch+JSON',
  ])('%s', async (contentType) => {
    const { serial } = await service.givenUser();
    const reply = await patch(serial, { name: 'Ada King' }, { 'content-type': contentType });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data.name).toBe('Ada King');
  });
});

describe('a patch that changes nothing', () => {
  test.each([
    ['an empty patch', () => ({})],
    ['the current values', (user: Record<string, unknown>) => pick(user)],
    [
      'the current values written differently',
      () => ({ name: ' Ada Lovelace ', tagSerials: ['T1', 'T2', 'T1'] }),
    ],
  ])('keeps updatedAt and the ETag: %s', async (_, bodyFor) => {
    const { serial } = await givenFullUser();
    const before = await service.get(`/service/users/${serial}`);
    const user = await service.readUser(serial);
    const reply = await patch(serial, bodyFor(user));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data).toEqual(user);
    expect(reply.headers.get('etag')).toBe(before.headers.get('etag'));
    const after = await service.get(`/service/users/${serial}`);
    expect(after.json.data).toEqual(before.json.data);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  function pick({ serial: _, createdAt: __, updatedAt: ___, ...fields }: Record<string, unknown>) {
    return fields;
  }
});

describe('If-Match', () => {
  async function givenVersion() {
    const { serial } = await service.givenUser();
    const etag = (await service.get(`/service/users/${serial}`)).headers.get('etag') ?? '';
    return { serial, etag };
  }

  test('with the current ETag allows the change and returns the next one', async () => {
    const { serial, etag } = await givenVersion();
    const reply = await patch(serial, { name: 'Ada King' }, { 'if-match': etag });
    expect(reply.status, reply.text).toBe(200);
    const next = reply.headers.get('etag');
    expect(next).not.toBe(etag);
    expect((await service.get(`/service/users/${serial}`)).headers.get('etag')).toBe(next);
    const again = await patch(serial, { name: 'Ada Byron' }, { 'if-match': next ?? '' });
    expect(again.status).toBe(200);
  });

  test.each([
    ['*', () => '*'],
    ['a list with the current ETag', (etag: string) => `"other", ${etag} ,"more"`],
    ['a list without spaces', (etag: string) => `"other",${etag}`],
  ])('with %s allows the change', async (_, headerFor) => {
    const { serial, etag } = await givenVersion();
    const reply = await patch(serial, { name: 'Ada King' }, { 'if-match': headerFor(etag) });
    expect(reply.status, reply.text).toBe(200);
  });

  test('allows one of two concurrent changes of the same version and rejects the other', async () => {
    const { serial, etag } = await givenVersion();
    const replies = await Promise.all(
      ['Ada King', 'Ada Byron'].map((name) => patch(serial, { name }, { 'if-match': etag })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 412]);
    const winner = replies.find((reply) => reply.status === 200);
    expect((await service.readUser(serial)).name).toBe(winner?.json.data.name);
  });
});
