import { describe, expect, test } from 'vitest';
import { type ApiClient, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { issueToken, newId, type Reply, useService } from '../../support/service.js';

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
  test('requires audit:read, which no other scope implies', async () => {
    const client = await createdClient(service, ['users:read', 'users:write', 'access:admin']);
    const token = await issueToken(service.url, client);
    const refused = await service.get('/service/access-events', { token });
    expectFailure(
      refused,
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /^This operation requires the scope audit:read\. /,
    );
    const unknown = await service.get('/service/access-events', { token: null });
    expectFailure(unknown, 401, 10201, 'ACCESS_TOKEN_REQUIRED', /./);
    const reader = await issueToken(service.url, await createdClient(service, ['audit:read']));
    expect((await service.get('/service/access-events?limit=1', { token: reader })).status).toBe(200);
  });

  test('rejects an operator', async () => {
    const { token } = await givenPerson(service, 'operator');
    const reply = await service.get('/service/access-events', { token });
    expectFailure(
      reply,
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /audit:read\. Your role does not include it; ask an administrator for access\.$/,
    );
  });

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
    const [one, two] = [await givenPerson(service, 'viewer'), await givenPerson(service)];
    const kinds = async (serial: string) => (await found(`userSerial=${serial}`)).map(({ kind }) => kind);
    expect(await kinds(one.serial)).toEqual(['role.changed', 'password.changed', 'sign-in.succeeded']);
    expect(await kinds(two.serial)).toEqual(['password.changed', 'sign-in.succeeded']);
    expect(await kinds(one.serial.toUpperCase())).toHaveLength(3);
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
    const person = await givenPerson(service, 'administrator');
    const body = { name: 'X', scopes: ['users:read'] };
    const made = await service.post('/service/clients', body, { token });
    const madeByPerson = await service.post('/service/clients', body, { token: person.token });
    expect(await found(`actorId=${maker.clientId}`)).toMatchObject([
      { kind: 'client.created', clientId: made.json.data.id },
      { kind: 'token.issued', clientId: maker.clientId },
    ]);
    expect(await found(`actorId=${person.serial}&kind=client.created`)).toMatchObject([
      { clientId: madeByPerson.json.data.id, actor: { kind: 'person', id: person.serial } },
    ]);
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

  test.each([
    ['an offset', '2024-01-02T02:00:00%2B02:00'],
    ['a negative offset', '2024-01-01T19:00:00-05:00'],
    ['no seconds', '2024-01-02T00:00Z'],
    ['fractions of a second', '2024-01-02T00:00:00.000000001Z'],
  ])('a time with %s', async (_, since) => {
    const { clientId } = await clientWithEventsOn('2024-01-01T23:59:59Z', '2024-01-02T00:00:01Z');
    expect(await found(`clientId=${clientId}&since=${since}`)).toHaveLength(1);
  });

  test.each([
    ['an unknown serial', 'userSerial=0198c0de-7a11-7000-8000-5f1e2d3c4b5a'],
    ['text that is not a serial', 'userSerial=nobody'],
    ['an unknown client', 'clientId=client-000000000000'],
    ['an unknown actor', 'actorId=nobody'],
    ['SQL syntax', `clientId=${encodeURIComponent("' OR '1'='1")}`],
    ['an empty client ID', 'clientId='],
    ['an empty serial', 'userSerial='],
    ['bytes that are not UTF-8', 'actorId=%ff%fe'],
    ['a time in the distant past', 'until=0001-01-01T00:00:00Z'],
    ['a time in the distant future', 'since=9999-12-31T23:59:59Z'],
  ])('%s and finds nothing', async (_, query) => {
    const reply = await list(query);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data).toEqual({ items: [], nextCursor: null });
  });
});

describe('GET /service/access-events rejects', () => {
  const timeRule = (name: string) => new RegExp(`^"${name}" must be a time such as 2026-11-15T08:30:00Z\\.$`);

  describe.each(['since', 'until'])('with 10005 a "%s" that is', (name) => {
    test.each([
      ['a word', 'yesterday'],
      ['empty', ''],
      ['a date without a time', '2026-11-15'],
      ['without a time zone', '2026-11-15T08:30:00'],
      ['a number', '1763195400'],
      ['in the year 0', '0000-01-01T00:00:00Z'],
      ['at the end of the year 0', '0000-12-31T23:59:59Z'],
      ['in the year 0 because of its offset', '0001-01-01T00:00:00%2B12:00'],
      ['in a five-digit year', '10000-01-01T00:00:00Z'],
      ['in a six-digit year', '%2B012026-01-01T00:00:00Z'],
      ['in a negative year', '-002026-01-01T00:00:00Z'],
      ['in a five-digit year because of its offset', '9999-12-31T23:59:59-12:00'],
      ['in month 13', '2026-13-01T00:00:00Z'],
      ['in month 0', '2026-00-01T00:00:00Z'],
      ['on day 0', '2026-01-00T00:00:00Z'],
      ['on day 32', '2026-01-32T00:00:00Z'],
      ['on February 30', '2026-02-30T00:00:00Z'],
      ['on February 29 of a common year', '2026-02-29T00:00:00Z'],
      ['at 25 hours', '2026-11-15T25:00:00Z'],
      ['at 60 minutes', '2026-11-15T08:60:00Z'],
      ['at 61 seconds', '2026-11-15T08:30:61Z'],
      ['with an invalid offset', '2026-11-15T08:30:00%2B99:99'],
      ['with a space instead of the T', '2026-11-15%2008:30:00Z'],
      ['followed by other text', '2026-11-15T08:30:00Z;DROP'],
      ['in non-ASCII digits', encodeURIComponent('٢٠٢٦-11-15T08:30:00Z')],
      ['infinite', 'infinity'],
    ])('%s', async (_, value) => {
      expectFailure(
        await list(`limit=1&${name}=${value}`),
        400,
        10005,
        'REQUEST_PARAMETER_INVALID',
        timeRule(name),
      );
    });
  });

  test.each([
    [
      'an unknown kind',
      'kind=sign-in',
      /^"kind" must be one of sign-in\.succeeded, .*webhook\.deleted\b.*\.$/,
    ],
    ['an empty kind', 'kind=', /^"kind" must be one of/],
    ['two kinds', 'kind=sign-out&kind=sign-out', /^"kind" appears more than once\. Send it once\.$/],
    [
      'an unknown parameter',
      'user=1',
      /^"user" is unknown. Use kind, userSerial, clientId, actorId, since, until, limit, cursor\.$/,
    ],
    ['a NUL', 'clientId=%00', /^"clientId" must not contain NUL characters\.$/],
    ['a NUL in a serial', 'userSerial=%00', /^"userSerial" must not contain NUL characters\.$/],
    ['a text that is too long', `actorId=${'a'.repeat(201)}`, /^"actorId" must not exceed 200 characters\.$/],
    ['a limit of 0', 'limit=0', /^"limit" must be a whole number from 1 to 200\.$/],
    ['a limit above 200', 'limit=201', /^"limit" must be a whole number from 1 to 200\.$/],
  ])('with 10005 %s', async (_, query, detail) => {
    expectFailure(await list(query), 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
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
