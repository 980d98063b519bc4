import { describe, expect, test } from 'vitest';
import { aUser, newId, type Reply, useService } from '../../support/service.js';

const service = useService();

/** Digits that no other test uses, to build employee IDs from. */
function newNumber(): string {
  return `${9}${Number.parseInt(newId(''), 16)}`;
}

/** Users of a new organization, in the order of their creation and of their names. */
async function givenIds(...employeeIDs: string[]): Promise<string> {
  const organizationSerial = newId('ORG');
  const users = employeeIDs.map((employeeID, index) =>
    aUser({ employeeID, name: `User ${index}`, organizationSerial }),
  );
  const reply = await service.createBulk(users);
  expect(reply.json.data.failedItems).toEqual([]);
  return organizationSerial;
}

function list(query: Record<string, string>): Promise<Reply> {
  return service.get(`/service/users?${new URLSearchParams(query)}`);
}

async function idsOf(query: Record<string, string>): Promise<string[]> {
  const reply = await list(query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map((user: { employeeID: string }) => user.employeeID);
}

/** All pages, with what happens after the first one. */
async function pagesOf(query: Record<string, string>, afterFirst: () => Promise<unknown> = async () => {}) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    if (pages.length === 1) await afterFirst();
    const reply: Reply = await list(cursor === null ? query : { ...query, cursor });
    expect(reply.status, reply.text).toBe(200);
    pages.push(reply.json.data.items.map((user: { employeeID: string }) => user.employeeID));
    cursor = reply.json.data.nextCursor;
  } while (cursor !== null);
  return pages;
}

// Which IDs a search means is tested in test/unit/list-parameters.test.ts.
describe('a search for a complete employee ID', () => {
  test('lists the user who has it first, and then the others in order', async () => {
    const id = newId('K');
    const organizationSerial = await givenIds(`${id}1`, `X${id}`, id, `${id}2`);
    expect(await idsOf({ organizationSerial, search: ` ${id} ` })).toEqual([
      id,
      `${id}1`,
      `X${id}`,
      `${id}2`,
    ]);
  });

  test('comes before others that have more or fewer leading zeros', async () => {
    const number = newNumber();
    const organizationSerial = await givenIds(`000${number}`, number);
    expect(await idsOf({ organizationSerial, search: number })).toEqual([number, `000${number}`]);
    expect(await idsOf({ organizationSerial, search: `000${number}` })).toEqual([`000${number}`, number]);
  });

  test('lists several first if their IDs differ only in leading zeros', async () => {
    const number = newNumber();
    const organizationSerial = await givenIds(`${number}1`, `00${number}`, `${number}2`, `0${number}`);
    expect(await idsOf({ organizationSerial, search: number })).toEqual([
      `00${number}`,
      `0${number}`,
      `${number}1`,
      `${number}2`,
    ]);
  });

  test('finds nobody whom the other filters exclude', async () => {
    const id = newId('K');
    const organizationSerial = await givenIds(`${id}1`, id);
    expect(await idsOf({ organizationSerial, search: id, employeeID: `${id}1` })).toEqual([`${id}1`]);
    expect(await idsOf({ organizationSerial: newId('ORG'), search: id })).toEqual([]);
  });

  test('keeps the order if one is requested, unless exactFirst=true', async () => {
    const id = newId('K');
    const organizationSerial = await givenIds(`A${id}`, id);
    const query = { organizationSerial, search: id };
    expect(await idsOf({ ...query, sort: 'name' })).toEqual([`A${id}`, id]);
    expect(await idsOf({ ...query, sort: 'createdAt' })).toEqual([`A${id}`, id]);
    expect(await idsOf({ ...query, exactFirst: 'false' })).toEqual([`A${id}`, id]);
    expect(await idsOf({ ...query, sort: 'name', exactFirst: 'true' })).toEqual([id, `A${id}`]);
  });

  test('repeats and omits nobody on any page', async () => {
    const id = newId('K');
    const organizationSerial = await givenIds(`${id}1`, `${id}2`, id, `${id}3`);
    for (const limit of ['1', '3']) {
      const query = { organizationSerial, search: id, limit, total: 'exact' };
      expect((await pagesOf(query)).flat()).toEqual([id, `${id}1`, `${id}2`, `${id}3`]);
      expect((await list(query)).json.data.total).toEqual({ count: 4, isExact: true });
    }
  });

  test('repeats and omits nobody if the ID changes hands between two pages', async () => {
    const id = newId('K');
    const organizationSerial = await givenIds(`${id}1`, id, `${id}2`);
    const swap = [
      { employeeID: id, newEmployeeID: `${id}9`, name: 'User 1', isActive: true },
      { employeeID: `${id}2`, newEmployeeID: id, name: 'User 2', isActive: true },
    ];
    const pages = await pagesOf({ organizationSerial, search: id, limit: '1' }, () =>
      service.updateBulk(swap),
    );
    expect(pages).toEqual([[id], [`${id}1`], [id]]);
  });
});
