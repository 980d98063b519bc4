import { describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { itemFor } from '../../support/bulk-items.js';
import { callIdOf, givenUpdates, undo, undone } from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, credentialsIn, issueToken, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

interface Listed {
  readonly sequence: number;
  readonly kind: string;
  readonly userSerial: string;
  readonly fields: Record<string, { after: unknown }>;
}

function list(query: Record<string, string>): Promise<Reply> {
  return service.get(`/service/changes?${new URLSearchParams(query)}`);
}

async function found(query: Record<string, string>): Promise<Listed[]> {
  const reply = await list(query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items;
}

/** A user with this many changes after the create, each setting the name to its number. */
async function givenChanges(count: number) {
  const user = await service.givenUser({ name: '0' });
  for (let number = 1; number <= count; number++) await rename(user.serial, String(number));
  return user;
}

const rename = (serial: string, name: string) => patchUser(service, serial, { name });
const namesOf = (changes: readonly Listed[]) => changes.map(({ fields }) => fields.name?.after);

describe('GET /service/changes', () => {
  test('returns the change with its actor, time, request and call', async () => {
    const user = await service.givenUser();
    const requestId = newId('request');
    const call = await service.post(
      '/service/users/update-bulk',
      { items: [itemFor(user.employeeID, { phone: '123', tagSerials: ['T1'] })] },
      { headers: { 'x-request-id': requestId } },
    );
    const reply = await list({ userSerial: user.serial });
    const actor = { kind: 'client', id: credentialsIn(service.dataDir).clientId };
    const common = { userSerial: user.serial, employeeID: user.employeeID, actor };
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Changes found.',
      data: {
        items: [
          {
            ...common,
            sequence: expect.any(Number),
            at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            kind: 'updated',
            version: 2,
            requestId,
            callId: callIdOf(call),
            fields: {
              phone: { before: null, after: '123' },
              tagSerials: { before: [], after: ['T1'] },
            },
          },
          {
            ...common,
            sequence: expect.any(Number),
            at: expect.any(String),
            kind: 'created',
            version: 1,
            requestId: expect.any(String),
            callId: null,
            fields: {
              employeeID: { before: null, after: user.employeeID },
              name: { before: null, after: user.name },
              email: { before: null, after: user.email },
              isActive: { before: null, after: true },
            },
          },
        ],
        nextCursor: null,
      },
    });
  });

  test('returns the newest first, page by page, without gaps or duplicates while changes are made', async () => {
    const { serial } = await givenChanges(5);
    const query = { userSerial: serial, limit: '3' };
    const pages: Reply[] = [await list(query)];
    for (let page = pages[0]; page?.json.data.nextCursor; page = pages.at(-1)) {
      await rename(serial, 'later');
      pages.push(await list({ ...query, cursor: page.json.data.nextCursor }));
    }
    expect(pages.map(({ json }) => namesOf(json.data.items))).toEqual([
      ['5', '4', '3'],
      ['2', '1', '0'],
    ]);
    const sequences = pages.flatMap(({ json }) => json.data.items.map(({ sequence }: Listed) => sequence));
    expect(sequences).toEqual(sequences.toSorted((a: number, b: number) => b - a));
  });

  test('returns only changes of users, not the end of a call', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { phone: '123' })]);
    expect(await found({ callId })).toMatchObject([{ kind: 'updated', userSerial: user.serial }]);
    const { rows } = await service.database.pool.query('SELECT kind FROM changes WHERE call_id = $1', [
      callId,
    ]);
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['call', 'updated']);
    expect(new Set((await found({ limit: '200' })).map(({ kind }) => kind))).not.toContain('call');
  });
});

describe('GET /service/changes filters by', () => {
  test('user, with the serial in any case', async () => {
    const [one] = [await givenChanges(1), await givenChanges(1)];
    expect(namesOf(await found({ userSerial: one.serial }))).toEqual(['1', '0']);
    expect(namesOf(await found({ userSerial: one.serial.toUpperCase() }))).toEqual(['1', '0']);
  });

  test('actor, a client or a user', async () => {
    const client = await createdClient(service, ['users:write']);
    const token = await issueToken(service.url, client);
    const operator = await givenSignedInUser(service, 'operator');
    const user = await service.givenUser();
    const patch = (name: string, by: string) =>
      service.request('PATCH', `/service/users/${user.serial}`, { body: { name }, token: by });
    await patch('by the client', token);
    await patch('by the user', operator.token);
    expect(namesOf(await found({ actorId: client.clientId }))).toEqual(['by the client']);
    expect(namesOf(await found({ actorId: operator.serial }))).toEqual(['by the user']);
    expect(await found({ actorId: newId('nobody') })).toEqual([]);
  });

  test('call, including an undo', async () => {
    const users = [await service.givenUser(), await service.givenUser()];
    const callId = await givenUpdates(
      service,
      users.map(({ employeeID }) => itemFor(employeeID, { phone: '123' })),
    );
    const undoId = await undone(service, callId);
    for (const id of [callId, undoId]) {
      expect((await found({ callId: id })).map(({ userSerial }) => userSerial).sort()).toEqual(
        users.map(({ serial }) => serial).sort(),
      );
    }
  });

  test('field', async () => {
    const user = await givenChanges(2);
    await patchUser(service, user.serial, { phone: '123' });
    const userSerial = user.serial;
    expect(namesOf(await found({ userSerial, field: 'name' }))).toEqual(['2', '1', '0']);
    expect(await found({ userSerial, field: 'phone', kind: 'updated' })).toHaveLength(1);
    expectFailure(
      await list({ field: 'shoeSize' }),
      400,
      10005,
      'REQUEST_PARAMETER_INVALID',
      /"field" must be one of/,
    );
  });

  test('kind', async () => {
    const user = aUser();
    const reply = await service.createBulk([user]);
    const userSerial: string = reply.json.data.successItems[0].response.serial;
    await rename(userSerial, 'X');
    await rename(userSerial, user.name);
    await undo(service, callIdOf(reply));
    const of = async (kind: string) => (await found({ userSerial, kind })).length;
    expect([await of('created'), await of('updated'), await of('deleted')]).toEqual([1, 2, 1]);
  });

  test('time, since (inclusive) and until (exclusive)', async () => {
    const { serial } = await givenChanges(2);
    const { rows } = await service.database.pool.query(
      'SELECT seq FROM changes WHERE user_serial = $1 ORDER BY seq',
      [serial],
    );
    const times = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z'];
    for (const [at, { seq }] of rows.entries()) {
      await service.database.pool.query('UPDATE changes SET at = $2 WHERE seq = $1', [seq, times[at]]);
    }
    const between = async (query: Record<string, string>) =>
      namesOf(await found({ userSerial: serial, ...query }));
    expect(await between({ since: '2024-01-02T00:00:00Z' })).toEqual(['2', '1']);
    expect(await between({ until: '2024-01-02T00:00:00Z' })).toEqual(['0']);
    expect(await between({ since: '2024-01-02T01:00:00+01:00', until: '2024-01-03T00:00:00Z' })).toEqual([
      '1',
    ]);
    expect(await between({ since: '2024-01-03T00:00:00Z', until: '2024-01-01T00:00:00Z' })).toEqual([]);
  });

  test('several filters at once, page by page', async () => {
    const { serial } = await givenChanges(3);
    const query = { userSerial: serial, kind: 'updated', limit: '2', since: '2024-01-01T00:00:00Z' };
    const first = await list(query);
    const second = await list({ ...query, cursor: first.json.data.nextCursor });
    expect(namesOf([...first.json.data.items, ...second.json.data.items])).toEqual(['3', '2', '1']);
    const callId = await givenUpdates(service, []);
    expect(await found({ userSerial: serial, callId })).toEqual([]);
  });

  test('an unknown ID or text that is none, and finds nothing', async () => {
    const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
    for (const filter of ['userSerial', 'callId', 'actorId']) {
      for (const text of [nobody, 'x', "' OR true --", '%', 'ä', '', nobody.replaceAll('-', '')])
        expect((await list({ [filter]: text })).json.data, text).toEqual({ items: [], nextCursor: null });
    }
  });
});

/** What every list rejects is in test/http/list-users/rejected.test.ts. */
test('GET /service/changes rejects unknown and invalid parameters with 10005', async () => {
  const kinds = /"kind" must be one of created, updated, rehired, deleted/;
  for (const [query, detail] of [
    ['user=x', /"user" is unknown. Use userSerial, actorId, callId, /],
    ['userserial=x', /"userserial" is unknown/],
    ['kind=created&kind=created', /"kind" appears more than once/],
    ['kind=renamed', kinds],
    ['kind=call', kinds],
    ['since=2024-01-01', /"since" must be a time with an offset, such as 2026-11-15T08:30:00Z/],
    ['until=2023-02-29T00:00:00Z', /"until" must be a time with an offset, such as/],
    ['limit=201', /"limit" must be a whole number from 1 to 200/],
    ['actorId=%00', /"actorId" must not contain NUL/],
  ] as const) {
    const reply = await service.get(`/service/changes?${query}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  }
});

describe('GET /service/changes rejects a cursor with 10006', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const refused = async (query: Record<string, string>) =>
    expectFailure(await list(query), 400, 10006, 'REQUEST_CURSOR_INVALID', /same filters/);

  test('that belongs to other filters or another list, or has a forged position', async () => {
    const user = await givenChanges(2);
    const query = { userSerial: user.serial, limit: '1' };
    const cursor: string = (await list(query)).json.data.nextCursor;
    expect(namesOf(await found({ ...query, cursor, limit: '50' }))).toEqual(['1', '0']);
    await refused({ cursor });
    await refused({ ...query, kind: 'updated', cursor });
    await refused({ userSerial: (await service.givenUser()).serial, cursor });
    for (const forged of ['', 'x', encoded([]), encoded({}), encoded(['x', '1']), encoded(null)])
      await refused({ ...query, cursor: forged });
    const [print] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const position of [
      ['x'],
      ['-1'],
      ['1.5'],
      ['1e3'],
      ["'"],
      [7],
      [null],
      ['1', '2'],
      ['9'.repeat(19)],
    ]) {
      await refused({ ...query, cursor: encoded([print, ...position]) });
    }
    const users = await service.get(`/service/users?cursor=${cursor}`);
    expectFailure(users, 400, 10006, 'REQUEST_CURSOR_INVALID', /./);
  });
});
