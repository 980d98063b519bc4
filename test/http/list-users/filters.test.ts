import { describe, expect, test } from 'vitest';
import { type GivenUser, newId, type Reply, useService } from '../../support/service.js';

const service = useService();

function list(query: Record<string, string>): Promise<Reply> {
  return service.get(`/service/users?${new URLSearchParams(query)}`);
}

function serialsOf(reply: Reply): string[] {
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map((user: { serial: string }) => user.serial);
}

const serials = (...users: GivenUser[]) => users.map((user) => user.serial);

describe('GET /service/users returns', () => {
  test('every stored field of a user and no secret', async () => {
    const organizationSerial = newId('ORG');
    const { password: _, ...given } = await service.givenUser({
      username: newId('u'),
      email: 'grace@example.com',
      phone: '+1 (202) 555-0147',
      password: 'a password that stays secret',
      isActive: false,
      tagSerials: ['T2', 'T1'],
      organizationSerial,
    });
    const reply = await list({ organizationSerial });
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        items: [{ ...given, createdAt: expect.any(String), updatedAt: expect.any(String) }],
        nextCursor: null,
      },
    });
    expect(reply.text).not.toMatch(/password|argon2|hash/i);
  });

  test('null for missing fields and an empty list for no tags', async () => {
    const organizationSerial = newId('ORG');
    await service.givenUser({ organizationSerial });
    const reply = await list({ organizationSerial });
    expect(reply.json.data.items[0]).toMatchObject({ username: null, phone: null, tagSerials: [] });
  });

  test('each user as GET by serial returns it', async () => {
    const organizationSerial = newId('ORG');
    const { serial } = await service.givenUser({
      organizationSerial,
      tagSerials: ['T1'],
      username: newId('u'),
    });
    const reply = await list({ organizationSerial });
    expect(reply.json.data.items).toEqual([await service.readUser(serial)]);
  });
});

describe('the filter', () => {
  test('employeeID matches exactly, including case', async () => {
    const organizationSerial = newId('ORG');
    const id = newId('Ab');
    const wanted = await service.givenUser({ employeeID: id, organizationSerial });
    await service.givenUser({ employeeID: id.toUpperCase(), organizationSerial });
    await service.givenUser({ employeeID: `${id}0`, organizationSerial });
    expect(serialsOf(await list({ employeeID: id }))).toEqual(serials(wanted));
    expect(serialsOf(await list({ employeeID: id.slice(0, -1) }))).toEqual([]);
  });

  test('serial selects users in any order and case, and combines with other filters', async () => {
    const organizationSerial = newId('ORG');
    const [first, second] = [await service.givenUser({ organizationSerial }), await service.givenUser()];
    await service.givenUser({ organizationSerial });
    const selected = (given: Record<string, string> = {}) => {
      const query = new URLSearchParams(given);
      for (const serial of [second.serial, first.serial.toUpperCase(), 'no serial'])
        query.append('serial', serial);
      return service.get(`/service/users?${query}`);
    };
    expect(serialsOf(await selected())).toEqual(serials(first, second));
    expect(serialsOf(await selected({ organizationSerial, total: 'exact' }))).toEqual(serials(first));
    expect(serialsOf(await selected({ sort: 'name', search: first.employeeID }))).toEqual(serials(first));
    expect(serialsOf(await selected({ formerEmployeeID: first.employeeID }))).toEqual([]);
    expect(serialsOf(await list({ serial: 'no serial' }))).toEqual([]);
  });

  test('username matches the whole name in any case', async () => {
    const username = newId('Ada');
    const wanted = await service.givenUser({ username });
    expect(serialsOf(await list({ username }))).toEqual(serials(wanted));
    expect(serialsOf(await list({ username: username.toLowerCase() }))).toEqual(serials(wanted));
    expect(serialsOf(await list({ username: username.toUpperCase() }))).toEqual(serials(wanted));
    expect(serialsOf(await list({ username: username.slice(0, -1) }))).toEqual([]);
  });

  test('isActive separates active from inactive users', async () => {
    const organizationSerial = newId('ORG');
    const active = await service.givenUser({ organizationSerial, isActive: true });
    const left = await service.givenUser({ organizationSerial, isActive: false });
    expect(serialsOf(await list({ organizationSerial, isActive: 'true' }))).toEqual(serials(active));
    expect(serialsOf(await list({ organizationSerial, isActive: 'false' }))).toEqual(serials(left));
  });

  test('organizationSerial matches exactly', async () => {
    const organizationSerial = newId('ORG');
    const wanted = await service.givenUser({ organizationSerial });
    await service.givenUser({ organizationSerial: organizationSerial.toLowerCase() });
    await service.givenUser({ organizationSerial: `${organizationSerial}0` });
    expect(serialsOf(await list({ organizationSerial }))).toEqual(serials(wanted));
  });

  test('organizationSerial accepts any characters another service may use', async () => {
    const organizationSerial = `${newId()} & Söhne/"1" 100%+\\`;
    const wanted = await service.givenUser({ organizationSerial });
    expect(serialsOf(await list({ organizationSerial }))).toEqual(serials(wanted));
  });

  test('tagSerial matches users with the tag among others', async () => {
    const tag = newId('T');
    const only = await service.givenUser({ tagSerials: [tag] });
    const among = await service.givenUser({ tagSerials: ['T1', tag, 'T2'] });
    await service.givenUser({ tagSerials: [`${tag}0`, 'T1'] });
    expect(serialsOf(await list({ tagSerial: tag }))).toEqual(serials(only, among));
  });

  test('tagSerial accepts a tag that looks like SQL or an array', async () => {
    const tag = `{${newId()},"x"}' --`;
    const wanted = await service.givenUser({ tagSerials: [tag] });
    expect(serialsOf(await list({ tagSerial: tag }))).toEqual(serials(wanted));
  });

  test.each(['employeeID', 'username', 'organizationSerial', 'tagSerial', 'search'])(
    '%s without matches returns an empty list, not an error',
    async (name) => {
      const reply = await list({ [name]: newId('Nobody') });
      expect(reply.status).toBe(200);
      expect(reply.json.data).toEqual({ items: [], nextCursor: null });
    },
  );

  test('reflects a change of the user', async () => {
    const organizationSerial = newId('ORG');
    const { serial } = await service.givenUser({ tagSerials: ['T1'] });
    await service.request('PATCH', `/service/users/${serial}`, { body: { organizationSerial } });
    expect(serialsOf(await list({ organizationSerial }))).toEqual([serial]);
  });
});

describe('combined filters', () => {
  test('return only users that match all of them', async () => {
    const organizationSerial = newId('ORG');
    const tagSerial = newId('T');
    const wanted = await service.givenUser({
      organizationSerial,
      tagSerials: [tagSerial],
      name: 'Grace Hopper',
    });
    await service.givenUser({
      organizationSerial,
      tagSerials: [tagSerial],
      name: 'Grace Kelly',
      isActive: false,
    });
    await service.givenUser({ organizationSerial, tagSerials: [tagSerial], name: 'Ada Lovelace' });
    await service.givenUser({ organizationSerial, name: 'Grace Jones' });
    await service.givenUser({ tagSerials: [tagSerial], name: 'Grace Paley' });
    const reply = await list({ organizationSerial, tagSerial, search: 'grace', isActive: 'true' });
    expect(serialsOf(reply)).toEqual(serials(wanted));
  });
});
