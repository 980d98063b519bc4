import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/contract/enums.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { aUrl, givenWebhook, sendsNoWebhooks } from '../../support/webhooks.js';

const service = useService(sendsNoWebhooks);
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
        disabledBecause: null,
        deliveredUpTo: expect.any(Number),
        lastDeliveryAt: null,
        attempts: 0,
        failingSince: null,
        nextAttemptAt: null,
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

  test('creates two webhooks for the same URL, each with its own secret', async () => {
    const [one, two] = [await givenWebhook(service), await givenWebhook(service)];
    expect(one.id).not.toBe(two.id);
    expect(one.secret).not.toBe(two.secret);
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

  test.each([
    ['limit=0', 10005, 'REQUEST_PARAMETER_INVALID'],
    ['url=x', 10005, 'REQUEST_PARAMETER_INVALID'],
    ['cursor=x', 10006, 'REQUEST_CURSOR_INVALID'],
  ])('rejects ?%s', async (query, code, name) => {
    expectFailure(await service.get(`/service/webhooks?${query}`), 400, code, name, /./);
  });

  test.each(['nothing', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', '%00', "' OR 1=1"])(
    'returns 404 for the ID %s',
    async (id) => {
      const reply = await service.get(`/service/webhooks/${id}`);
      expectFailure(reply, 404, 10321, 'WEBHOOK_NOT_FOUND', /^No webhook has this ID\.$/);
    },
  );
});

describe('POST /service/webhooks rejects with 400 and 10004, and stores nothing', () => {
  const url = aUrl;
  const urlRequired = /^"url" is required. It must be a non-empty string\.$/;
  const urlRule = /^"url" must be a non-empty string/;
  const typesRule =
    /^"eventTypes" must be a list of one or more of user\.created, user\.erased, user\.deleted, /;
  const labelRule = /^"description" must be a string of 1 to 200 characters that is not blank/;
  const batchRule = /^"batchMax" must be a whole number from 1 to 1000/;

  test.each<[string, unknown, RegExp]>([
    ['an empty object', {}, urlRequired],
    ['a null URL', { url: null }, urlRequired],
    ['an empty URL', { url: '' }, urlRequired],
    ['a number as the URL', { url: 7 }, urlRule],
    ['a list as the URL', { url: [url] }, urlRule],
    ['an object as the URL', { url: { href: url } }, urlRule],
    ['an empty list of types', { url, eventTypes: [] }, typesRule],
    ['a type outside a list', { url, eventTypes: 'user.created' }, typesRule],
    ['an unknown type', { url, eventTypes: ['user.created', 'user.eaten'] }, typesRule],
    ['a capitalized type', { url, eventTypes: ['USER.CREATED'] }, typesRule],
    ['the batch type', { url, eventTypes: ['batch'] }, typesRule],
    ['null among the types', { url, eventTypes: [null] }, typesRule],
    ['a nested list of types', { url, eventTypes: [['user.created']] }, typesRule],
    ['an object as types', { url, eventTypes: { 0: 'user.created' } }, typesRule],
    ['a number as description', { url, description: 7 }, labelRule],
    ['a description of 201 characters', { url, description: 'd'.repeat(201) }, labelRule],
    ['a line break in the description', { url, description: 'a\nb' }, /U\+000A/],
    ['a NUL in the description', { url, description: 'a\u0000b' }, /U\+0000/],
    ['a lone surrogate in the description', { url, description: 'a\ud800' }, /U\+D800/],
    ['a batch size of 0', { url, batchMax: 0 }, batchRule],
    ['a negative batch size', { url, batchMax: -1 }, batchRule],
    ['a batch size of 1,001', { url, batchMax: 1_001 }, batchRule],
    ['a fraction as the batch size', { url, batchMax: 1.5 }, batchRule],
    ['text as the batch size', { url, batchMax: '10' }, batchRule],
    ['true as the batch size', { url, batchMax: true }, batchRule],
    ['a secret', { url, secret: 'whsec_x' }, /^"secret" is not a field of this operation. Use url/],
    ['isActive', { url, isActive: false }, /^"isActive" is not a field of this operation/],
    ['an ID', { url, id: 'x' }, /^"id" is not a field of this operation/],
    ['a field in another case', { URL: url }, /^"URL" is not a field of this operation/],
    [
      'an inherited property name',
      { url, constructor: {} },
      /^"constructor" is not a field of this operation/,
    ],
    ['a list', [{ url }], /^The body must be a JSON object, not an array\.$/],
    ['null', null, /^The body must be a JSON object, not null\.$/],
    ['a string', url, /^The body must be a JSON object, not a string\.$/],
  ])('%s', async (_, body, detail) => {
    const before = await webhooksThere();
    expectFailure(await create(body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect(await webhooksThere()).toBe(before);
  });

  test('a repeated field', async () => {
    const rawBody = `{"url":"${aUrl}","url":"https://93.184.215.15/"}`;
    const reply = await service.request('POST', '/service/webhooks', { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"url" appears twice\. Send it once\.$/);
  });
});

describe('POST /service/webhooks rejects with 400 and 10322 a URL that', () => {
  const isLocal = /^The URL must not point to a private or local address\.$/;

  test.each<[string, string, RegExp]>([
    ['is not https', 'http://93.184.215.14/hooks', /^The URL must start with https:\/\/\.$/],
    ['has another scheme', 'ftp://93.184.215.14/', /must start with https:/],
    ['is a path', '/hooks', /must start with https:/],
    ['is not a URL', 'https://', /must be a complete URL/],
    ['has an invalid port', 'https://93.184.215.14:99999/', /must be a complete URL/],
    [
      'contains credentials',
      'https://user:password@93.184.215.14/',
      /must not contain a username or password/,
    ],
    ['has a fragment', `${aUrl}#x`, /must not contain a fragment/],
    ['has a space', 'https://93.184.215.14/a b', /must not contain spaces/],
    ['has a line break', 'https://93.184.215.14/\r\nx: y', /must not contain spaces, control characters/],
    ['has a NUL', 'https://93.184.215.14/\u0000', /must not contain spaces, control characters/],
    ['has a lone surrogate', 'https://93.184.215.14/\ud800', /must not contain spaces, control/],
    ['is longer than 2,000 characters', `${aUrl}/${'x'.repeat(2_000)}`, /must not exceed 2000/],
    ['points to this machine', 'https://127.0.0.1/', isLocal],
    ['points to this machine as a decimal number', 'https://2130706433/', isLocal],
    ['points to this machine in hexadecimal', 'https://0x7f.1/', isLocal],
    ['points to this machine in IPv6', 'https://[::1]/', isLocal],
    ['points to this machine in IPv4-mapped IPv6', 'https://[::ffff:127.0.0.1]/', isLocal],
    ['points to all addresses of this machine', 'https://0.0.0.0/', isLocal],
    ['names localhost', 'https://localhost:8443/', isLocal],
    ['names localhost with a dot', 'https://LOCALHOST./', isLocal],
    ['names a subdomain of localhost', 'https://hooks.localhost/', isLocal],
    ['points to a private network', 'https://10.0.0.7/', isLocal],
    ['points to another private network', 'https://192.168.1.1/', isLocal],
    ['points to a unique local address', 'https://[fd00::1]/', isLocal],
    ['points to cloud metadata', 'https://169.254.169.254/latest/meta-data', isLocal],
    ['points to a link-local address', 'https://[fe80::1]/', isLocal],
    ['has a host that does not exist', 'https://nowhere.invalid/', /has a host that cannot be/],
    // In /etc/hosts or unknown: no machine's own name resolves only to a public address.
    ['names this machine', `https://${hostname()}/`, /(?:has a host that|private or local address)/],
  ])('%s', async (_, url, detail) => {
    const before = await webhooksThere();
    const reply = await create({ url });
    expectFailure(reply, 400, 10322, 'WEBHOOK_URL_REFUSED', detail);
    expect(await webhooksThere()).toBe(before);
  });
});

describe('POST /service/webhooks rejects a body', () => {
  test('that is missing', async () => {
    const reply = await service.request('POST', '/service/webhooks');
    expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /body is missing/);
  });

  test('that is not valid JSON', async () => {
    const reply = await service.request('POST', '/service/webhooks', { rawBody: '{"url":' });
    expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /./);
  });

  test('of another media type', async () => {
    const headers = { 'content-type': 'text/plain' };
    const reply = await service.request('POST', '/service/webhooks', { rawBody: '{}', headers });
    expectFailure(reply, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', /application\/json/);
  });
});
