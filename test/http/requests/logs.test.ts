import { beforeAll, describe, expect, test, vi } from 'vitest';
import { whenStored } from '../../support/sabotage.js';
import { aUser, credentialsIn, newId, useOwnService } from '../../support/service.js';

const service = useOwnService();

/** Unique values, so that any of them in a log line is a leak. */
const canary = {
  employeeID: newId('CanaryID'),
  newEmployeeID: newId('CanaryNewID'),
  brokenEmployeeID: newId('CanaryBroken'),
  name: 'Canary Fieldname',
  username: newId('canaryuser'),
  email: 'canary.mail@canary.example',
  phone: '+99 (11) 22-33-44.55',
  password: 'canary-password-1',
  tag: 'canary-tag',
  organization: 'canary-organization',
  search: 'canarysearch',
  text: 'canary-broken-text',
  path: 'canary-path',
  header: 'canary-header',
};

const requestIds = ['log-created', 'log-taken', 'log-broken', 'log-unknown', 'log-fault', 'log-denied'];

/** One request per kind of outcome, each with personal data in it. */
beforeAll(async () => {
  const user = aUser({
    employeeID: canary.employeeID,
    name: canary.name,
    username: canary.username,
    email: canary.email,
    phone: canary.phone,
    password: canary.password,
    tagSerials: [canary.tag],
    organizationSerial: canary.organization,
  });
  const as = (id: string) => ({ headers: { 'x-request-id': id, 'x-canary': canary.header } });
  const { serial } = (await service.post('/service/users', user, as('log-created'))).json.data;
  await service.post('/service/users', user, as('log-taken'));
  await service.post('/service/users', { ...user, colour: canary.text });
  await service.request('POST', '/service/users', {
    rawBody: `{"name": "${canary.text}" oops}`,
    ...as('log-broken'),
  });
  await service.request('PATCH', `/service/users/${serial}`, { body: { name: `${canary.name} again` } });
  await service.request('PATCH', `/service/users/${serial}`, { body: { email: canary.text } });
  await service.updateBulk([
    { ...user, email: undefined, password: undefined, newEmployeeID: canary.newEmployeeID },
    { employeeID: canary.employeeID, name: canary.name, isActive: canary.text },
  ]);
  await service.createBulk([user, { ...user, employeeID: newId(), username: undefined }]);
  await service.get(`/service/users?search=${canary.search}&employeeID=${canary.employeeID}`);
  await service.get(`/service/users?${canary.text}=${canary.search}`);
  await service.get(`/service/users?cursor=${canary.text}`);
  await service.get(`/service/users/${canary.path}`);
  await service.get(`/${canary.path}?q=${canary.search}`, as('log-unknown'));
  await service.get(`/service/users/%zz${canary.path}`);
  await service.request('DELETE', `/service/users/${canary.path}`);
  await service.get('/service/users', { token: `${service.token}x`, ...as('log-denied') });
  await service.request('POST', '/oauth/token', {
    token: null,
    rawBody: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: canary.text,
      client_secret: canary.password,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await whenStored(service, canary.brokenEmployeeID, `RAISE EXCEPTION 'a fault with %', NEW.email`);
  const broken = { ...user, employeeID: canary.brokenEmployeeID, username: undefined };
  expect((await service.post('/service/users', broken, as('log-fault'))).status).toBe(500);
  await vi.waitFor(() => expect(service.logs).toContain('request failed'));
});

function lines(): Record<string, unknown>[] {
  return service.logs
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('the log', () => {
  test.each(Object.entries(canary))('contains no %s of any request', (_, value) => {
    expect(service.logs).not.toContain(value);
  });

  test('contains no part of a name or email address', () => {
    expect(service.logs).not.toMatch(/fieldname|canary\.example/i);
  });

  test('contains no token, client secret, password hash or private key', async () => {
    const { clientSecret, password } = credentialsIn(service.dataDir) as unknown as Record<string, string>;
    const { rows } = await service.database.pool.query('SELECT private_jwk FROM signing_keys');
    const [, payload, signature] = service.token.split('.');
    for (const secret of [service.token, payload, signature, clientSecret, password, rows[0].private_jwk.d]) {
      expect(secret).toEqual(expect.any(String));
      expect(service.logs).not.toContain(secret);
    }
    expect(service.logs).not.toMatch(/argon2|Bearer /);
  });

  test.each(requestIds)('contains a line with the request ID %s', (id) => {
    expect(lines().filter((line) => line.reqId === id).length).toBeGreaterThan(0);
  });

  test('has the method, route, status, time and client of a request', () => {
    expect(lines().find((line) => line.reqId === 'log-created')).toMatchObject({
      method: 'POST',
      route: '/service/users',
      status: 201,
      ms: expect.any(Number),
      actor: expect.stringMatching(/^client-/),
    });
  });

  test('names a signed-in user by serial, and by nothing else', async () => {
    const { username, password } = credentialsIn(service.dataDir) as unknown as Record<string, string>;
    const { accessToken: token, serial } = (await service.signIn(username, password)).json.data;
    await service.get('/service/auth/me', { token, headers: { 'x-request-id': 'log-user' } });
    await vi.waitFor(() => expect(service.logs).toContain('log-user'));
    expect(lines().find((line) => line.reqId === 'log-user')).toMatchObject({ actor: serial });
  });

  test('has only the type and location of an internal error, with its request ID', () => {
    const fault = lines().find((line) => line.reqId === 'log-fault' && 'err' in line);
    expect(fault).toMatchObject({
      level: 50,
      err: { type: 'DatabaseError', code: 'P0001', stack: expect.any(String) },
    });
  });

  test('uses error levels only for internal errors, not for rejected requests', () => {
    const loud = lines().filter((line) => Number(line.level) >= 40);
    expect(loud.map((line) => line.reqId)).toEqual(['log-fault', 'log-fault']);
  });
});
