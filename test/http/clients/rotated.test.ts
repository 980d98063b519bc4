import { describe, expect, test } from 'vitest';
import { type ApiClient, askForToken, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { issueToken, type Reply, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();
const day = 86_400;

function rotate({ path }: ApiClient, body?: unknown): Promise<Reply> {
  return service.request('POST', `${path}/rotate`, { body });
}

async function rotated(client: ApiClient, body?: unknown): Promise<string> {
  const reply = await rotate(client, body);
  if (reply.status !== 200) throw new Error(`The secret was not rotated: ${reply.text}`);
  return reply.json.data.secret;
}

/** Which of the secrets can get a token. */
async function working({ clientId }: ApiClient, ...secrets: string[]): Promise<boolean[]> {
  const replies = secrets.map((clientSecret) => askForToken(service, { clientId, clientSecret }));
  return (await Promise.all(replies)).map(({ status }) => status === 200);
}

async function listedSecrets({
  path,
}: ApiClient): Promise<{ createdAt: string; expiresAt: string | null }[]> {
  return (await service.get(path)).json.data.secrets;
}

const secondsFromNow = (time: string | null | undefined) => (Date.parse(time ?? '') - Date.now()) / 1000;

describe('POST /service/clients/{id}/rotate', () => {
  test('returns the client and a new secret, and disables caching', async () => {
    const client = await createdClient(service);
    const reply = await rotate(client, {});
    expect(reply.status, reply.text).toBe(200);
    const { secret: old, secrets: _, ...same } = client.data;
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Secret rotated. Keep the new one: it is not shown again.',
      data: {
        ...same,
        secrets: [
          { createdAt: expect.any(String), expiresAt: null },
          { createdAt: expect.any(String), expiresAt: expect.any(String) },
        ],
        secret: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(reply.json.data.secret).not.toBe(old);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['a null overlap', { overlapSeconds: null }],
  ])('keeps both secrets valid for a day, with %s', async (_, body) => {
    const client = await createdClient(service);
    const newer = await rotated(client, body);
    expect(await working(client, client.clientSecret, newer)).toEqual([true, true]);
    const [current, former] = await listedSecrets(client);
    expect(current?.expiresAt).toBeNull();
    expect(former?.createdAt).toBe(client.data.secrets[0].createdAt);
    expect(Math.abs(secondsFromNow(former?.expiresAt) - day)).toBeLessThan(60);
  });

  test.each([1, 3_600, 30 * day])('accepts an overlap of %i seconds', async (overlapSeconds) => {
    const client = await createdClient(service);
    await rotated(client, { overlapSeconds });
    const [, former] = await listedSecrets(client);
    if (overlapSeconds > 60) {
      expect(Math.abs(secondsFromNow(former?.expiresAt) - overlapSeconds)).toBeLessThan(60);
    }
  });

  test('ends the old secret immediately with an overlap of 0', async () => {
    const client = await createdClient(service);
    const newer = await rotated(client, { overlapSeconds: 0 });
    expect(await working(client, client.clientSecret, newer)).toEqual([false, true]);
    expect(await listedSecrets(client)).toEqual([{ createdAt: expect.any(String), expiresAt: null }]);
  });

  test('ends the oldest secret when repeated: at most two are valid', async () => {
    const client = await createdClient(service);
    const second = await rotated(client, { overlapSeconds: 30 * day });
    const third = await rotated(client, { overlapSeconds: 3_600 });
    expect(await working(client, client.clientSecret, second, third)).toEqual([false, true, true]);
    const [, former] = await listedSecrets(client);
    expect(Math.abs(secondsFromNow(former?.expiresAt) - 3_600)).toBeLessThan(60);
  });

  test('keeps only the newest secret with an overlap of 0 during an overlap', async () => {
    const client = await createdClient(service);
    const second = await rotated(client);
    const third = await rotated(client, { overlapSeconds: 0 });
    expect(await working(client, client.clientSecret, second, third)).toEqual([false, false, true]);
  });

  test('lets the old secret expire at the end of the overlap', async () => {
    const client = await createdClient(service);
    const newer = await rotated(client);
    await service.database.pool.query(
      `UPDATE client_secrets SET expires_at = now() - interval '1 second'
       WHERE client_id = $1 AND expires_at IS NOT NULL`,
      [client.clientId],
    );
    expect(await working(client, client.clientSecret, newer)).toEqual([false, true]);
    expect(await listedSecrets(client)).toHaveLength(1);
    const third = await rotated(client);
    expect(await working(client, client.clientSecret, newer, third)).toEqual([false, true, true]);
  });

  test('gives a new secret to a client without a valid one', async () => {
    const client = await createdClient(service);
    await service.database.pool.query('UPDATE client_secrets SET expires_at = now() WHERE client_id = $1', [
      client.clientId,
    ]);
    const newer = await rotated(client);
    expect(await working(client, client.clientSecret, newer)).toEqual([false, true]);
    expect(await listedSecrets(client)).toHaveLength(1);
  });

  test.each([
    [60, 'keeps tokens issued with the old secret', 200],
    [0, 'ends tokens issued with the old secret', 401],
  ])('with an overlap of %i seconds %s', async (overlapSeconds, _, status) => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    await rotated(client, { overlapSeconds });
    expect((await service.get('/service/users?limit=1', { token })).status).toBe(status);
  });

  test('keeps the secrets of other clients', async () => {
    const [client, other] = [await createdClient(service), await createdClient(service)];
    await rotated(client, { overlapSeconds: 0 });
    expect(await working(other, other.clientSecret)).toEqual([true]);
    expect(await listedSecrets(other)).toEqual(other.data.secrets);
  });

  test('does not enable a disabled client', async () => {
    const client = await createdClient(service);
    await service.request('PATCH', client.path, { body: { isActive: false } });
    const reply = await rotate(client);
    expect(reply.json.data.isActive).toBe(false);
    expect(await working(client, client.clientSecret, reply.json.data.secret)).toEqual([false, false]);
  });

  test('returns and stores times and hashes, never a secret', async () => {
    const client = await createdClient(service);
    const newer = await rotated(client);
    const shown = [
      await service.get(client.path),
      await service.get(`/service/access-events?clientId=${client.clientId}`),
    ];
    for (const reply of shown) {
      expect(reply.text).not.toContain(client.clientSecret);
      expect(reply.text).not.toContain(newer);
    }
    expect(await tablesHolding(service, newer)).toEqual([]);
    expect(service.logs).not.toContain(newer);
  });

  test('keeps the newest two secrets when called concurrently, and every call succeeds', async () => {
    const client = await createdClient(service);
    const replies = await Promise.all(Array.from({ length: 6 }, () => rotate(client)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const secrets = [client.clientSecret, ...replies.map(({ json }) => json.data.secret as string)];
    expect(new Set(secrets).size).toBe(7);
    const works = await working(client, ...secrets);
    expect(works.filter(Boolean)).toHaveLength(2);
    expect(works[0]).toBe(false);
    expect(await listedSecrets(client)).toHaveLength(2);
  });
});

describe('POST /service/clients/{id}/rotate rejects with 400 and 10004', () => {
  const rule = /^"overlapSeconds" must be a whole number from 0 to 2592000/;

  test.each<[string, unknown, RegExp]>([
    ['a negative overlap', { overlapSeconds: -1 }, rule],
    ['a fraction', { overlapSeconds: 1.5 }, rule],
    [
      'text as overlap',
      { overlapSeconds: '1' },
      /^"overlapSeconds" must be a whole number from 0 to 2592000\.$/,
    ],
    ['true', { overlapSeconds: true }, /from 0 to 2592000, not a boolean\.$/],
    ['a list as overlap', { overlapSeconds: [1] }, rule],
    ['an overlap of 30 days and a second', { overlapSeconds: 30 * day + 1 }, rule],
    ['a huge number', { overlapSeconds: 1e300 }, rule],
    ['an unknown field', { overlap: 1 }, /^"overlap" is not a field .* Use overlapSeconds\.$/],
    ['a secret chosen by the caller', { secret: 'hunter2' }, /^"secret" is not a field of this operation/],
    ['a list as body', [], /^The body must be a JSON object, not an array\.$/],
    ['a number as body', 0, /^The body must be a JSON object, not a number\.$/],
  ])('%s, and rotates nothing', async (_, body, detail) => {
    const client = await createdClient(service);
    expectFailure(await rotate(client, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect(await listedSecrets(client)).toEqual(client.data.secrets);
  });

  test.each([
    ['a number that overflows', '{"overlapSeconds":1e999}', rule],
    ['a repeated overlap', '{"overlapSeconds":0,"overlapSeconds":1}', /appears twice/],
  ])('%s', async (_, rawBody, detail) => {
    const client = await createdClient(service);
    const reply = await service.request('POST', `${client.path}/rotate`, { rawBody });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
  });
});

test('a null body is rejected like any other non-object', async () => {
  const client = await createdClient(service);
  const reply = await service.request('POST', `${client.path}/rotate`, { rawBody: 'null' });
  expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^The body must be a JSON object, not null/);
});
