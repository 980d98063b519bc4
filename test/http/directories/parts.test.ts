import { describe, expect, test } from 'vitest';
import { successesOf } from '../../support/calls.js';
import { confirmed } from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

const put = (serial: string, parentSerial: string | null) =>
  service.request('PUT', `/service/organizations/${serial}`, { body: { parentSerial } });

/** An organization with two parts, of which one has a part, and a user in each. */
async function givenTree() {
  const [top, left, right, leaf] = [newId('TOP'), newId('LEFT'), newId('RIGHT'), newId('LEAF')];
  for (const [serial, parent] of [
    [left, top],
    [right, top],
    [leaf, left],
  ] as const) {
    expect((await put(serial, parent)).status).toBe(200);
  }
  for (const [name, organizationSerial, isActive] of [
    ['Top', top, true],
    ['Left', left, true],
    ['Right', right, false],
    ['Leaf', leaf, true],
  ] as const) {
    await service.givenUser({ name, organizationSerial, isActive });
  }
  return { top, left, right, leaf };
}

async function namesOf(query: string): Promise<string[]> {
  const reply = await service.get(`/service/users?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map(({ name }: { name: string }) => name);
}

describe('with includeParts=true', () => {
  test('a list has the users of an organization and of its parts, at any level', async () => {
    const { top, left, leaf } = await givenTree();
    expect(await namesOf(`organizationSerial=${top}`)).toEqual(['Top']);
    expect(await namesOf(`organizationSerial=${top}&includeParts=false`)).toEqual(['Top']);
    expect(await namesOf(`organizationSerial=${top}&includeParts=true`)).toEqual([
      'Top',
      'Left',
      'Right',
      'Leaf',
    ]);
    expect(await namesOf(`organizationSerial=${left}&includeParts=true&sort=-name`)).toEqual([
      'Left',
      'Leaf',
    ]);
    expect(await namesOf(`organizationSerial=${leaf}&includeParts=true`)).toEqual(['Leaf']);
  });

  test('it works with several organizations, other filters, totals and pages', async () => {
    const { top, left, right } = await givenTree();
    const query = `organizationSerial=${left}&organizationSerial=${right}&includeParts=true`;
    expect(await namesOf(query)).toEqual(['Left', 'Right', 'Leaf']);
    expect(await namesOf(`${query}&isActive=true&search=le`)).toEqual(['Left', 'Leaf']);
    expect(await namesOf(`${query}&notOrganizationSerial=${left}`)).toEqual(['Right', 'Leaf']);
    const first = await service.get(
      `/service/users?organizationSerial=${top}&includeParts=true&limit=3&total=exact`,
    );
    expect(first.json.data.total).toEqual({ count: 4, isExact: true });
    const cursor = first.json.data.nextCursor;
    expect(await namesOf(`organizationSerial=${top}&includeParts=true&limit=3&cursor=${cursor}`)).toEqual([
      'Leaf',
    ]);
    const other = await service.get(`/service/users?organizationSerial=${top}&limit=3&cursor=${cursor}`);
    expectFailure(other, 400, 10006, 'REQUEST_CURSOR_INVALID', /./);
  });

  test('one employee ID is found in a part, too', async () => {
    const { top, leaf } = await givenTree();
    const { employeeID } = await service.givenUser({ name: 'One', organizationSerial: leaf });
    const query = `organizationSerial=${top}&employeeID=${employeeID}`;
    expect(await namesOf(`${query}&includeParts=true`)).toEqual(['One']);
    expect(await namesOf(query)).toEqual([]);
  });

  test('update-matching changes the users of all parts', async () => {
    const { top, left } = await givenTree();
    const tag = newId('T');
    const reply = await confirmed(service, '/service/users/update-matching', {
      filter: { organizationSerial: left, includeParts: true },
      patch: { addTagSerials: [tag] },
    });
    expect(successesOf(reply)).toHaveLength(2);
    expect(await namesOf(`organizationSerial=${top}&includeParts=true&tagSerial=${tag}`)).toEqual([
      'Left',
      'Leaf',
    ]);
  });

  test('an organization is required', async () => {
    const reply = await service.get('/service/users?includeParts=true');
    const problem = /^"includeParts" requires "organizationSerial"\.$/;
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', problem);
    // It must not pass for a filter: it would select everyone.
    const body = { filter: { includeParts: true }, patch: { isActive: false } };
    const matching = await service.post('/service/users/update-matching?dryRun=true', body);
    expectFailure(matching, 400, 10004, 'REQUEST_BODY_INVALID', /^"filter.includeParts" requires/);
  });

  test('organizations are listed with the users of all their parts', async () => {
    const { top, left, right, leaf } = await givenTree();
    const listed = async (query: string) => {
      const { items } = (await service.get(`/service/organizations?${query}`)).json.data;
      return items;
    };
    const [plain] = await listed(`search=${top}`);
    expect(plain).toMatchObject({ serial: top, hasParts: true, users: { total: 1, active: 1 } });
    expect(plain).not.toHaveProperty('usersWithParts');
    for (const [serial, hasParts, total, active] of [
      [top, true, 4, 3],
      [left, true, 2, 2],
      [right, false, 1, 0],
      [leaf, false, 1, 1],
    ] as const) {
      expect(await listed(`search=${serial}&includeParts=true`)).toMatchObject([
        { serial, hasParts, usersWithParts: { total, active } },
      ]);
    }
  });
});

describe('a list of organizations', () => {
  const listed = async (query: string) => {
    const reply = await service.get(`/service/organizations?${query}`);
    expect(reply.status, reply.text).toBe(200);
    const { items, nextCursor } = reply.json.data;
    return { serials: items.map((item: { serial: string }) => item.serial), items, nextCursor };
  };

  test('is that of the parts of one, or of those at the top', async () => {
    const { top, left, right, leaf } = await givenTree();
    expect((await listed(`parentSerial=${top}`)).serials.sort()).toEqual([left, right].sort());
    expect((await listed(`parentSerial=${left}`)).serials).toEqual([leaf]);
    expect((await listed(`parentSerial=${leaf}`)).serials).toEqual([]);
    for (const [serial, found] of [
      [top, [top]],
      [left, []],
      [leaf, []],
    ] as const) {
      expect((await listed(`isTopLevel=true&search=${serial}`)).serials).toEqual(found);
      expect((await listed(`isTopLevel=false&search=${serial}`)).serials).toEqual([serial]);
    }
    // A parent without a row, or that has lost its last user, would hide its parts.
    const fresh = newId('NEW');
    await service.givenUser({ organizationSerial: fresh });
    expect((await listed(`isTopLevel=true&search=${fresh}`)).serials).toEqual([fresh]);
    const [orphan, gone] = [newId('ORPHAN'), newId('GONE')];
    await put(orphan, gone);
    expect((await listed(`isTopLevel=true&search=${orphan}`)).serials).toEqual([orphan]);
    await service.givenUser({ organizationSerial: gone });
    expect((await listed(`isTopLevel=true&search=${orphan}`)).serials).toEqual([]);
  });

  test('is sorted by name, and then by serial, on every page', async () => {
    const whole = newId('WHOLE');
    const named = ['Ärzte', 'apotheke', 'Apotheke', 'Zoll', 'Bau'];
    const serials = new Map<string, string>();
    for (const displayName of [null, null, ...named]) {
      const serial = newId('S');
      serials.set(serial, displayName ?? serial);
      const body = { displayName, parentSerial: whole };
      expect((await service.request('PUT', `/service/organizations/${serial}`, { body })).status).toBe(200);
    }
    const unnamed = [...serials].flatMap(([serial, name]) => (serial === name ? [serial] : [])).sort();
    const expected = ['apotheke', 'Apotheke', 'Ärzte', 'Bau', 'Zoll', ...unnamed];
    for (const limit of [1, 2, 3, 200]) {
      const names: (string | undefined)[] = [];
      for (let cursor = ''; cursor !== null; ) {
        const query = `parentSerial=${whole}&sort=name&limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const page = await listed(query);
        names.push(...page.serials.map((serial: string) => serials.get(serial)));
        cursor = page.nextCursor;
      }
      expect(names).toEqual(expected);
    }
    const { nextCursor } = await listed(`parentSerial=${whole}&sort=name&limit=1`);
    const other = await service.get(`/service/organizations?parentSerial=${whole}&cursor=${nextCursor}`);
    expectFailure(other, 400, 10006, 'REQUEST_CURSOR_INVALID', /./);
  });

  test('tells what each one is part of, from the top, if that is requested', async () => {
    const { top, left, leaf } = await givenTree();
    const [plain] = (await listed(`search=${leaf}`)).items;
    expect(plain).not.toHaveProperty('parents');
    const [found] = (await listed(`search=${leaf}&includeParents=true`)).items;
    expect(found.parents).toEqual([
      { serial: top, displayName: null },
      { serial: left, displayName: null },
    ]);
    const [highest] = (await listed(`search=${top}&includeParents=true`)).items;
    expect(highest.parents).toEqual([]);
  });

  test.each([
    ['/service/organizations?includeParts=maybe', /^"includeParts" must be one of true, false/],
    ['/service/organizations?sort=users', /^"sort" must be one of serial, name/],
    ['/service/tags?includeParts=true', /^"includeParts" is unknown/],
    ['/service/tags?isTopLevel=true', /^"isTopLevel" is unknown/],
  ])('%s is rejected', async (path, problem) => {
    expectFailure(await service.get(path), 400, 10005, 'REQUEST_PARAMETER_INVALID', problem);
  });
});
