import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  bearer,
  ConnectionFailed,
  clientCredentials,
  createClient,
  ListIncomplete,
  RollcallError,
  UnexpectedReply,
  uploadFeedFile,
} from '../../client/src/index.js';
import { broken, errorOf, failing, saying, useFront } from '../http/client/front.js';
import { fakeClient, useFakeService } from '../support/fake-service.js';

const service = useFakeService();
const front = useFront(service);

const users = '/service/users';

describe('a call', () => {
  test('omits undefined parameters, and sends the given user agent and request ID, even for a token', async () => {
    const rollcall = fakeClient(front, { userAgent: 'nightly/1', requestId: 'nightly-7' });
    await rollcall.call('listUsers', { query: { search: undefined, isActive: false, limit: 1 } });
    expect(front.seen.map(({ url }) => url)).toEqual(['/oauth/token', `${users}?isActive=false&limit=1`]);
    for (const { headers } of front.seen)
      expect(headers).toMatchObject({ 'user-agent': 'nightly/1', 'x-request-id': 'nightly-7' });
  });

  test('sends a patch as such, with its ETag', async () => {
    await errorOf(
      fakeClient(front).call('updateUser', {
        path: { serial: 's1' },
        headers: { 'if-match': '"1"' },
        body: { phone: null },
      }),
    );
    expect(front.requests(`${users}/s1`)[0]).toMatchObject({
      method: 'PATCH',
      body: '{"phone":null}',
      headers: { 'content-type': 'application/merge-patch+json', 'if-match': '"1"' },
    });
  });

  test('sends a file as it is, and again if it failed, but a stream only once', async () => {
    const path = '/service/feeds/workday/file';
    const bytes = new Blob(['Employee ID\nE1\n']);
    for (const [file, attempts] of [
      [bytes, 2],
      [bytes.stream(), 1],
    ] as const) {
      front.answer(path, failing(503, 'SERVICE_UNAVAILABLE'), failing(404, 'FEED_NOT_FOUND'));
      front.seen = [];
      const upload = uploadFeedFile(fakeClient(front), 'workday', file, { fileName: 'staff 1.csv' });
      expect(await errorOf(upload)).toBeInstanceOf(RollcallError);
      const [sent, ...more] = front.requests(path);
      expect(more).toHaveLength(attempts - 1);
      expect(sent).toMatchObject({
        ...{ method: 'PUT', url: `${path}?fileName=staff+1.csv`, body: await bytes.text() },
        headers: { 'content-type': 'application/octet-stream' },
      });
    }
  });

  test('encodes a path parameter', async () => {
    const rollcall = fakeClient(front);
    await errorOf(rollcall.call('getUser', { path: { serial: 'a/b?c#d %' } }));
    expect(front.seen.at(-1)?.url).toBe(`${users}/a%2Fb%3Fc%23d%20%25`);
    for (const serial of ['', '.', '..']) {
      expect(await errorOf(rollcall.call('getRole', { path: { serial } }))).toBeInstanceOf(TypeError);
    }
  });

  test('is relative to the path of the base URL', async () => {
    const rollcall = fakeClient(front, { baseUrl: `${front.url}/people//` });
    front.answer('/people/healthz', saying(200, '{"status":"success","message":"Here."}'));
    expect((await rollcall.call('getHealth')).body.message).toBe('Here.');
  });

  test('sends no token to operations that need none', async () => {
    await fakeClient(front, { auth: bearer('secret') }).call('getHealth');
    expect(front.seen[0]?.headers.authorization).toBeUndefined();
  });
});

describe('an error', () => {
  test('from the service has its name, code, detail and request ID', async () => {
    const headers = { 'x-request-id': 'r7', 'retry-after': '3' };
    front.answer('/service/auth/me', failing(403, 'ACCESS_PASSWORD_CHANGE_REQUIRED', headers));
    const error = await errorOf(fakeClient(front).call('getMe'));
    expect(error).toBeInstanceOf(RollcallError);
    expect(error).toMatchObject({
      ...{ status: 403, code: 10211, detail: 'As the test wants it.', requestId: 'r7' },
      ...{ retryAfterMs: 3_000, outcomeUnknown: false },
    });
    expect(String(error)).toBe('ACCESS_PASSWORD_CHANGE_REQUIRED: As the test wants it.');
  });

  test.each([
    [200, '<title>Sign in</title>', { 'content-type': 'text/html' }, '200, text/html'],
    [404, 'no such host', {}, '404, no content type'],
    [200, '"text"', { 'content-type': 'application/json' }, '200, application/json'],
    [400, '{"error":"bad"}', { 'content-type': 'application/json' }, '400, JSON of another API'],
    [302, '', { location: '/elsewhere' }, '302, no content type'],
  ])('%i with %s is an unexpected reply', async (status, body, headers, told) => {
    front.answer('/service/auth/me', saying(status, body, headers));
    const error = await errorOf(fakeClient(front).call('getMe'));
    expect(error).toBeInstanceOf(UnexpectedReply);
    expect(error).toMatchObject({
      name: 'UnexpectedReply',
      status,
      message: `GET /service/auth/me: the reply is not from Rollcall (${told}).`,
    });
    expect(front.requests('/elsewhere')).toEqual([]);
  });

  test('of the connection names the operation, without its parameters', async () => {
    front.answer(`${users}/secret/role`, broken);
    const error = await errorOf(
      fakeClient(front, { retry: false }).call('getRole', { path: { serial: 'secret' } }),
    );
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(error).toMatchObject({
      message: 'GET /service/users/{serial}/role: no reply (UND_ERR_SOCKET).',
      outcomeUnknown: false,
    });
  });

  test('never contains a secret or a token', async () => {
    const clientSecret = 'very-secret-indeed';
    const auth = clientCredentials({ clientId: 'nobody', clientSecret });
    const rejected = fakeClient(front, { auth, retry: false });
    const refused = await errorOf(rejected.call('getMe'));
    expect(refused).toMatchObject({ name: 'ACCESS_CLIENT_INVALID' });
    front.answer('/oauth/token', broken);
    const lost = await errorOf(rejected.call('getMe'));
    expect(lost).toBeInstanceOf(ConnectionFailed);
    const unfit = await errorOf(fakeClient(front, { auth: bearer(`${clientSecret}\n`) }).call('getMe'));
    const base = await errorOf(
      Promise.resolve().then(() => createClient({ baseUrl: `http://me:${clientSecret}@localhost` })),
    );
    for (const error of [unfit, base]) expect(error).toBeInstanceOf(TypeError);
    for (const error of [refused, lost, unfit, base, rejected]) {
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(clientSecret);
    }
  });
});

describe('a list', () => {
  /** Five users, in a service of their own. */
  const names = ['E1', 'E2', 'E3', 'E4', 'E5'];
  const given = () => {
    service.users.clear();
    for (const name of names) service.users.set(name, name);
    return fakeClient(front);
  };

  async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
    const items: T[] = [];
    for await (const item of list) items.push(item);
    return items;
  }

  test('is iterated with the largest pages by default', async () => {
    const rollcall = given();
    expect((await all(rollcall.each('listUsers'))).map(({ employeeID }) => employeeID)).toEqual(names);
    expect(front.requests(users).map(({ url }) => url)).toEqual([`${users}?limit=200`]);
    const inTwos = await all(rollcall.each('listUsers', { query: { limit: 2 } }));
    expect(inTwos.map(({ employeeID }) => employeeID)).toEqual(names);
    expect(front.requests(users)).toHaveLength(1 + 3);
  });

  test('is read again while it misses users who have just changed, and never silently incomplete', async () => {
    const page = (isComplete: boolean) =>
      saying(200, JSON.stringify({ data: { items: [{ serial: 's1' }], nextCursor: null, isComplete } }));
    const rollcall = fakeClient(front, { retry: { attemptsMax: 3, pauseMs: 1 } });
    const query = { search: 'ada' };
    front.answer(users, page(false), page(false), page(true));
    expect(await all(rollcall.each('listUsers', { query }))).toHaveLength(1);
    expect(front.requests(users)).toHaveLength(3);
    front.answer(users, page(false), page(false), page(false));
    expect(await errorOf(all(rollcall.pages('listUsers', { query })))).toBeInstanceOf(ListIncomplete);
    front.answer(users, page(false));
    expect((await rollcall.call('listUsers', { query })).body.data.isComplete).toBe(false);
  });

  test('has pages with a cursor, which another iteration can start from, and one page if it is empty', async () => {
    const rollcall = given();
    const pages = await all(rollcall.pages('listUsers', { query: { limit: 2 } }));
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect(pages.at(-1)?.nextCursor).toBe(null);
    const cursor = pages[0]?.nextCursor ?? undefined;
    const rest = await all(rollcall.each('listUsers', { query: { cursor } }));
    expect(rest.map(({ employeeID }) => employeeID)).toEqual(names.slice(2));
    service.users.clear();
    expect(await all(rollcall.pages('listUsers'))).toEqual([{ items: [], nextCursor: null }]);
  });

  test('is read on demand: leaving early reads no more', async () => {
    for await (const _ of given().each('listUsers', { query: { limit: 2 } })) break;
    expect(front.requests(users)).toHaveLength(1);
  });

  test('is read in calls that are retried, fail and are aborted independently', async () => {
    const rollcall = given();
    const list = rollcall.pages('listUsers', { query: { limit: 2 } })[Symbol.asyncIterator]();
    await list.next();
    front.answer(users, failing(503, 'SERVICE_UNAVAILABLE'));
    expect((await list.next()).value.items).toHaveLength(2);
    front.answer(users, failing(403, 'ACCESS_SCOPE_MISSING'));
    expect(await errorOf(list.next())).toMatchObject({ name: 'ACCESS_SCOPE_MISSING' });

    const stop = new AbortController();
    const reason = new Error('enough');
    const seen: string[] = [];
    const walk = async () => {
      const options = { query: { limit: 2 }, signal: stop.signal };
      for await (const { employeeID } of rollcall.each('listUsers', options)) {
        seen.push(employeeID);
        stop.abort(reason);
      }
    };
    expect(await errorOf(walk())).toBe(reason);
    expect(seen).toEqual(names.slice(0, 2));
  });
});
