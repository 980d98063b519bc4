import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signingKey } from '../../support/own-tokens.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, credentialsIn, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

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
  await vi.waitFor(() => expect(linesOf('log-fault').map(({ msg }) => msg)).toContain('request failed'));
});

function linesOf(...ids: string[]): Record<string, unknown>[] {
  return service.logs
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ reqId }) => ids.includes(reqId));
}

describe('the log', () => {
  test('contains no value of any request, and no part of a name or email address', () => {
    for (const [what, value] of Object.entries(canary)) expect(service.logs, what).not.toContain(value);
    expect(service.logs).not.toMatch(/fieldname|canary\.example/i);
  });

  test('contains no token, client secret, password hash or private key', async () => {
    const { clientSecret, password } = credentialsIn(service.dataDir) as unknown as Record<string, string>;
    const { jwk } = await signingKey(service);
    const [, payload, signature] = service.token.split('.');
    for (const secret of [service.token, payload, signature, clientSecret, password, jwk.d]) {
      expect(secret).toEqual(expect.any(String));
      expect(service.logs).not.toContain(secret);
    }
    expect(service.logs).not.toMatch(/argon2|Bearer /);
  });

  test('has the method, route, status, time and client of a request, whatever its outcome', () => {
    for (const id of requestIds) expect(linesOf(id), id).not.toEqual([]);
    expect(linesOf('log-created')).toMatchObject([
      {
        method: 'POST',
        route: '/service/users',
        status: 201,
        ms: expect.any(Number),
        actor: expect.stringMatching(/^client-/),
      },
    ]);
  });

  test('names a signed-in user by serial, and by nothing else', async () => {
    const { token, serial } = await givenSignedInUser(service);
    await service.get('/service/auth/me', { token, headers: { 'x-request-id': 'log-user' } });
    await vi.waitFor(() => expect(linesOf('log-user')).toMatchObject([{ actor: serial }]));
  });

  test('has only the type and location of an internal error, at the only error level', () => {
    const loud = linesOf(...requestIds).filter(({ level }) => Number(level) >= 40);
    expect(loud).toMatchObject([
      {
        reqId: 'log-fault',
        level: 50,
        err: { type: 'DatabaseError', code: 'P0001', stack: expect.any(String) },
      },
      { reqId: 'log-fault', level: 50 },
    ]);
  });
});
