import { describe, expect, test } from 'vitest';
import { aUser, newId, type Reply, useService } from '../../support/service.js';

const service = useService();

interface Listed {
  readonly serial: string;
  readonly employeeID: string;
  readonly name: string;
  readonly createdAt: string;
}

function list(query: Record<string, string>): Promise<Reply> {
  return service.get(`/service/users?${new URLSearchParams(query)}`);
}

function itemsOf(reply: Reply): Listed[] {
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items;
}

/** Reads all pages; `between` runs between two pages. */
async function walk(query: Record<string, string>, between: () => Promise<unknown> = async () => {}) {
  const pages: Listed[][] = [];
  let cursor: string | null = null;
  do {
    if (cursor !== null) await between();
    const reply: Reply = await list(cursor === null ? query : { ...query, cursor });
    pages.push(itemsOf(reply));
    cursor = reply.json.data.nextCursor;
  } while (cursor !== null);
  return pages;
}

/** An organization with one user for each of the given overrides. */
async function givenOrganization(users: readonly Record<string, unknown>[]): Promise<string> {
  const organizationSerial = newId('ORG');
  const reply = await service.createBulk(users.map((user) => aUser({ ...user, organizationSerial })));
  expect(reply.json.data.failedItems).toEqual([]);
  return organizationSerial;
}

const crowd = (count: number) => Array.from({ length: count }, () => ({}));

describe('sort', () => {
  test('is by creation time by default, oldest first', async () => {
    const organizationSerial = newId('ORG');
    const created: string[] = [];
    for (const name of ['C', 'A', 'B'])
      created.push((await service.givenUser({ name, organizationSerial })).serial);
    const serials = async (query: Record<string, string>) =>
      itemsOf(await list({ organizationSerial, ...query })).map((user) => user.serial);
    expect(await serials({})).toEqual(created);
    expect(await serials({ sort: 'createdAt' })).toEqual(created);
    expect(await serials({ sort: '-createdAt' })).toEqual(created.toReversed());
  });

  test('by employeeID compares characters: digits, then capitals, then lowercase', async () => {
    const run = newId('');
    const inOrder = [`1${run}`, `A${run}`, `B${run}`, `a${run}`, `b${run}`];
    const organizationSerial = await givenOrganization(
      [3, 0, 4, 2, 1].map((index) => ({ employeeID: inOrder[index] })),
    );
    const ids = async (sort: string) =>
      itemsOf(await list({ organizationSerial, sort })).map((user) => user.employeeID);
    expect(await ids('employeeID')).toEqual(inOrder);
    expect(await ids('-employeeID')).toEqual(inOrder.toReversed());
  });

  test('by name ignores case', async () => {
    const organizationSerial = await givenOrganization(
      ['bob', 'Carol', 'ALICE', 'dave'].map((name) => ({ name })),
    );
    const names = async (sort: string) =>
      itemsOf(await list({ organizationSerial, sort })).map((user) => user.name);
    expect(await names('name')).toEqual(['ALICE', 'bob', 'Carol', 'dave']);
    expect(await names('-name')).toEqual(['dave', 'Carol', 'bob', 'ALICE']);
  });
});

describe('limit', () => {
  test('is 50 by default and at most 200', async () => {
    const organizationSerial = await givenOrganization(crowd(201));
    expect(itemsOf(await list({ organizationSerial }))).toHaveLength(50);
    expect(itemsOf(await list({ organizationSerial, limit: '1' }))).toHaveLength(1);
    expect(itemsOf(await list({ organizationSerial, limit: '200' }))).toHaveLength(200);
  });

  test('that is reached exactly leaves no next page', async () => {
    const organizationSerial = await givenOrganization(crowd(3));
    const reply = await list({ organizationSerial, limit: '3' });
    expect(itemsOf(reply)).toHaveLength(3);
    expect(reply.json.data.nextCursor).toBeNull();
  });

  test('may change from page to page', async () => {
    const organizationSerial = await givenOrganization(crowd(5));
    const first = await list({ organizationSerial, limit: '1' });
    const rest = await list({ organizationSerial, limit: '4', cursor: first.json.data.nextCursor });
    expect(new Set([...itemsOf(first), ...itemsOf(rest)].map((user) => user.serial)).size).toBe(5);
    expect(rest.json.data.nextCursor).toBeNull();
  });
});

describe('pages in the default order', () => {
  test('return every user exactly once while users are renamed in between', async () => {
    const organizationSerial = await givenOrganization(crowd(10));
    const everybody = itemsOf(await list({ organizationSerial }));
    let renamed = 0;
    const pages = await walk({ organizationSerial, limit: '3' }, async () => {
      const items = everybody.map(({ serial }) => ({
        serial,
        name: `Z${renamed++}`,
        employeeID: newId('Z'),
      }));
      for (const { serial, ...body } of items) {
        const reply = await service.request('PATCH', `/service/users/${serial}`, { body });
        expect(reply.status).toBe(200);
      }
    });
    expect(pages.flat().map((user) => user.serial)).toEqual(everybody.map((user) => user.serial));
  });

  test('include users added in between, once and at the end', async () => {
    const organizationSerial = await givenOrganization(crowd(6));
    const before = itemsOf(await list({ organizationSerial })).map((user) => user.serial);
    const added: string[] = [];
    const pages = await walk({ organizationSerial, limit: '3' }, async () => {
      if (added.length < 2) added.push((await service.givenUser({ organizationSerial })).serial);
    });
    expect(pages.flat().map((user) => user.serial)).toEqual([...before, ...added]);
  });

  test('continue after a user who has left the list in the meantime', async () => {
    const organizationSerial = await givenOrganization(crowd(5));
    const everybody = itemsOf(await list({ organizationSerial })).map((user) => user.serial);
    const first = await list({ organizationSerial, limit: '2' });
    const last = itemsOf(first).at(-1);
    await service.request('PATCH', `/service/users/${last?.serial}`, { body: { organizationSerial: null } });
    const rest = await list({ organizationSerial, cursor: first.json.data.nextCursor });
    expect(itemsOf(rest).map((user) => user.serial)).toEqual(everybody.slice(2));
  });
});
