import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { givenNewcomer, givenPerson } from '../../support/people.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

type Query = readonly (readonly [name: string, value: string])[];

async function found(query: Query): Promise<string[]> {
  const reply = await service.get(`/service/users?${new URLSearchParams(query as [string, string][])}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map(({ serial }: { serial: string }) => serial);
}

/** Users of one organization, and a search among them. */
async function given(...users: Record<string, unknown>[]) {
  const tag = newId('T');
  const serials: string[] = [];
  for (const user of users) {
    const tagSerials = [tag, ...((user.tagSerials as string[] | undefined) ?? [])];
    serials.push((await service.givenUser({ ...user, tagSerials })).serial);
  }
  const among = async (...query: Query) => {
    const matches = new Set(await found([...query, ['limit', '200']]));
    return serials.map((serial) => matches.has(serial));
  };
  return { tag, serials, among };
}

describe('GET /service/users', () => {
  test('matches any value of a repeated filter, and none of a negated one', async () => {
    const run = newId('');
    const [o1, o2, t1, t2] = ['o1', 'o2', 't1', 't2'].map((name) => name + run) as [
      string,
      string,
      string,
      string,
    ];
    const usernames = [newId('u'), newId('u')];
    const { serials, among } = await given(
      { organizationSerial: o1, tagSerials: [t1], username: usernames[0] },
      { organizationSerial: o2, tagSerials: [t1, t2], username: usernames[1] },
      { tagSerials: [t2] },
      { organizationSerial: newId('other') },
    );
    const users = await Promise.all(serials.map((serial) => service.readUser(serial)));
    const ids = users.map(({ employeeID }) => ['employeeID', String(employeeID)] as const);
    const [first, second] = usernames.map((name) => ['username', name.toUpperCase()] as const);
    if (!first || !second) throw new Error('two users have usernames');
    const organization = (serial: string) => ['organizationSerial', serial] as const;
    const notOrganization = (serial: string) => ['notOrganizationSerial', serial] as const;
    const tag = (serial: string) => ['tagSerial', serial] as const;
    const notTag = (serial: string) => ['notTagSerial', serial] as const;
    const yes = (...places: number[]) => serials.map((_, place) => places.includes(place));
    expect(await among(organization(o1), organization(o2))).toEqual(yes(0, 1));
    expect(await among(...ids, notOrganization(o1))).toEqual(yes(1, 2, 3));
    expect(await among(...ids, notOrganization(o1), notOrganization(o2))).toEqual(yes(2, 3));
    expect(await among(tag(t1), tag(t2))).toEqual(yes(0, 1, 2));
    expect(await among(tag(t1), notTag(t2))).toEqual(yes(0));
    expect(await among(...ids, notTag(t1), notTag(t2))).toEqual(yes(3));
    expect(await among(first, second)).toEqual(yes(0, 1));
    expect(await among(...ids.slice(1, 3))).toEqual(yes(1, 2));
    // Contradictions find nobody.
    expect(await among(tag(t1), notTag(t1))).toEqual(yes());
    expect(await among(organization(o1), notOrganization(o1))).toEqual(yes());
    expect(await among(first, ids[1] as readonly [string, string])).toEqual(yes());
  });

  test('finds users with or without an organization, and with or without tags', async () => {
    const [organizationSerial, tag] = [newId('ORG'), newId('T')];
    const users = [
      await service.givenUser({ organizationSerial, tagSerials: [tag] }),
      await service.givenUser({ organizationSerial }),
      await service.givenUser({ tagSerials: [tag] }),
      await service.givenUser({ organizationSerial: null, tagSerials: [] }),
    ];
    const ids = users.map(({ employeeID }) => ['employeeID', employeeID] as const);
    const places = async (...query: Query) =>
      (await found([...ids, ...query])).map((serial) => users.findIndex((user) => user.serial === serial));
    expect(await places(['hasOrganization', 'false'])).toEqual([2, 3]);
    expect(await places(['hasOrganization', 'true'])).toEqual([0, 1]);
    expect(await places(['hasTags', 'false'])).toEqual([1, 3]);
    expect(await places(['hasTags', 'true'])).toEqual([0, 2]);
    expect(await places(['hasTags', 'false'], ['hasOrganization', 'false'])).toEqual([3]);
    expect(await places(['hasTags', 'false'], ['tagSerial', tag])).toEqual([]);
  });

  test('filters by role, by a password that must be changed, and by sign-ins', async () => {
    const organizationSerial = newId('ORG');
    const never = await service.givenUser({ organizationSerial });
    const newcomer = await givenNewcomer(service, { organizationSerial });
    const viewer = await givenPerson(service, 'viewer', { organizationSerial });
    const operator = await givenPerson(service, 'operator', { organizationSerial });
    const all = [never, newcomer, viewer, operator].map(({ serial }) => serial);
    const places = async (...query: Query) =>
      (await found([['organizationSerial', organizationSerial], ...query])).map((serial) =>
        all.indexOf(serial),
      );
    expect(await places(['role', 'viewer'])).toEqual([2]);
    expect(await places(['role', 'viewer'], ['role', 'none'])).toEqual([0, 1, 2]);
    expect(await places(['notRole', 'none'])).toEqual([2, 3]);
    expect(await places(['notRole', 'viewer'], ['notRole', 'administrator'])).toEqual([0, 1, 3]);
    expect(await places(['role', 'none'], ['notRole', 'none'])).toEqual([]);
    expect(await places(['mustChangePassword', 'true'])).toEqual([0, 1]);
    expect(await places(['mustChangePassword', 'false'])).toEqual([2, 3]);
    expect(await places(['neverSignedIn', 'true'])).toEqual([0]);
    expect(await places(['neverSignedIn', 'false'], ['role', 'none'])).toEqual([1]);
    // Signing out doesn't undo having signed in.
    await service.post('/service/auth/sign-out', undefined, { token: newcomer.token });
    expect(await places(['neverSignedIn', 'true'])).toEqual([0]);
  });

  test('filters by times of creation and update, from the first to before the second', async () => {
    const organizationSerial = newId('ORG');
    const created: string[] = [];
    const updated: string[] = [];
    for (const _ of [0, 1, 2]) {
      const { serial } = await service.givenUser({ organizationSerial });
      // Times have milliseconds.
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(created.at(-1) ?? '1970-01-01') + 1);
      await service.request('PATCH', `/service/users/${serial}`, { body: { name: newId() } });
      const user = await service.readUser(serial);
      created.push(String(user.createdAt));
      updated.push(String(user.updatedAt));
    }
    const count = async (...query: Query) =>
      (await found([['organizationSerial', organizationSerial], ...query])).length;
    const [first = '', second = '', third = ''] = created;
    expect(await count(['createdSince', first])).toBe(3);
    expect(await count(['createdSince', third])).toBe(1);
    expect(await count(['createdUntil', first])).toBe(0);
    expect(await count(['createdSince', second], ['createdUntil', third])).toBe(1);
    expect(await count(['createdSince', third], ['createdUntil', first])).toBe(0);
    expect(await count(['updatedSince', updated[1] ?? ''])).toBe(2);
    expect(await count(['updatedUntil', updated[1] ?? ''])).toBe(1);
    expect(await count(['createdSince', '0001-01-01T00:00:00Z'], ['createdUntil', '9999-12-31T23:59Z'])).toBe(
      3,
    );
    const offset = first.replace('Z', '+00:00');
    expect(await count(['createdSince', offset])).toBe(3);
  });

  test('counts the matches of all pages', async () => {
    const organizationSerial = newId('ORG');
    for (const name of ['Ada', 'Bob', 'Ada'])
      await service.givenUser({ organizationSerial, name, email: 'x@y.z' });
    const totals = async (query: string) =>
      (await service.get(`/service/users?organizationSerial=${organizationSerial}&${query}`)).json.data.total;
    expect(await totals('limit=1')).toBeUndefined();
    for (const precision of ['approximate', 'exact']) {
      expect(await totals(`limit=1&total=${precision}`)).toEqual({ count: 3, isExact: true });
      expect(await totals(`search=ada&total=${precision}`)).toEqual({ count: 2, isExact: true });
      expect(await totals(`search=!!!&total=${precision}`)).toEqual({ count: 0, isExact: true });
    }
    const everyone = await service.get('/service/users?limit=1&total=approximate');
    expect(everyone.json.data.total).toEqual({ count: expect.any(Number), isExact: true });
  });

  test('takes every character of a search literally', async () => {
    const [organizationSerial, email] = [newId('ORG'), 'x@y.z'];
    await service.givenUser({ organizationSerial, name: 'Ada 100% under_score back\\slash', email });
    await service.givenUser({ organizationSerial, name: 'Bob "quoted" & | ! <->', email });
    const names = async (search: string) =>
      (
        await found([
          ['organizationSerial', organizationSerial],
          ['search', search],
        ])
      ).length;
    for (const [search, count] of [
      ['a', 1],
      ['100%', 1],
      ['under_score', 1],
      ['back\\slash', 1],
      ['"quoted"', 1],
      ['bob & | !', 1],
      ['ada | bob', 0],
      ['!ada', 1],
      ['ada:*', 1],
      ['%', 0],
      ['_', 0],
      ['\\', 0],
      ['\u0301', 0],
      ['bo\u0301b', 1],
      ['\u200b', 2],
      ['   ', 2],
      ['a'.repeat(200), 0],
      ['ada '.repeat(50), 1],
      ['🙂'.repeat(200), 0],
    ] as const)
      expect([search, await names(search)]).toEqual([search, count]);
  });

  test('binds a cursor to repeated filters', async () => {
    const [one, other] = [newId('ORG'), newId('ORG')];
    for (const organizationSerial of [one, other, other]) await service.givenUser({ organizationSerial });
    const both = `organizationSerial=${one}&organizationSerial=${other}&limit=1`;
    const first = await service.get(`/service/users?${both}`);
    const cursor = first.json.data.nextCursor;
    expect((await service.get(`/service/users?${both}&cursor=${cursor}`)).json.data.items).toHaveLength(1);
    const changed = await service.get(`/service/users?organizationSerial=${one}&limit=1&cursor=${cursor}`);
    expectFailure(changed, 400, 10006, 'REQUEST_CURSOR_INVALID', /same filters/);
  });

  test.each([
    ['role=boss', 'role', /"role" must be one of .*, none/],
    ['role=viewer&role=boss', 'role', /"role" must be one of/],
    ['notRole=', 'notRole', /"notRole" must be one of/],
    ['mustChangePassword=1', 'mustChangePassword', /must be one of true, false/],
    ['hasOrganization=none', 'hasOrganization', /must be one of true, false/],
    ['hasTags=', 'hasTags', /must be one of true, false/],
    ['neverSignedIn=yes', 'neverSignedIn', /must be one of true, false/],
    ['isActive=true&isActive=false', 'isActive', /appears more than once/],
    ['createdSince=yesterday', 'createdSince', /must be a time such as/],
    ['createdUntil=2026-02-30T00:00:00Z', 'createdUntil', /must be a time such as/],
    ['updatedSince=2026-01-01', 'updatedSince', /must be a time such as/],
    ['updatedUntil=', 'updatedUntil', /must be a time such as/],
    ['total=yes', 'total', /"total" must be one of approximate, exact/],
    [`search=${'🙂'.repeat(201)}`, 'search', /must not exceed 200 characters/],
    ['notTagSerial=%00', 'notTagSerial', /must not contain NUL/],
    [Array(101).fill('tagSerial=x').join('&'), 'tagSerial', /has more than 100 values/],
  ])('rejects %s with 10005', async (query, parameter, detail) => {
    const reply = await service.get(`/service/users?${query}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    expect(reply.json.data).toEqual({ parameter });
  });

  test('accepts 100 values of a filter', async () => {
    const { serials, tag } = await given({});
    const query = [...Array<string>(99).fill('nobody'), tag].map((value) => ['tagSerial', value] as const);
    expect(await found(query)).toEqual(serials);
  });
});
