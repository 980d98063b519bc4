import { describe, expect, test } from 'vitest';
import { askForToken, createdClient } from '../../support/api-clients.js';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { issueToken, newId, useService } from '../../support/service.js';

const service = useService();

const operations = [
  ['POST', '/service/clients', { name: 'X', scopes: ['access:admin'] }],
  ['GET', '/service/clients', undefined],
  ['GET', '/service/clients/:id', undefined],
  ['PATCH', '/service/clients/:id', { isActive: false }],
  ['POST', '/service/clients/:id/rotate', { overlapSeconds: 0 }],
] as const;

describe.each(operations)('%s %s', (method, pattern, body) => {
  test('requires a token', async () => {
    const client = await createdClient(service);
    const path = pattern.replace('/service/clients/:id', client.path);
    const reply = await service.request(method, path, { body, token: null });
    expectFailure(reply, 401, 10201, 'ACCESS_TOKEN_REQUIRED', /Authorization: Bearer <token>/);
    expect((await askForToken(service, client)).status).toBe(200);
  });

  test('requires access:admin: all other scopes together fail with 403 and change nothing', async () => {
    const client = await createdClient(service);
    const path = pattern.replace('/service/clients/:id', client.path);
    const others = await givenClient(service, ['users:read', 'users:write', 'audit:read']);
    const token = await issueToken(service.url, others);
    const reply = await service.request(method, path, { body, token });
    expectFailure(
      reply,
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /^This operation requires the scope access:admin\. Request a token that includes it\.$/,
    );
    expect(reply.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="access:admin"',
    );
    expect((await askForToken(service, client)).status).toBe(200);
  });
});

test('an operator may not create clients, an administrator may', async () => {
  const body = { name: newId('Client '), scopes: ['users:read'] };
  const operator = await givenPerson(service, 'operator');
  const refused = await service.post('/service/clients', body, { token: operator.token });
  expectFailure(
    refused,
    403,
    10203,
    'ACCESS_SCOPE_MISSING',
    /access:admin\. Your role does not include it; ask an administrator for access\.$/,
  );
  const administrator = await givenPerson(service, 'administrator');
  const created = await service.post('/service/clients', body, { token: administrator.token });
  expect(created.status, created.text).toBe(201);
});
