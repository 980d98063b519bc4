import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { OidcIssuer } from '../../support/oidc-issuer.js';
import { newId, type Reply, TestService } from '../../support/service.js';

let service: TestService;
/** Its tokens grant access by "groups". */
let company: OidcIssuer;
/** Its tokens contain our scopes. It is unreachable when the first of them arrives. */
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

// One of them takes seconds, so they run concurrently.
describe.concurrent('a token of an external issuer', () => {
  test('grants what its groups map to and nothing else', async ({ expect }) => {
    const token = await company.token(groups('hr-readers', 'canteen'));
    expect((await readUsers(token)).status).toBe(200);
    expect((await service.post('/service/users', {}, { token })).status).toBe(403);
    expect((await service.get('/service/access-events', { token })).status).toBe(403);
  });

  test('allows writing if a group maps to it', async ({ expect }) => {
    const token = await company.token(groups('hr-admins'));
    const user = { employeeID: newId(), name: 'A', email: 'a@b.c', isActive: true };
    expect((await service.post('/service/users', user, { token })).status).toBe(201);
  });

  test.each([
    ['no groups', {}],
    ['groups without a mapping', groups('canteen')],
    ['a group named like a scope', groups('users:read')],
    ['a scope in another claim', { scope: 'users:read', claims: { groups: [] } }],
  ])('fails with 403 if it has %s', async (_, request) => {
    const reply = await readUsers(await company.token(request));
    expectFailure(
      reply,
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /^This operation requires the scope users:read\. Request a token that includes it\.$/,
    );
  });

  test('identifies its subject in GET /service/auth/me', async ({ expect }) => {
    const reply = await service.get('/service/auth/me', {
      token: await company.token(groups('hr-admins')),
    });
    expect(reply.status).toBe(200);
    expect(reply.json.data).toEqual({
      kind: 'outside',
      id: `${company.url}#${company.subject}`,
      name: null,
      username: null,
      employeeID: null,
      role: null,
      scopes: ['users:read', 'users:write', 'access:admin'],
    });
  });

  test('works for GET /service/auth/me even without scopes', async ({ expect }) => {
    const { json } = await service.get('/service/auth/me', { token: await company.token() });
    expect(json.data).toMatchObject({ kind: 'outside', scopes: [] });
  });

  test('is recorded as the actor when it creates a client', async ({ expect }) => {
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

  test('is for machines and cannot sign out', async () => {
    const token = await company.token(groups('hr-admins'));
    const reply = await service.request('POST', '/service/auth/sign-out', { token });
    expectFailure(reply, 403, 10214, 'ACCESS_USER_REQUIRED', /^This operation requires a user session\. /);
  });

  test('is rejected if it is for another audience', async () => {
    expectInvalid(await readUsers(await company.token({ ...groups('hr-readers'), audience: 'payroll' })));
  });

  test('is rejected if its issuer is not configured', async () => {
    expectInvalid(await readUsers(await stranger.token({ scope: 'users:read', ...groups('hr-readers') })));
  });

  test('is rejected if another party signed it in the name of a configured issuer', async () => {
    const claims = { iss: company.url, groups: ['hr-admins'] };
    expectInvalid(await readUsers(await stranger.sign(claims)));
    expectInvalid(await readUsers(await stranger.sign(claims, { kid: company.kid() })));
  });

  test('is rejected if it has expired or is not valid yet', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { groups: ['hr-readers'] };
    expectInvalid(await readUsers(await company.sign({ ...claims, exp: now - 60 })));
    expectInvalid(await readUsers(await company.sign({ ...claims, nbf: now + 600 })));
    expectInvalid(await readUsers(await company.sign({ ...claims, exp: undefined })));
  });

  test('is rejected if it claims to be issued by this service', async () => {
    const own = { iss: 'http://localhost:8080', scope: 'users:read', groups: ['hr-readers'] };
    expectInvalid(await readUsers(await company.sign(own, { typ: 'at+jwt' })));
  });

  test('gets no scopes from a claim that its issuer does not use', async ({ expect }) => {
    const token = await company.sign({ scope: 'users:read users:write access:admin audit:read' });
    expect((await readUsers(token)).status).toBe(403);
  });

  test('never appears in the logs, nor does its subject', async ({ expect }) => {
    const subject = newId('subject-');
    const token = await company.sign({ sub: subject, groups: ['hr-readers'] });
    expect((await readUsers(token)).status).toBe(200);
    await expect.poll(() => service.logs).toContain('"actor":"outside"');
    expect(service.logs).not.toContain(subject);
    expect(service.logs).not.toContain(token);
  });

  // Recovery is tested in test/unit, where the pause between two attempts can be short.
  test('fails with 503 while its issuer is unreachable, and other callers are served', async ({ expect }) => {
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
    expect(service.logs).toContain(
      `The keys of the issuer ${late.url} cannot be loaded: it cannot be reached`,
    );
    expect((await readUsers(service.token)).status, 'others are served').toBe(200);
    expect((await readUsers(await company.token(groups('hr-readers')))).status).toBe(200);
  });
});
