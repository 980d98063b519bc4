import { describe, expect, test } from 'vitest';
import { type ApiClient, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { issueToken, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

interface Event {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
}

function list(query = ''): Promise<Reply> {
  return service.get(`/service/access-events?${query}`);
}

async function found(query: string): Promise<Event[]> {
  const reply = await list(query);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.data.items;
}

async function rename({ path }: ApiClient, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await service.request('PATCH', path, { body: { name: newId('Name ') } });
  }
}

/** A client whose events happened at the given times of 2024, oldest first. */
async function clientWithEventsOn(...times: string[]): Promise<ApiClient> {
  const client = await createdClient(service);
  await rename(client, times.length - 1);
  const { rows } = await service.database.pool.query(
    'SELECT id FROM access_events WHERE client_id = $1 ORDER BY id',
    [client.clientId],
  );
  for (const [index, { id }] of rows.entries()) {
    await service.database.pool.query('UPDATE access_events SET at = $2 WHERE id = $1', [id, times[index]]);
  }
  return client;
}

describe('GET /service/access-events', () => {
  test('returns events newest first, page by page, without gaps or duplicates', async () => {
    const client = await createdClient(service);
    await rename(client, 10);
    const query = `clientId=${client.clientId}&limit=4`;
    const pages: Reply[] = [await list(query)];
    for (let page = pages[0]; page?.json.data.nextCursor; page = pages.at(-1)) {
      pages.push(await list(`${query}&cursor=${page.json.data.nextCursor}`));
    }
    expect(pages.map(({ json }) => json.data.items.length)).toEqual([4, 4, 3]);
    const events: Event[] = pages.flatMap(({ json }) => json.data.items);
    expect(events.at(-1)?.kind).toBe('client.created');
    expect(new Set(events.map(({ id }) => id)).size).toBe(11);
    const times = events.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(await found(`clientId=${client.clientId}&limit=200`)).toEqual(events);
    expect(pages[0]?.json).toEqual({
      status: 'success',
      message: 'Access events found.',
      data: { items: expect.any(Array), nextCursor: expect.any(String) },
    });
  });

  test('returns no event twice when new events occur between two pages', async () => {
    const client = await createdClient(service);
    await rename(client, 3);
    const query = `clientId=${client.clientId}&limit=2`;
    const first = await list(query);
    await rename(client, 2);
    const second = await list(`${query}&cursor=${first.json.data.nextCursor}`);
    const ids = [...first.json.data.items, ...second.json.data.items].map(({ id }: Event) => id);
    expect(new Set(ids).size).toBe(4);
    expect(second.json.data.nextCursor).toBeNull();
  });
});

describe('GET /service/access-events filters by', () => {
  test('kind', async () => {
    const client = await createdClient(service);
    await rename(client, 2);
    await service.request('POST', `${client.path}/rotate`);
    const kinds = async (query: string) =>
      (await found(`clientId=${client.clientId}${query}`)).map(({ kind }) => kind);
    const [changed, rotated, created] = ['client.changed', 'client.secret-rotated', 'client.created'];
    expect(await kinds('')).toEqual([rotated, changed, changed, created]);
    expect(await kinds(`&kind=${changed}`)).toEqual([changed, changed]);
    expect(await kinds(`&kind=${rotated}`)).toEqual([rotated]);
    expect(await kinds('&kind=sign-out')).toEqual([]);
  });

  test('userSerial', async () => {
    const [one, two] = [await givenSignedInUser(service, 'viewer'), await givenSignedInUser(service)];
    const kinds = async (serial: string) => (await found(`userSerial=${serial}`)).map(({ kind }) => kind);
    const before = ['role.changed', 'password.changed', 'sign-in.succeeded'];
    expect(await kinds(one.serial)).toEqual(['sign-in.succeeded', ...before]);
    expect(await kinds(two.serial)).toEqual(['password.changed', 'sign-in.succeeded']);
    expect(await kinds(one.serial.toUpperCase())).toHaveLength(4);
  });

  test('clientId', async () => {
    const [one, two] = [await createdClient(service), await createdClient(service)];
    await rename(one, 1);
    expect(await found(`clientId=${one.clientId}`)).toHaveLength(2);
    expect(await found(`clientId=${two.clientId}`)).toHaveLength(1);
  });

  test('actorId, for clients and for users', async () => {
    const maker = await createdClient(service, ['access:admin']);
    const token = await issueToken(service.url, maker);
    const user = await givenSignedInUser(service, 'administrator');
    const body = { name: 'X', scopes: ['users:read'] };
    const made = await service.post('/service/clients', body, { token });
    const madeByUser = await service.post('/service/clients', body, { token: user.token });
    expect(await found(`actorId=${maker.clientId}`)).toMatchObject([
      { kind: 'client.created', clientId: made.json.data.id },
      { kind: 'token.issued', clientId: maker.clientId },
    ]);
    expect(await found(`actorId=${user.serial}&kind=client.created`)).toMatchObject([
      { clientId: madeByUser.json.data.id, actor: { kind: 'person', id: user.serial } },
    ]);
    expect(await found(`actorId=${user.serial}&kind=sign-in.succeeded`)).not.toEqual([]);
  });

  test('since (inclusive) and until (exclusive)', async () => {
    const days = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z'];
    const { clientId } = await clientWithEventsOn(...days);
    const times = async (query: string) =>
      (await found(`clientId=${clientId}&${query}`)).map(({ at }) => at.slice(0, 10));
    expect(await times('since=2024-01-02T00:00:00Z')).toEqual(['2024-01-03', '2024-01-02']);
    expect(await times('until=2024-01-02T00:00:00Z')).toEqual(['2024-01-01']);
    expect(await times('since=2024-01-02T00:00:00Z&until=2024-01-03T00:00:00Z')).toEqual(['2024-01-02']);
    expect(await times('since=2024-01-04T00:00:00Z')).toEqual([]);
    expect(await times('since=2024-01-03T00:00:00Z&until=2024-01-01T00:00:00Z')).toEqual([]);
  });

  test('what nobody has, and finds nothing', async () => {
    const queries = [
      'userSerial=0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
      'userSerial=nobody',
      'userSerial=',
      'clientId=client-000000000000',
      `clientId=${encodeURIComponent("' OR '1'='1")}`,
      'clientId=',
      'actorId=%ff%fe',
      'until=0001-01-01T00:00:00Z',
      'since=9999-12-31T23:59:59Z',
    ];
    for (const query of queries) expect([query, await found(query)]).toEqual([query, []]);
  });
});

describe('GET /service/access-events rejects', () => {
  test('with 10005 a parameter that is invalid', async () => {
    const kinds = /^"kind" must be one of sign-in\.succeeded, .*webhook\.deleted\b.*\.$/;
    const known = 'kind, notKind, userSerial, clientId, actorId, since, until, limit, cursor';
    const rows: [query: string, detail: RegExp][] = [
      ['kind=sign-in', kinds],
      ['kind=', kinds],
      ['kind=sign-out&kind=sign-out', /^"kind" appears more than once\. Send it once\.$/],
      ['user=1', new RegExp(`^"user" is unknown. Use ${known}\\.$`)],
      [
        'since=2026-02-30T00:00:00Z',
        /^"since" must be a time with an offset, such as 2026-11-15T08:30:00Z\.$/,
      ],
      ['until=2026-11-15', /^"until" must be a time with an offset, such as 2026-11-15T08:30:00Z\.$/],
      ['limit=201', /^"limit" must be a whole number from 1 to 200\.$/],
    ];
    for (const [query, detail] of rows) {
      expectFailure(await list(query), 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
  });

  test('with 10006 a cursor of other filters and a forged one', async () => {
    const client = await createdClient(service);
    await rename(client, 2);
    const filter = `clientId=${client.clientId}&limit=1`;
    const cursor = (await list(filter)).json.data.nextCursor;
    expect((await list(`${filter}&cursor=${cursor}`)).status).toBe(200);
    const [print] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify([print, `x' OR '1'='1`])).toString('base64url');
    const others = [
      `cursor=${cursor}`,
      `${filter}&kind=client.changed&cursor=${cursor}`,
      `${filter}&since=2024-01-01T00:00:00Z&cursor=${cursor}`,
      `${filter}&cursor=${forged}`,
      `${filter}&cursor=${cursor}x`.replace(cursor, cursor.slice(0, -4)),
      'cursor=x',
    ];
    for (const query of others) {
      expectFailure(
        await list(query),
        400,
        10006,
        'REQUEST_CURSOR_INVALID',
        /"nextCursor" of the previous page/,
      );
    }
  });
});
