import { describe, expect, test } from 'vitest';
import { newId, type Reply, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

function list(query: Record<string, string>): Promise<Reply> {
  return service.get(`/service/users?${new URLSearchParams(query)}`);
}

/** The users that a query finds, as places in a list. */
async function places(serials: readonly string[], query: string): Promise<number[]> {
  const reply = await service.get(`/service/users?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map(({ serial }: { serial: string }) => serials.indexOf(serial));
}

describe('GET /service/users returns', () => {
  test('every stored field of a user and no secret, as GET by serial does', async () => {
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
        items: [
          {
            ...{ ...given, signInName: null, manager: null, attributes: {} },
            ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
          },
        ],
        nextCursor: null,
        isComplete: true,
      },
    });
    expect(reply.text).not.toMatch(/password|argon2|hash/i);
    expect(reply.json.data.items).toEqual([await service.readUser(given.serial)]);
  });

  test('an empty list, not an error, if nobody matches', async () => {
    for (const name of ['employeeID', 'username', 'organizationSerial', 'tagSerial', 'search', 'serial'])
      expect((await list({ [name]: newId('Nobody') })).json.data).toEqual({
        items: [],
        nextCursor: null,
        isComplete: true,
      });
  });
});

// Which users match is tested in test/storage/indexed-reads.test.ts, and what is read as a filter in
// test/unit/list-parameters.test.ts.
describe('each filter', () => {
  test('finds the users it should, alone and combined', async () => {
    const run = newId('');
    const odd = `${run} & Söhne/"1" 100%+\\`;
    const id = newId('Ab');
    const serials: string[] = [];
    for (const user of [
      { organizationSerial: odd, tagSerials: [`t${run}`], username: `Ada${run}`, employeeID: id },
      { organizationSerial: `o${run}`, tagSerials: [`t${run}`, `{${run},"x"}' --`], isActive: false },
      { tagSerials: [`T${run}`], employeeID: id.toUpperCase() },
      { organizationSerial: `o${run}`, employeeID: `${id}0` },
    ])
      serials.push((await service.givenUser({ ...user, name: `Ada ${run}` })).serial);
    const among = `search=${run}`;
    for (const [query, found] of [
      [among, [0, 1, 2, 3]],
      [`employeeID=${id}`, [0]],
      [`employeeID=${id}&employeeID=${id}0`, [0, 3]],
      [`serial=${serials[3]}&serial=${serials[0]?.toUpperCase()}&serial=none`, [0, 3]],
      [`serial=${serials[3]}&serial=${serials[0]}&tagSerial=t${run}`, [0]],
      [`serial=${serials[3]}&formerEmployeeID=${id}0`, []],
      [`username=ADA${run}`, [0]],
      [`username=Ad`, []],
      [`organizationSerial=${encodeURIComponent(odd)}`, [0]],
      [`organizationSerial=${encodeURIComponent(odd)}&organizationSerial=o${run}`, [0, 1, 3]],
      [`${among}&notOrganizationSerial=o${run}`, [0, 2]],
      [`${among}&hasOrganization=false`, [2]],
      [`tagSerial=t${run}`, [0, 1]],
      [`tagSerial=${encodeURIComponent(`{${run},"x"}' --`)}`, [1]],
      [`${among}&notTagSerial=t${run}`, [2, 3]],
      [`${among}&hasTags=false`, [3]],
      [`${among}&isActive=false`, [1]],
      [`tagSerial=t${run}&isActive=true&organizationSerial=o${run}`, []],
    ] as const)
      expect([query, await places(serials, query)]).toEqual([query, found]);
    for (const total of ['approximate', 'exact']) {
      const reply = await service.get(`/service/users?${among}&limit=1&total=${total}`);
      expect(reply.json.data.total).toEqual({ count: 4, isExact: true });
    }
    expect((await service.get(`/service/users?${among}`)).json.data).not.toHaveProperty('total');
  });

  test('by role, password and sign-ins', async () => {
    const organizationSerial = newId('ORG');
    const never = await service.givenUser({ organizationSerial });
    const newcomer = await givenNewcomer(service, { organizationSerial });
    const viewer = await givenSignedInUser(service, 'viewer', { organizationSerial });
    const all = [never, newcomer, viewer].map(({ serial }) => serial);
    // Signing out doesn't undo having signed in.
    await service.post('/service/auth/sign-out', undefined, { token: newcomer.token });
    for (const [query, found] of [
      ['role=viewer', [2]],
      ['role=viewer&role=none', [0, 1, 2]],
      ['notRole=viewer&notRole=administrator', [0, 1]],
      ['mustChangePassword=true', [0, 1]],
      ['neverSignedIn=true', [0]],
      ['neverSignedIn=false&role=none', [1]],
    ] as const) {
      const among = `${query}&organizationSerial=${organizationSerial}`;
      expect([query, await places(all, among)]).toEqual([query, found]);
    }
  });

  test('by times of creation and update, from the first to before the second', async () => {
    const organizationSerial = newId('ORG');
    const users: Record<string, unknown>[] = [];
    for (const _ of [0, 1]) {
      const { serial } = await service.givenUser({ organizationSerial });
      // Times have milliseconds.
      const last = Date.parse(String(users.at(-1)?.updatedAt ?? '1970-01-01'));
      await expect.poll(() => Date.now()).toBeGreaterThan(last + 1);
      await service.request('PATCH', `/service/users/${serial}`, { body: { name: newId() } });
      users.push(await service.readUser(serial));
    }
    const [first, second] = users;
    const serials = users.map(({ serial }) => String(serial));
    for (const [query, found] of [
      [`createdSince=${first?.createdAt}`, [0, 1]],
      [`createdUntil=${first?.createdAt}`, []],
      [`updatedSince=${second?.updatedAt}`, [1]],
      [`updatedUntil=${second?.updatedAt}`, [0]],
    ] as const)
      expect([query, await places(serials, `${query}&organizationSerial=${organizationSerial}`)]).toEqual([
        query,
        found,
      ]);
  });
});
