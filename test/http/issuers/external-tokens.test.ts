import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { OidcIssuer } from '../../support/oidc-issuer.js';
import { newId, type Reply, TestService } from '../../support/service.js';

// Which tokens are valid, and recovery after an outage, are tested in test/unit/external-issuers.test.ts.
let service: TestService;
/** Its tokens grant access by "groups". */
let company: OidcIssuer;
/** Is unreachable. */
const absent = 'http://127.0.0.1:1';

beforeAll(async () => {
  company = await OidcIssuer.start();
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
    { issuer: absent, audience: 'rollcall' },
  ];
  service = await TestService.start({ ROLLCALL_ISSUERS: JSON.stringify(issuers) });
});

afterAll(async () => {
  await service.stop();
  await company.halt();
});

const groups = (...names: string[]) => ({ claims: { groups: names } });
const readUsers = (token: string): Promise<Reply> => service.get('/service/users?limit=1', { token });

/** Callers and operators are told why, unless nothing is known about its issuer. */
function expectInvalid(reply: Reply, why?: string): void {
  const detail = why ? `invalid: ${why}` : 'invalid or has expired';
  expectFailure(reply, 401, 10202, 'ACCESS_TOKEN_INVALID', new RegExp(`^The token is ${detail}\\. `));
  const description = why ? `, error_description="${why}"` : '';
  expect(reply.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token"${description}`);
  if (why) expect(service.logs).toContain(`"why":"${why}","msg":"Refused the token of an external issuer."`);
}

/** A token that somebody else signed. */
async function forged(iss: string, kid = company.kid('ES256')): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  const exp = Math.floor(Date.now() / 1000) + 60;
  return new SignJWT({ iss, aud: 'rollcall', sub: 'eve', exp, scope: 'users:read', groups: ['hr-admins'] })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(privateKey);
}

describe('a token of an external issuer', () => {
  test('grants what its groups map to and nothing else', async () => {
    const token = await company.token(groups('hr-readers', 'canteen'));
    expect((await readUsers(token)).status).toBe(200);
    expect((await service.post('/service/users', {}, { token })).status).toBe(403);
    const detail = /^This operation requires the scope users:read\. Request a token that includes it\.$/;
    for (const request of [{}, groups('canteen'), groups('users:read'), { scope: 'users:read' }]) {
      const reply = await readUsers(await company.token(request));
      expectFailure(reply, 403, 10203, 'ACCESS_SCOPE_MISSING', detail);
    }
  });

  test('identifies its subject in GET /service/auth/me, even without scopes', async () => {
    const me = (token: string) => service.get('/service/auth/me', { token });
    const reply = await me(await company.token(groups('hr-admins')));
    expect(reply.status).toBe(200);
    expect(reply.json.data).toEqual({
      kind: 'outside',
      id: `${company.url}#${company.subject}`,
      name: null,
      username: null,
      employeeID: null,
      role: null,
      scopes: ['users:read', 'users:write', 'access:admin'],
      sessionId: null,
      method: null,
      secondFactor: 'none',
    });
    expect((await me(await company.token())).json.data).toMatchObject({ kind: 'outside', scopes: [] });
  });

  test('is recorded as the actor when it creates a client', async () => {
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

  test('is rejected if it is for another audience, or signed by or in the name of somebody else', async () => {
    const own = { iss: 'http://localhost:8080', scope: 'users:read', groups: ['hr-readers'] };
    const tokens: [Promise<string>, why?: string][] = [
      [company.token({ ...groups('hr-readers'), audience: 'payroll' }), 'it is meant for another audience'],
      [forged(company.url), 'its signature does not match the keys of its issuer'],
      [forged(company.url, 'mine'), 'its issuer has published no key with its key ID'],
      [forged('https://login.example.com')],
      [company.sign(own, { typ: 'at+jwt' })],
    ];
    for (const [token, why] of tokens) expectInvalid(await readUsers(await token), why);
  });

  test('never appears in the logs, nor does its subject', async () => {
    const subject = newId('subject-');
    const token = await company.sign({ sub: subject, groups: ['hr-readers'] });
    expect((await readUsers(token)).status).toBe(200);
    await expect.poll(() => service.logs).toContain('"actor":"outside"');
    expect(service.logs).not.toContain(subject);
    expect(service.logs).not.toContain(token);
  });

  test('fails with 503 while its issuer is unreachable, and other callers are served', async () => {
    const reply = await readUsers(await forged(absent));
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
    expect(service.logs).toContain(`The keys of the issuer ${absent} cannot be loaded: it cannot be reached`);
    expect((await readUsers(service.token)).status, 'others are served').toBe(200);
    expect((await readUsers(await company.token(groups('hr-readers')))).status).toBe(200);
  });
});
