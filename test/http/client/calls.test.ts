import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  bearer,
  ConnectionFailed,
  clientCredentials,
  createClient,
  createInBulk,
  isRollcallError,
  RollcallError,
  UnexpectedReply,
} from '../../../client/src/index.js';
import { newId, useService } from '../../support/service.js';
import { broken, clientOf, errorOf, saying, useFront } from './front.js';

const service = useService();
const front = useFront(service);

const person = () => ({
  employeeID: newId(),
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  isActive: true,
});

describe('a call', () => {
  test('creates, reads and updates a user, each with its envelope and ETag', async () => {
    const rollcall = clientOf(front, service);
    const user = person();
    const created = await rollcall.call('createUser', { body: user });
    const { serial } = created.body.data;
    expect([created.status, created.body.message]).toEqual([201, 'User created.']);
    expect(created.headers.get('location')).toBe(`/service/users/${serial}`);

    const { etag, body } = await rollcall.call('getUser', { path: { serial } });
    expect(body.data).toMatchObject({ ...user, serial });
    const changed = await rollcall.call('updateUser', {
      path: { serial },
      headers: { 'if-match': etag },
      body: { phone: '+44 20' },
    });
    expect(changed.body.data).toMatchObject({ serial, phone: '+44 20' });
    expect(changed.etag).not.toBe(etag);
    expect(front.requests(`/service/users/${serial}`)[1]?.headers).toMatchObject({
      'content-type': 'application/merge-patch+json',
      'if-match': etag,
    });
    const late = rollcall.call('updateUser', { path: { serial }, headers: { 'if-match': etag }, body: {} });
    expect(await errorOf(late)).toMatchObject({ name: 'REQUEST_PRECONDITION_FAILED', status: 412 });
  });

  test('omits undefined parameters and sends the given user agent', async () => {
    const rollcall = clientOf(front, service, { userAgent: 'nightly/1' });
    await rollcall.call('listUsers', { query: { search: undefined, isActive: false, limit: 1 } });
    const [request] = front.requests('/service/users');
    expect(request?.url).toBe('/service/users?isActive=false&limit=1');
    expect(request?.headers['user-agent']).toBe('nightly/1');
  });

  test('carries the request ID of the client, as does the token request', async () => {
    const requestId = newId('nightly-');
    const rollcall = clientOf(front, service, { requestId });
    const items = [person(), person()];
    await createInBulk(rollcall, items, { itemsPerCall: 1 });
    const { employeeID } = items[1] as { employeeID: string };
    const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs: [employeeID] } });
    expect(front.seen.map(({ headers }) => headers['x-request-id'])).toEqual(
      [1, 2, 3, 4].map(() => requestId),
    );
    const serial = String(body.data.items[0]?.serial);
    const history = await rollcall.call('userHistory', { path: { serial } });
    expect(history.body.data.items[0]?.requestId).toBe(requestId);
  });

  test('encodes a path parameter', async () => {
    const rollcall = clientOf(front, service);
    const strange = rollcall.call('getUser', { path: { serial: 'a/b?c#d %' } });
    expect(await errorOf(strange)).toMatchObject({ name: 'USER_NOT_FOUND' });
    expect(front.seen.at(-1)?.url).toBe('/service/users/a%2Fb%3Fc%23d%20%25');
    for (const serial of ['', '.', '..']) {
      expect(await errorOf(rollcall.call('getRole', { path: { serial } }))).toBeInstanceOf(TypeError);
    }
  });

  test('is relative to the path of the base URL', async () => {
    const rollcall = clientOf(front, service, { baseUrl: `${front.url}/people//` });
    front.answer('/people/healthz', saying(200, '{"status":"success","message":"Here."}'));
    expect((await rollcall.call('getHealth')).body.message).toBe('Here.');
  });

  test('sends no token to operations that need none', async () => {
    const rollcall = clientOf(front, service, { auth: bearer('secret') });
    await rollcall.call('getHealth');
    expect(front.seen[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a user', () => {
  test('signs in, changes the password and signs out', async () => {
    let token: string | undefined;
    const page = clientOf(front, service, { auth: bearer(() => token) });
    expect(await errorOf(page.call('getMe'))).toMatchObject({ name: 'ACCESS_TOKEN_REQUIRED', status: 401 });

    const username = newId('ada');
    await service.givenUser({ username, password: 'correct horse battery staple' });
    const { body } = await page.call('signIn', {
      body: { username, password: 'correct horse battery staple' },
    });
    token = body.data.accessToken;
    expect(await errorOf(page.call('getMe'))).toMatchObject({ name: 'ACCESS_PASSWORD_CHANGE_REQUIRED' });
    await page.call('changePassword', {
      body: { currentPassword: 'correct horse battery staple', newPassword: 'a password of her own' },
    });
    expect((await page.call('getMe')).body.data).toMatchObject({ username });
    await page.call('signOut');
    expect(await errorOf(page.call('getMe'))).toMatchObject({ name: 'ACCESS_TOKEN_INVALID', status: 401 });
  });
});

describe('an error', () => {
  test('from the service has its name, code, detail and request ID', async () => {
    const rollcall = clientOf(front, service);
    const user = person();
    await rollcall.call('createUser', { body: user });
    const error = await errorOf(rollcall.call('createUser', { body: user }));
    if (!isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS')) throw error;
    expect(error).toMatchObject({ status: 409, code: 10101, retryAfterMs: undefined, outcomeUnknown: false });
    expect(error.detail).toContain(user.employeeID);
    expect(String(error)).toBe(`USER_EMPLOYEE_ID_EXISTS: ${error.detail}`);
    expect(service.logs).toContain(error.requestId as string);
    expect(isRollcallError(error, 'USER_NOT_FOUND')).toBe(false);
  });

  test.each([
    [200, '<title>Sign in</title>', { 'content-type': 'text/html' }, '200, text/html'],
    [404, 'no such host', {}, '404, no content type'],
    [200, '"text"', { 'content-type': 'application/json' }, '200, application/json'],
    [400, '{"error":"bad"}', { 'content-type': 'application/json' }, '400, JSON of another API'],
    [302, '', { location: '/elsewhere' }, '302, no content type'],
  ])('%i with %s is an unexpected reply', async (status, body, headers, told) => {
    const rollcall = clientOf(front, service);
    front.answer('/service/auth/me', saying(status, body, headers));
    const error = await errorOf(rollcall.call('getMe'));
    expect(error).toBeInstanceOf(UnexpectedReply);
    expect(error).toMatchObject({
      name: 'UnexpectedReply',
      status,
      message: `GET /service/auth/me: the reply is not from Rollcall (${told}).`,
    });
    expect(front.requests('/elsewhere')).toEqual([]);
  });

  test('of the connection names the operation, without its parameters', async () => {
    const rollcall = clientOf(front, service, { retry: false });
    front.answer('/service/users/secret/role', broken);
    const error = await errorOf(rollcall.call('getRole', { path: { serial: 'secret' } }));
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(error).toMatchObject({
      message: 'GET /service/users/{serial}/role: no reply (UND_ERR_SOCKET).',
      outcomeUnknown: false,
    });
  });

  test('never contains a secret or a token', async () => {
    const clientSecret = 'very-secret-indeed';
    const rejected = clientOf(front, service, {
      auth: clientCredentials({ clientId: 'nobody', clientSecret }),
    });
    const refused = await errorOf(rejected.call('getMe'));
    expect(refused).toBeInstanceOf(RollcallError);
    expect(refused).toMatchObject({ name: 'ACCESS_CLIENT_INVALID' });
    front.answer('/oauth/token', broken);
    const lost = await errorOf(
      clientOf(front, service, {
        auth: clientCredentials({ clientId: 'nobody', clientSecret }),
        retry: false,
      }).call('getMe'),
    );
    expect(lost).toBeInstanceOf(ConnectionFailed);
    const unfit = await errorOf(
      clientOf(front, service, { auth: bearer(`${clientSecret}\n`) }).call('getMe'),
    );
    expect(unfit).toBeInstanceOf(TypeError);
    const base = await errorOf(
      Promise.resolve().then(() => createClient({ baseUrl: `http://me:${clientSecret}@localhost` })),
    );
    expect(base).toBeInstanceOf(TypeError);
    for (const error of [refused, lost, unfit, base, rejected]) {
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(clientSecret);
    }
  });
});
