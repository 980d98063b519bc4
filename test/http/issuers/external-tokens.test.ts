import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { OidcIssuer } from '../../support/oidc-issuer.js';
import { newId, type Reply, TestService } from '../../support/service.js';

let service: TestService;
/** Its tokens say in "groups" what they allow. */
let company: OidcIssuer;
/** Its tokens name our scopes themselves. It is away when the first of them comes. */
let late: OidcIssuer;
let stranger: OidcIssuer;

beforeAll(async () => {
  [company, late, stranger] = await Promise.all([OidcIssuer.start(), OidcIssuer.start(), OidcIssuer.start()]);
  const issuers = [
    {
      issuer: company.url,
      audience: 'rollcall',
      claim: 'groups',
      scopes: {
        'hr-readers': ['users:read'],
        'hr-admins': ['users:read', 'users:write', 'access:admin'],
      },
    },
    { issuer: late.url, audience: 'rollcall' },
  ];
  service = await TestService.start({ ROLLCALL_ISSUERS: JSON.stringify(issuers) });
});

afterAll(async () => {
  await service.stop();
  await Promise.all([company, late, stranger].map((issuer) => issuer.halt()));
});

const groups = (...names: string[]) => ({ claims: { groups: names } });
const readUsers = (token: string): Promise<Reply> => service.get('/service/users?limit=1', { token });

function expectInvalid(reply: Reply): void {
  expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', /^The token is invalid or has expired\. /);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
}

// One of them waits for seconds, so they run side by side.
describe.concurrent('a token of an outside issuer', () => {
  test('opens what its groups stand for, and nothing else', async ({ expect }) => {
    const token = await company.token(groups('hr-readers', 'canteen'));
    expect((await readUsers(token)).status).toBe(200);
    expect((await service.post('/service/users', {}, { token })).status).toBe(403);
    expect((await service.get('/service/access-events', { token })).status).toBe(403);
  });

  test('may write when a group says so', async ({ expect }) => {
    const token = await company.token(groups('hr-admins'));
    const user = { employeeID: newId(), name: 'A', email: 'a@b.c', isActive: true };
    expect((await service.post('/service/users', user, { token })).status).toBe(201);
  });

  test.each([
    ['no groups', {}],
    ['groups that mean nothing here', groups('canteen')],
    ['a group named like a scope', groups('users:read')],
    ['the scope in another claim', { scope: 'users:read', claims: { groups: [] } }],
  ])('without scopes gets 403: %s', async (_, request) => {
    const reply = await readUsers(await company.token(request));
    expectFailure(
      reply,
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /^This operation requires the scope users:read\. Request a token that includes it\.$/,
    );
  });

  test('tells who it is: GET /service/auth/me', async ({ expect }) => {
    const reply = await service.get('/service/auth/me', {
      token: await company.token(groups('hr-admins')),
    });
    expect(reply.status).toBe(200);
    expect(reply.json.data).toEqual({
      kind: 'outside',
      id: `${company.url}#${company.subject}`,
      name: null,
      username: null,
      role: null,
      scopes: ['users:read', 'users:write', 'access:admin'],
    });
  });

  test('without scopes is good enough to be told who it is', async ({ expect }) => {
    const { json } = await service.get('/service/auth/me', { token: await company.token() });
    expect(json.data).toMatchObject({ kind: 'outside', scopes: [] });
  });

  test('is on record as the actor when it makes a client', async ({ expect }) => {
    const token = await company.token(groups('hr-admins'));
    const body = { name: newId('Client '), scopes: ['users:read'] };
    const created = await service.post('/service/clients', body, { token });
    expect(created.status, created.text).toBe(201);
    const actor = { kind: 'outside', id: `${company.url}#${company.subject}` };
    const { items } = (await service.get(`/service/access-events?clientId=${created.json.data.id}`)).json
      .data;
    expect(items).toMatchObject([{ kind: 'client.created', actor }]);
    const byActor = await service.get(`/service/access-events?actorId=${encodeURIComponent(actor.id)}`);
    expect(byActor.json.data.items).toContainEqual(items[0]);
  });

  test('is for machines: a person has to sign out with a token from here', async () => {
    const token = await company.token(groups('hr-admins'));
    const reply = await service.request('POST', '/service/auth/sign-out', { token });
    expectFailure(reply, 403, 10214, 'ACCESS_USER_REQUIRED', /^This operation requires a user session\. /);
  });

  test('is refused when it is for another audience', async () => {
    expectInvalid(await readUsers(await company.token({ ...groups('hr-readers'), audience: 'payroll' })));
  });

  test('is refused when nobody named its issuer', async () => {
    expectInvalid(await readUsers(await stranger.token({ scope: 'users:read', ...groups('hr-readers') })));
  });

  test('is refused when a stranger signed it in the name of an issuer that is known', async () => {
    const claims = { iss: company.url, groups: ['hr-admins'] };
    expectInvalid(await readUsers(await stranger.sign(claims)));
    expectInvalid(await readUsers(await stranger.sign(claims, { kid: company.kid() })));
  });

  test('is refused when it has expired or is not good yet', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { groups: ['hr-readers'] };
    expectInvalid(await readUsers(await company.sign({ ...claims, exp: now - 60 })));
    expectInvalid(await readUsers(await company.sign({ ...claims, nbf: now + 600 })));
    expectInvalid(await readUsers(await company.sign({ ...claims, exp: undefined })));
  });

  test('is refused when it claims to be of this service, and a token of this service is not one of it', async () => {
    const own = { iss: 'http://localhost:8080', scope: 'users:read', groups: ['hr-readers'] };
    expectInvalid(await readUsers(await company.sign(own, { typ: 'at+jwt' })));
  });

  test('does not count for an issuer that another one has scopes of', async ({ expect }) => {
    const token = await company.sign({ scope: 'users:read users:write access:admin audit:read' });
    expect((await readUsers(token)).status).toBe(403);
  });

  test('is no secret of the log: neither it nor whom it is about', async ({ expect }) => {
    const subject = newId('subject-');
    const token = await company.sign({ sub: subject, groups: ['hr-readers'] });
    expect((await readUsers(token)).status).toBe(200);
    await expect.poll(() => service.logs).toContain('"actor":"outside"');
    expect(service.logs).not.toContain(subject);
    expect(service.logs).not.toContain(token);
  });

  // That it recovers by itself is shown where the pause between two looks can be made short: test/unit.
  test('gets 503 while its issuer cannot be reached, and others are served', async ({ expect }) => {
    const token = await late.sign({ scope: 'users:read' });
    await late.halt();
    const reply = await readUsers(token);
    expect(reply.status).toBe(503);
    expect(reply.json).toEqual({
      errorCode: 10901,
      message: 'SERVICE_UNAVAILABLE',
      detail:
        'The issuer of this token is unreachable, so the token cannot be verified. Nothing was changed; retry in a moment.',
      data: { retryAfterSeconds: 2 },
    });
    expect(reply.headers.get('retry-after')).toBe('2');
    expect(reply.headers.get('www-authenticate')).toBeNull();
    expect(service.logs).toContain(`The keys of the issuer ${late.url} cannot be had: it cannot be reached`);
    expect((await readUsers(service.token)).status, 'others are served').toBe(200);
    expect((await readUsers(await company.token(groups('hr-readers')))).status).toBe(200);
  });
});
