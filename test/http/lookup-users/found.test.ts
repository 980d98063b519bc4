import { describe, expect, test } from 'vitest';
import { type LookupBatch, lookupUsers } from '../../../src/domain/users/lookup-users.js';
import { rename } from '../../support/bulk-items.js';
import { anItem, type GivenUser, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

const service = useService();

function lookup(employeeIDs: unknown): Promise<Reply> {
  return service.post('/service/users/lookup', { employeeIDs });
}

const found = ({ json }: Reply) => ({
  items: json.data.items.map(({ employeeID }: { employeeID: string }) => employeeID),
  notFound: json.data.notFound,
});

async function existing(count: number): Promise<string[]> {
  const users = Array.from({ length: count }, () => service.givenUser());
  return (await Promise.all(users)).map(({ employeeID }) => employeeID);
}

describe('POST /service/users/lookup', () => {
  test('returns users and unknown IDs in the requested order, each once', async () => {
    const [a, b, c] = (await existing(3)) as [string, string, string];
    const [x, y] = [newId(), newId()];
    const reply = await lookup([c, y, a, c, x, b, y, a]);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(reply.json)).toEqual(['status', 'message', 'data']);
    expect(reply.json).toMatchObject({ status: 'success', message: 'Users looked up.' });
    expect(Object.keys(reply.json.data)).toEqual(['items', 'notFound']);
    expect(found(reply)).toEqual({ items: [c, a, b], notFound: [y, x] });
  });

  test('returns users as GET by serial returns them', async () => {
    const users: GivenUser[] = [];
    for (const fields of [
      { username: newId('u'), phone: '+49 30 1', tagSerials: ['T1', 'T2'] },
      { email: null, phone: '123', organizationSerial: 'ORG 7', isActive: false },
      { name: 'O\'Hara "x"\\ {,} é\u2028😀', tagSerials: ['a"b', 'c,d', 'NULL'] },
    ])
      users.push(await service.givenUser(fields));
    // Update times have microseconds in the database, but milliseconds in the API.
    await service.updateBulk(users.map((user) => anItem(user, { phone: '112' })));
    const { items } = (await lookup(users.map(({ employeeID }) => employeeID))).json.data;
    const read = await Promise.all(users.map(({ serial }) => service.readUser(serial)));
    expect(items).toEqual(read);
    expect(items.map(Object.keys)).toEqual(read.map(Object.keys));
  });

  test('returns a user whose name was stored before control characters were rejected', async () => {
    const [user, other] = [await service.givenUser(), await service.givenUser()];
    await service.database.pool.query('UPDATE users SET name = $1, tag_serials = $2 WHERE serial = $3', [
      'A\u001fB',
      ['T\u001f1'],
      user.serial,
    ]);
    const patched = await service.request('PATCH', `/service/users/${user.serial}`, {
      body: { phone: '112' },
    });
    expect(patched.status, 'only what is sent is checked').toBe(200);
    const { items } = (await lookup([other.employeeID, user.employeeID])).json.data;
    expect(items).toEqual([await service.readUser(other.serial), await service.readUser(user.serial)]);
    expect(items[1]).toMatchObject({ name: 'A\u001fB', tagSerials: ['T\u001f1'], phone: '112' });
  });

  test('matches exactly, including case', async () => {
    const employeeID = newId('Case');
    await service.givenUser({ employeeID });
    const asked = [employeeID.toLowerCase(), employeeID.toUpperCase(), employeeID];
    expect(found(await lookup(asked))).toEqual({ items: [employeeID], notFound: asked.slice(0, 2) });
  });

  test('returns invalid employee IDs unchanged in notFound', async () => {
    const [employeeID] = (await existing(1)) as [string];
    const strange = [
      '',
      ' ',
      ` ${employeeID}`,
      'É1',
      'a\0b',
      '\ud800',
      'x'.repeat(65),
      '%',
      '{}',
      'NULL"\\,',
    ];
    expect(found(await lookup([...strange, employeeID]))).toEqual({ items: [employeeID], notFound: strange });
    expect(found(await lookup(strange))).toEqual({ items: [], notFound: strange });
  });

  test('accepts 10,000 IDs, of which few or none exist', async () => {
    const [first, last] = (await existing(2)) as [string, string];
    const gone = Array.from({ length: 9_998 }, (_, number) => `Gone${number}`);
    expect(found(await lookup([first, ...gone, last]))).toEqual({ items: [first, last], notFound: gone });
  });

  test('changes nothing, is not recorded as a call, and requires only read access', async () => {
    const [employeeID] = (await existing(1)) as [string];
    const { token } = await givenSignedInUser(service, 'viewer');
    const before = await tableStates(service);
    const headers = { 'idempotency-key': newId('key') };
    const body = { employeeIDs: [employeeID] };
    const reply = await service.post('/service/users/lookup', body, { token, headers });
    expect(found(reply)).toEqual({ items: [employeeID], notFound: [] });
    expect(reply.headers.get('x-call-id')).toBeNull();
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
  });
});

describe('a lookup in several chunks', () => {
  /** Looks up as the route does, but with the given chunk size and a callback after the first chunk. */
  async function inParts(employeeIDs: string[], bulkChunkItems: number, afterFirst = async () => {}) {
    const limits = { ...service.context.limits, bulkChunkItems };
    const parts: LookupBatch[] = [];
    await lookupUsers(
      { ...service.context, limits },
      employeeIDs,
      { asOf: undefined, changedSince: undefined },
      async (part) => {
        if (parts.push(part) === 1) await afterFirst();
      },
    );
    return {
      parts: parts.length,
      items: parts.flatMap(({ users }) => users.map(({ employeeID }) => employeeID)),
      notFound: parts.flatMap(({ notFound }) => notFound),
    };
  }

  test('keeps the order and removes duplicates across chunks', async () => {
    const [a, b, c, d, e] = (await existing(5)) as [string, string, string, string, string];
    const asked = [e, 'x1', 'x2', ' ', '', a, d, e, 'x1', 'x3', b, c];
    expect(await inParts(asked, 2)).toEqual({
      parts: 5,
      items: [e, a, d, b, c],
      notFound: ['x1', 'x2', ' ', '', 'x3'],
    });
  });

  test('returns a consistent snapshot of all users', async () => {
    const [a, b, c] = (await existing(3)) as [string, string, string];
    const looked = await inParts([a, b, c], 1, async () => {
      const { json } = await service.updateBulk([rename(c, newId())]);
      expect(json.data.successItems).toHaveLength(1);
    });
    expect(looked).toEqual({ parts: 3, items: [a, b, c], notFound: [] });
    expect(found(await lookup([c]))).toEqual({ items: [], notFound: [c] });
  });
});
