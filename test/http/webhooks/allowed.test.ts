import { describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { issueToken, useService } from '../../support/service.js';
import { aUrl, givenWebhook, sendsNoWebhooks, webhookNow } from '../../support/webhooks.js';

const service = useService(sendsNoWebhooks);

describe.each([
  ['POST', '', { url: aUrl }],
  ['GET', '', undefined],
  ['GET', '/:id', undefined],
  ['PATCH', '/:id', { isActive: false }],
  ['DELETE', '/:id', undefined],
  ['POST', '/:id/rotate', { overlapSeconds: 0 }],
  ['POST', '/:id/replay', { fromSequence: 1 }],
  ['POST', '/:id/test', undefined],
] as const)('%s /service/webhooks%s', (method, pattern, body) => {
  test('fails with 401 without a token and 403 without access:admin, and changes nothing', async () => {
    const webhook = await givenWebhook(service);
    const before = await webhookNow(service, webhook);
    const path = `/service/webhooks${pattern.replace(':id', webhook.id)}`;
    const nobody = await service.request(method, path, { body, token: null });
    expectFailure(nobody, 401, 10201, 'ACCESS_TOKEN_REQUIRED', /Authorization: Bearer <token>/);
    const others = await givenClient(service, ['users:read', 'users:write', 'audit:read']);
    const token = await issueToken(service.url, others);
    const reply = await service.request(method, path, { body, token });
    expectFailure(
      reply,
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /requires the scope access:admin. Request a token/,
    );
    expect(await webhookNow(service, webhook)).toEqual(before);
  });
});

test('an operator may not create webhooks, an administrator may', async () => {
  const operator = await givenPerson(service, 'operator');
  const refused = await service.post('/service/webhooks', { url: aUrl }, { token: operator.token });
  expectFailure(
    refused,
    403,
    10203,
    'ACCESS_SCOPE_MISSING',
    /access:admin\. Your role does not include it; ask an administrator for access\.$/,
  );
  const administrator = await givenPerson(service, 'administrator');
  const created = await service.post('/service/webhooks', { url: aUrl }, { token: administrator.token });
  expect(created.status, created.text).toBe(201);
});
