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

describe('PATCH /service/users/{serial}', () => {
  test('sets each field by itself, and keeps all others', async () => {
    const { serial } = await givenFullUser();
    for (const body of [
      { employeeID: newId('Renamed') },
      { name: 'Ada King' },
      { username: newId('other') },
      { email: 'ada@example.org' },
      { phone: '+1 202 555 0147' },
      { isActive: false },
      { tagSerials: ['T9', 'T1'] },
      { organizationSerial: 'ORG8' },
    ]) {
      const before = await service.readUser(serial);
      const reply = await patch(serial, body);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.json).toEqual({
        status: 'success',
        message: expect.any(String),
        data: { ...before, ...body, updatedAt: expect.any(String) },
      });
      expect(reply.json.data.updatedAt >= String(before.updatedAt)).toBe(true);
      expect(await service.readUser(serial)).toEqual(reply.json.data);
    }
  });

  test('clears each field by itself, with null or empty', async () => {
    for (const empty of [null, '']) {
      const { serial } = await givenFullUser();
      for (const [field, sent, stored] of [
        ['username', empty, null],
        ['organizationSerial', empty, null],
        ['tagSerials', empty === null ? null : [], []],
        ['email', empty, null],
      ] as const) {
        const before = await service.readUser(serial);
        const reply = await patch(serial, { [field]: sent });
        expect(reply.json.data).toEqual({ ...before, [field]: stored, updatedAt: expect.any(String) });
      }
      const swapped = await patch(serial, { phone: empty, email: 'ada@example.org' });
      expect(swapped.json.data).toMatchObject({ phone: null, email: 'ada@example.org' });
    }
  });

  test('sets all fields at once, and frees the former names', async () => {
    const names = { employeeID: newId(), username: newId('Ada') };
    const { serial } = await service.givenUser(names);
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
    const next = await service.givenUser({ ...names, username: names.username.toUpperCase() });
    expect(next.serial).not.toBe(serial);
  });

  test('accepts another case of the same username and employee ID', async () => {
    const username = newId('ada');
    const { serial, employeeID } = await service.givenUser({ username });
    const body = { username: username.toUpperCase(), employeeID: employeeID.toLowerCase() };
    expect((await patch(serial, body)).json.data).toMatchObject(body);
  });

  test('accepts the media type of merge patches, with parameters and in any case', async () => {
    const { serial } = await service.givenUser();
    for (const [index, type] of [
      'application/merge-patch+json',
      'application/merge-patch+json; charset=utf-8',
      'Application/Merge-Patch+JSON',
    ].entries()) {
      const reply = await patch(serial, { name: `Ada ${index}` }, { 'content-type': type });
      expect(reply.json.data?.name, reply.text).toBe(`Ada ${index}`);
    }
  });

  test('that changes nothing keeps updatedAt and the ETag', async () => {
    const { serial } = await givenFullUser();
    const before = await service.get(`/service/users/${serial}`);
    const read = await service.readUser(serial);
    const { serial: _, createdAt: __, updatedAt: ___, ...shown } = read;
    const { manager: ____, signInName: _____, ...fields } = shown;
    const written = { name: ` ${fields.name} `, tagSerials: ['T1', 'T2', 'T1'] };
    for (const body of [{}, fields, written]) {
      const reply = await patch(serial, body);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.headers.get('etag')).toBe(before.headers.get('etag'));
    }
    const after = await service.get(`/service/users/${serial}`);
    expect(after.json.data).toEqual(before.json.data);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });
});

// Which ETags match is tested in test/unit/etag.test.ts.
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
