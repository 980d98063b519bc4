import { describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { callIdOf, leaveRunning, readCall, undo, undone } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, issueToken, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

interface Listed {
  readonly id: string;
  readonly startedAt: string;
}

function list(query: Record<string, string>): Promise<Reply> {
  return service.get(`/service/calls?${new URLSearchParams(query)}`);
}

async function found(query: Record<string, string>): Promise<Listed[]> {
  const reply = await list(query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items;
}

const idsOf = (calls: readonly Listed[]) => calls.map(({ id }) => id);

/** A client with a call history of its own. */
async function givenCaller() {
  const client = await createdClient(service, ['users:write']);
  const token = await issueToken(service.url, client);
  const call = async (kind: 'create-bulk' | 'update-bulk' = 'update-bulk', items: unknown[] = []) =>
    callIdOf(await service.post(`/service/users/${kind}`, { items }, { token }));
  return { actorId: client.clientId, token, call };
}

type Caller = Awaited<ReturnType<typeof givenCaller>>;

async function callsOf({ call }: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < count; done++) ids.push(await call());
  return ids;
}

describe('GET /service/calls', () => {
  test('returns the newest first, each as GET by ID returns it, but for what it did', async () => {
    const caller = await givenCaller();
    const ids = await callsOf(caller, 3);
    const reply = await list({ actorId: caller.actorId });
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Calls found.',
      data: {
        items: (await Promise.all(ids.toReversed().map((id) => readCall(service, id)))).map(
          ({ effects: _, ...call }) => call,
        ),
        nextCursor: null,
      },
    });
  });

  test('pages without gaps or duplicates while new calls are made', async () => {
    const caller = await givenCaller();
    const ids = await callsOf(caller, 4);
    const query = { actorId: caller.actorId, limit: '2' };
    const pages: Reply[] = [await list(query)];
    for (let page = pages[0]; page?.json.data.nextCursor; page = pages.at(-1)) {
      await caller.call();
      pages.push(await list({ ...query, cursor: page.json.data.nextCursor }));
    }
    expect(pages.map(({ json }) => json.data.items.length)).toEqual([2, 2]);
    expect(pages.flatMap(({ json }) => idsOf(json.data.items))).toEqual(ids.toReversed());
  });
});

describe('GET /service/calls filters by', () => {
  test('kind', async () => {
    const caller = await givenCaller();
    const update = await caller.call();
    const create = await caller.call('create-bulk', [aUser()]);
    const undoId = callIdOf(await undo(service, create, '', { token: caller.token }));
    const of = async (kind: string) => idsOf(await found({ actorId: caller.actorId, kind }));
    expect(await of('update-bulk')).toEqual([update]);
    expect(await of('create-bulk')).toEqual([create]);
    expect(await of('undo')).toEqual([undoId]);
  });

  test('state, before or after a dead node was noticed', async () => {
    const caller = await givenCaller();
    const [running, died, given, completed] = (await callsOf(caller, 4)) as [string, string, string, string];
    await leaveRunning(service, running, 'still');
    await leaveRunning(service, died, 'no more');
    await service.database.pool.query(`UPDATE calls SET state = 'interrupted' WHERE id = $1`, [given]);
    const of = async (state: string) => idsOf(await found({ actorId: caller.actorId, state }));
    expect(await of('running')).toEqual([running]);
    expect(await of('interrupted')).toEqual([given, died]);
    expect(await of('done')).toEqual([completed]);
  });

  test('actor, a client or a user', async () => {
    const [one, other] = [await givenCaller(), await givenCaller()];
    const [id] = [await one.call(), await other.call()];
    expect(idsOf(await found({ actorId: one.actorId }))).toEqual([id]);
    const user = await givenSignedInUser(service, 'operator');
    const reply = await service.post('/service/users/update-bulk', { items: [] }, { token: user.token });
    expect(idsOf(await found({ actorId: user.serial }))).toEqual([callIdOf(reply)]);
    expect(await found({ actorId: newId('nobody') })).toEqual([]);
  });

  test('request', async () => {
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId };
    const reply = await service.post('/service/users/update-bulk', { items: [] }, { headers });
    expect(idsOf(await found({ requestId }))).toEqual([callIdOf(reply)]);
    expect(await found({ requestId: requestId.toUpperCase() })).toEqual([]);
  });

  test('time, since (inclusive) and until (exclusive)', async () => {
    const caller = await givenCaller();
    const ids = await callsOf(caller, 3);
    const times = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z'];
    for (const [at, id] of ids.entries()) {
      await service.database.pool.query('UPDATE calls SET started_at = $2 WHERE id = $1', [id, times[at]]);
    }
    const between = async (query: Record<string, string>) =>
      idsOf(await found({ actorId: caller.actorId, ...query })).map((id) => ids.indexOf(id));
    expect(await between({ since: '2024-01-02T00:00:00Z' })).toEqual([2, 1]);
    expect(await between({ until: '2024-01-02T00:00:00Z' })).toEqual([0]);
    expect(await between({ since: '2024-01-02T01:00:00+01:00', until: '2024-01-03T00:00:00Z' })).toEqual([1]);
    expect(await between({ since: '2024-01-03T00:00:00Z', until: '2024-01-01T00:00:00Z' })).toEqual([]);
  });

  test('several filters at once, page by page', async () => {
    const caller = await givenCaller();
    const ids = await callsOf(caller, 3);
    await caller.call('create-bulk');
    const query = { actorId: caller.actorId, kind: 'update-bulk', state: 'done', limit: '2' };
    const first = await list(query);
    const second = await list({ ...query, cursor: first.json.data.nextCursor });
    expect([...idsOf(first.json.data.items), ...idsOf(second.json.data.items)]).toEqual(ids.toReversed());
  });

  test('text that cannot be an ID, and finds nothing', async () => {
    for (const text of ["' OR true --", '%', '_', '"', '\\', 'ä', '🙂']) {
      expect(await found({ actorId: text })).toEqual([]);
      expect(await found({ requestId: text })).toEqual([]);
    }
  });
});

test('a call undone more than once shows the last undo', async () => {
  const caller = await givenCaller();
  const call = await caller.call('create-bulk', [aUser()]);
  await undone(service, call);
  const last = await undone(service, call);
  expect(await found({ actorId: caller.actorId })).toMatchObject([{ id: call, undoneBy: last }]);
});

/** What every list rejects is in test/http/list-users/rejected.test.ts. */
test('GET /service/calls rejects unknown and invalid parameters with 10005', async () => {
  for (const [query, detail] of [
    ['sort=id', /"sort" is unknown. Use kind, state, actorId, /],
    ['state=running&state=running', /"state" appears more than once/],
    ['kind=create', /"kind" must be one of create-bulk, .*, undo/],
    ['state=failed', /"state" must be one of planned, awaitingApproval, running, done/],
    ['since=2024-01-01', /"since" must be a time with an offset, such as 2026-11-15T08:30:00Z/],
    ['until=2024-02-30T00:00:00Z', /"until" must be a time with an offset, such as/],
    ['limit=201', /"limit" must be a whole number from 1 to 200/],
    ['requestId=%00', /"requestId" must not contain NUL/],
  ] as const) {
    const reply = await service.get(`/service/calls?${query}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  }
});

describe('GET /service/calls rejects a cursor with 10006', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const refused = async (query: Record<string, string>) =>
    expectFailure(await list(query), 400, 10006, 'REQUEST_CURSOR_INVALID', /same filters/);

  test('that belongs to other filters or another list, or has a forged position', async () => {
    const caller = await givenCaller();
    await callsOf(caller, 2);
    const query = { actorId: caller.actorId, limit: '1' };
    const cursor: string = (await list(query)).json.data.nextCursor;
    expect((await list({ ...query, cursor, limit: '50' })).status).toBe(200);
    await refused({ cursor });
    await refused({ ...query, kind: 'undo', cursor });
    await refused({ actorId: newId(), cursor });
    for (const forged of ['', 'x', encoded([]), encoded({}), encoded(['x', 'y']), encoded(null)])
      await refused({ ...query, cursor: forged });
    const [print] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const position of [['x'], ["'"], [7], [null], ['a', 'b'], [['x']]]) {
      await refused({ ...query, cursor: encoded([print, ...position]) });
    }
    const { actorId } = query;
    const changes = await service.get(`/service/changes?actorId=${actorId}&cursor=${cursor}`);
    expectFailure(changes, 400, 10006, 'REQUEST_CURSOR_INVALID', /./);
  });
});
