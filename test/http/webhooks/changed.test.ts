import { describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/contract/enums.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, type Reply, useService } from '../../support/service.js';
import {
  aUrl,
  type GivenWebhook,
  givenWebhook,
  sendsNoWebhooks,
  webhookNow,
} from '../../support/webhooks.js';

const service = useService(sendsNoWebhooks);

function patch({ path }: Pick<GivenWebhook, 'path'>, body: unknown): Promise<Reply> {
  return service.request('PATCH', path, { body });
}

function shownOf({ data: { secret: _, ...shown } }: GivenWebhook): Record<string, unknown> {
  return shown;
}

/** The access events of a webhook, newest first. */
async function recordedOf({ id }: GivenWebhook): Promise<Record<string, unknown>[]> {
  const { json } = await service.get('/service/access-events?limit=200');
  return json.data.items
    .filter(({ detail }: { detail: { webhookId?: string } }) => detail.webhookId === id)
    .map(({ kind, detail }: Record<string, unknown>) => ({ kind, detail }));
}

/** Simulates failed attempts. */
async function hasFailed({ id }: GivenWebhook, disabledBecause: string | null): Promise<void> {
  await service.database.pool.query(
    `UPDATE webhooks SET attempts = 7, failing_since = now() - interval '1 hour', last_error = 'The receiver responded with 500.',
       next_at = now() + interval '1 hour', disabled_because = $2, disabled_at = CASE WHEN $2::text IS NOT NULL THEN now() END
     WHERE id = $1`,
    [id, disabledBecause],
  );
}

describe('PATCH /service/webhooks/{id} changes only what is sent', () => {
  test.each([
    ['the URL', { url: 'https://93.184.215.15/other' }],
    ['the description', { description: 'Payroll' }],
    ['the event types', { eventTypes: ['call.completed', 'user.deleted'] }],
    ['the batch size', { batchMax: 1_000 }],
    ['the active state', { isActive: false }],
    [
      'all settings',
      { url: 'https://93.184.215.15/', description: 'All', eventTypes: ['user.created'], batchMax: 1 },
    ],
  ])('%s', async (_, change) => {
    const [webhook, other] = [await givenWebhook(service), await givenWebhook(service)];
    const reply = await patch(webhook, change);
    expect(reply.status, reply.text).toBe(200);
    const data = { ...shownOf(webhook), ...change };
    expect(reply.json).toEqual({ status: 'success', message: 'Webhook updated.', data });
    expect(await webhookNow(service, webhook)).toEqual(data);
    expect(await webhookNow(service, other)).toEqual(shownOf(other));
  });

  test('null restores the defaults', async () => {
    const given = { description: 'X', eventTypes: ['user.created'], batchMax: 7 };
    const webhook = await givenWebhook(service, given);
    const reply = await patch(webhook, { description: null, eventTypes: null, batchMax: null });
    expect(reply.json.data).toMatchObject({ description: null, eventTypes, batchMax: 100 });
  });

  test('when sent as a JSON merge patch', async () => {
    const webhook = await givenWebhook(service);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const reply = await service.request('PATCH', webhook.path, { body: { batchMax: 3 }, headers });
    expect(reply.json.data.batchMax).toBe(3);
  });

  test('nothing for an empty object, which keeps the attempts and records no event', async () => {
    const webhook = await givenWebhook(service);
    await hasFailed(webhook, null);
    const before = await webhookNow(service, webhook);
    expect((await patch(webhook, {})).json.data).toEqual(before);
    expect((await recordedOf(webhook)).map(({ kind }) => kind)).toEqual(['webhook.created']);
  });
});

describe('PATCH /service/webhooks/{id} on a webhook disabled by the service', () => {
  test('resumes immediately where it stopped if isActive is true', async () => {
    const webhook = await givenWebhook(service);
    await hasFailed(webhook, 'Every attempt has failed for 72 hours.');
    await service.givenUser();
    const { data } = (await patch(webhook, { isActive: true })).json;
    expect(data).toEqual(shownOf(webhook));
  });

  test('keeps it disabled with the reason on other changes', async () => {
    const webhook = await givenWebhook(service);
    await hasFailed(webhook, 'The receiver answered 410 Gone.');
    const { data } = (await patch(webhook, { description: 'To be looked after' })).json;
    expect(data).toMatchObject({
      isActive: false,
      disabledBecause: 'The receiver answered 410 Gone.',
      description: 'To be looked after',
    });
  });
});

describe('PATCH /service/webhooks/{id} rejects with 400', () => {
  const typesRule = /^"eventTypes" must be a list of one or more of user\.created, /;

  test.each<[string, unknown, RegExp]>([
    ['a null URL', { url: null }, /^"url" is required/],
    ['an empty URL', { url: '' }, /^"url" is required/],
    ['a number as the URL', { url: 7 }, /^"url" must be a non-empty string, not a number\.$/],
    ['an empty list of types', { eventTypes: [] }, typesRule],
    ['an unknown type', { eventTypes: ['user.eaten'] }, typesRule],
    ['a type outside a list', { eventTypes: 'user.created' }, typesRule],
    [
      'a description of 201 characters',
      { description: 'd'.repeat(201) },
      /^"description" must be a string of/,
    ],
    ['a batch size of 0', { batchMax: 0 }, /^"batchMax" must be a whole number from 1 to 1000/],
    ['a batch size of 1,001', { batchMax: 1_001 }, /^"batchMax" must be a whole number from 1 to 1000/],
    [
      'a null isActive',
      { isActive: null },
      /^"isActive" is required. It must be a boolean, true or false\.$/,
    ],
    ['text as isActive', { isActive: 'true' }, /^"isActive" must be a boolean, true or false\.$/],
    ['a log position', { deliveredUpTo: 0 }, /^"deliveredUpTo" is not a field of this operation. Use url/],
    ['a secret', { secret: 'whsec_x' }, /^"secret" is not a field of this operation/],
    ['disabledBecause', { disabledBecause: null }, /^"disabledBecause" is not a field of this operation/],
    ['a list', [{ isActive: false }], /^The body must be a JSON object, not an array\.$/],
    ['null', null, /^The body must be a JSON object, not null\.$/],
  ])('%s, and applies nothing else in the body', async (_, body, detail) => {
    const webhook = await givenWebhook(service);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    const reply = await patch(webhook, isObject ? { description: 'Undone', ...body } : body);
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect(await webhookNow(service, webhook)).toEqual(shownOf(webhook));
  });

  test.each(['http://93.184.215.14/', 'https://127.0.0.1/', 'https://localhost/', 'https://[fe80::1]/'])(
    'the URL %s, which a create rejects too',
    async (url) => {
      const webhook = await givenWebhook(service);
      const reply = await patch(webhook, { url, description: 'Undone' });
      expectFailure(reply, 400, 10322, 'WEBHOOK_URL_REFUSED', /^The URL must /);
      expect(await webhookNow(service, webhook)).toEqual(shownOf(webhook));
    },
  );
});

describe('DELETE /service/webhooks/{id}', () => {
  test('returns the ID and deletes the webhook and its secret', async () => {
    const [webhook, other] = [await givenWebhook(service), await givenWebhook(service)];
    const reply = await service.request('DELETE', webhook.path);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Webhook deleted.',
      data: { id: webhook.id },
    });
    expectFailure(await service.get(webhook.path), 404, 10321, 'WEBHOOK_NOT_FOUND', /./);
    const again = await service.request('DELETE', webhook.path);
    expectFailure(again, 404, 10321, 'WEBHOOK_NOT_FOUND', /^No webhook has this ID\.$/);
    const { rows } = await service.database.pool.query('SELECT FROM webhook_secrets WHERE webhook_id = $1', [
      webhook.id,
    ]);
    expect(rows).toEqual([]);
    expect(await webhookNow(service, other)).toEqual(shownOf(other));
  });
});

describe('on an unknown webhook', () => {
  test.each([
    ['PATCH', '', { isActive: true }],
    ['DELETE', '', undefined],
    ['POST', '/rotate', {}],
    ['POST', '/replay', { fromSequence: 1 }],
  ])('%s %s fails with 404 and 10321', async (method, operation, body) => {
    for (const id of ['nothing', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', '%00']) {
      const reply = await service.request(method, `/service/webhooks/${id}${operation}`, { body });
      expectFailure(reply, 404, 10321, 'WEBHOOK_NOT_FOUND', /^No webhook has this ID\.$/);
    }
  });
});

test('access events of a webhook contain the host of the URL, but not its path', async () => {
  const path = newId('path-as-secret-');
  const url = `https://93.184.215.14:8443/${path}?key=${path}`;
  const webhook = await givenWebhook(service, { url, description: 'Doors', eventTypes: ['user.created'] });
  await patch(webhook, { url: `https://93.184.215.15/${path}` });
  await patch(webhook, { isActive: false });
  await service.request('POST', `${webhook.path}/rotate`, { body: { overlapSeconds: 60 } });
  await service.request('POST', `${webhook.path}/replay`, { body: { fromSequence: 1 } });
  await service.request('DELETE', webhook.path);
  const webhookId = webhook.id;
  const recorded = await recordedOf(webhook);
  expect(recorded.toReversed()).toEqual([
    {
      kind: 'webhook.created',
      detail: {
        webhookId,
        host: '93.184.215.14:8443',
        description: 'Doors',
        eventTypes: ['user.created'],
        batchMax: 100,
      },
    },
    { kind: 'webhook.changed', detail: { webhookId, host: '93.184.215.15' } },
    { kind: 'webhook.changed', detail: { webhookId, isActive: false } },
    { kind: 'webhook.secret-rotated', detail: { webhookId, overlapSeconds: 60 } },
    { kind: 'webhook.replayed', detail: { webhookId, fromSequence: 1 } },
    { kind: 'webhook.deleted', detail: { webhookId } },
  ]);
  expect(JSON.stringify(recorded)).not.toContain(path);
  expect(service.logs).not.toContain(path);
});

test('a webhook can be set to the same URL again', async () => {
  const webhook = await givenWebhook(service);
  expect((await patch(webhook, { url: aUrl })).json.data).toEqual(shownOf(webhook));
});
