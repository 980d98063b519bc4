import { describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/contract/enums.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { aUrl, givenWebhook, webhookNow } from '../../support/webhooks.js';

const service = useService();
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const create = (body: unknown) => service.post('/service/webhooks', body);

async function webhooksThere(): Promise<number> {
  const { rows } = await service.database.pool.query('SELECT count(*)::integer AS count FROM webhooks');
  return rows[0].count;
}

describe('POST /service/webhooks', () => {
  test('returns 201 with the webhook, its secret and Location, and disables caching', async () => {
    await service.givenUser();
    const url = `${aUrl}/${newId()}?tenant=7`;
    const reply = await create({ url });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Webhook created. Keep the secret: it is not shown again.',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
        url,
        description: null,
        eventTypes,
        batchMax: 100,
        isActive: true,
        disabledCause: null,
        disabledBecause: null,
        deliveredUpTo: expect.any(Number),
        lastDeliveryAt: null,
        attempts: 0,
        failingSince: null,
        nextAttemptAt: null,
        lastProblem: null,
        lastStatusCode: null,
        lastError: null,
        createdAt: time,
        secrets: [{ createdAt: time, expiresAt: null }],
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    expect(reply.headers.get('location')).toBe(`/service/webhooks/${reply.json.data.id}`);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('starts with new events: no earlier ones are delivered', async () => {
    await service.givenUser();
    const { data } = await givenWebhook(service);
    const { rows } = await service.database.pool.query('SELECT max(seq)::integer AS last FROM changes');
    expect(data.deliveredUpTo).toBe(rows[0].last);
  });

  test('accepts all settings and removes duplicate event types', async () => {
    const settings = { url: aUrl, description: 'Door badges', batchMax: 1 };
    const reply = await create({
      ...settings,
      eventTypes: ['user.renamed', 'user.created', 'user.renamed'],
    });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json.data).toMatchObject({ ...settings, eventTypes: ['user.renamed', 'user.created'] });
  });

  test('treats null and an empty text as omitted', async () => {
    const { data } = await givenWebhook(service, { eventTypes: null, description: '', batchMax: null });
    expect(data).toMatchObject({ eventTypes, description: null, batchMax: 100 });
  });
});

describe('GET /service/webhooks', () => {
  test('lists webhooks by creation time, page by page, as GET by ID returns them', async () => {
    const created = [await givenWebhook(service), await givenWebhook(service), await givenWebhook(service)];
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { json } = await service.get(`/service/webhooks?limit=2${query}`);
      expect(json.message).toBe('Webhooks found.');
      ids.push(...json.data.items.map(({ id }: { id: string }) => id));
      cursor = json.data.nextCursor;
    }
    expect(ids).toEqual(ids.toSorted());
    expect(ids.filter((id) => created.some((webhook) => webhook.id === id))).toEqual(
      created.map(({ id }) => id),
    );
    const { secret: _, ...shown } = created[2]?.data ?? {};
    const read = await service.get(created[2]?.path ?? '');
    expect(read.json).toEqual({ status: 'success', message: 'Webhook found.', data: shown });
    const all = await service.get('/service/webhooks?limit=200');
    expect(all.json.data.items).toContainEqual(shown);
  });

  test('rejects unknown parameters, invalid cursors and unknown IDs', async () => {
    const unknown = await service.get('/service/webhooks?url=x');
    expectFailure(unknown, 400, 10005, 'REQUEST_PARAMETER_INVALID', /^"url" is unknown/);
    const cursor = await service.get('/service/webhooks?cursor=x');
    expectFailure(cursor, 400, 10006, 'REQUEST_CURSOR_INVALID', /./);
    for (const id of ['nothing', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', '%00', "' OR 1=1"]) {
      const reply = await service.get(`/service/webhooks/${id}`);
      expectFailure(reply, 404, 10321, 'WEBHOOK_NOT_FOUND', /^No webhook has this ID\.$/);
    }
  });
});

// Every value of a field is tested against its schema in test/http/requests/every-operation.test.ts, and every URL in
// test/unit/webhook-url.test.ts.
test('POST /service/webhooks rejects an invalid body with 400 and 10004, and stores nothing', async () => {
  const before = await webhooksThere();
  const url = aUrl;
  for (const [body, detail] of [
    [{}, /^"url" is required. It must be a non-empty string\.$/],
    [{ url: 7 }, /^"url" must be a non-empty string/],
    [
      { url, eventTypes: ['user.created', 'user.eaten'] },
      /^"eventTypes" must be a list of one or more of user\.created, user\.erased, user\.deleted, /,
    ],
    [
      { url, description: 'd'.repeat(201) },
      /^"description" must be a string of 1 to 200 characters that is not blank/,
    ],
    [{ url, description: 'a\0b' }, /U\+0000/],
    [{ url, batchMax: 1_001 }, /^"batchMax" must be a whole number from 1 to 1000/],
    [{ url, secret: 'whsec_x' }, /^"secret" is not a field of this operation. Use url/],
    [{ url, constructor: {} }, /^"constructor" is not a field of this operation/],
    [[{ url }], /^The body must be a JSON object, not an array\.$/],
  ] as const) {
    expectFailure(await create(body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
  }
  const rawBody = `{"url":"${aUrl}","url":"https://93.184.215.15/"}`;
  const repeated = await service.request('POST', '/service/webhooks', { rawBody });
  expectFailure(repeated, 400, 10004, 'REQUEST_BODY_INVALID', /^"url" appears twice\. Send it once\.$/);
  const missing = await service.request('POST', '/service/webhooks');
  expectFailure(missing, 400, 10002, 'REQUEST_BODY_NOT_JSON', /body is missing/);
  expect(await webhooksThere()).toBe(before);
});

test.each([
  ['is not https', 'http://93.184.215.14/hooks', /^The URL must start with https:\/\/\.$/],
  ['points to this machine', 'https://2130706433/', /must not point to a private or local address\.$/],
  ['has a host that does not exist', 'https://nowhere.invalid/', /has a host that cannot be/],
])('POST and PATCH reject with 400 and 10322 a URL that %s', async (_, url, detail) => {
  const before = await webhooksThere();
  expectFailure(await create({ url }), 400, 10322, 'WEBHOOK_URL_REFUSED', detail);
  expect(await webhooksThere()).toBe(before);
  const webhook = await givenWebhook(service);
  const reply = await service.request('PATCH', webhook.path, { body: { url, description: 'Undone' } });
  expectFailure(reply, 400, 10322, 'WEBHOOK_URL_REFUSED', detail);
  expect(await webhookNow(service, webhook)).toMatchObject({ url: aUrl, description: null });
});
