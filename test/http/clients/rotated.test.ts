import { describe, expect, test } from 'vitest';
import { type ApiClient, askForToken, createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { signedToken } from '../../support/own-tokens.js';
import { issueToken, type Reply, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';
import { timePasses } from '../../support/time-passes.js';

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

/** Seconds between the creation of the new secret and the end of the former one. */
async function overlapOf(client: ApiClient): Promise<number> {
  const [current, former] = await listedSecrets(client);
  return Math.round((Date.parse(former?.expiresAt ?? '') - Date.parse(current?.createdAt ?? '')) / 1000);
}

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
          { createdAt: client.data.secrets[0].createdAt, expiresAt: expect.any(String) },
        ],
        secret: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(reply.json.data.secret).not.toBe(old);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('keeps both secrets valid for a day, or for the overlap', async () => {
    const client = await createdClient(service);
    let former = client.clientSecret;
    const overlaps = [
      [undefined, day],
      [{ overlapSeconds: null }, day],
      [{ overlapSeconds: 1 }, 1],
      [{ overlapSeconds: 30 * day }, 30 * day],
    ] as const;
    for (const [body, seconds] of overlaps) {
      const newer = await rotated(client, body);
      expect(await overlapOf(client)).toBe(seconds);
      if (seconds > 1) expect(await working(client, former, newer)).toEqual([true, true]);
      former = newer;
    }
  });

  test('ends the oldest secret when repeated, and all others with an overlap of 0, but none of other clients', async () => {
    const [client, other] = [await createdClient(service), await createdClient(service)];
    const second = await rotated(client, { overlapSeconds: 30 * day });
    const third = await rotated(client, { overlapSeconds: 3_600 });
    expect(await working(client, client.clientSecret, second, third)).toEqual([false, true, true]);
    expect(await overlapOf(client)).toBe(3_600);
    const fourth = await rotated(client, { overlapSeconds: 0 });
    expect(await working(client, second, third, fourth)).toEqual([false, false, true]);
    expect(await listedSecrets(client)).toEqual([{ createdAt: expect.any(String), expiresAt: null }]);
    expect(await working(other, other.clientSecret)).toEqual([true]);
    expect(await listedSecrets(other)).toEqual(other.data.secrets);
  });

  test('lets the old secret expire at the end of the overlap', async () => {
    const client = await createdClient(service);
    const newer = await rotated(client);
    const expire = (which: string) =>
      service.database.pool.query(
        `UPDATE client_secrets SET expires_at = now() - interval '1 second' WHERE client_id = $1 AND ${which}`,
        [client.clientId],
      );
    await expire('expires_at IS NOT NULL');
    expect(await working(client, client.clientSecret, newer)).toEqual([false, true]);
    expect(await listedSecrets(client)).toHaveLength(1);
    const third = await rotated(client);
    expect(await working(client, client.clientSecret, newer, third)).toEqual([false, true, true]);
    await expire('true');
    const fourth = await rotated(client);
    expect(await working(client, third, fourth), 'a client without a valid one').toEqual([false, true]);
    expect(await listedSecrets(client)).toHaveLength(1);
  });

  test('ends the tokens issued before only without overlap, and none issued after in the same second', async () => {
    const client = await createdClient(service);
    const statusOf = async (token: string) => (await service.get('/service/users?limit=1', { token })).status;
    const before = await issueToken(service.url, client);
    const clientSecret = await rotated(client, { overlapSeconds: 60 });
    expect(await statusOf(before)).toBe(200);
    const last = await rotated({ ...client, clientSecret }, { overlapSeconds: 0 });
    timePasses(3_000); // until then, a node may use what it has read
    const after = await issueToken(service.url, { ...client, clientSecret: last });
    expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
    const forged = [{}, { gen: 0 }, { gen: 7 }, { gen: 'x' }].map((claims) =>
      signedToken(service, client.clientId, { claims }),
    );
    for (const token of forged) expect(await statusOf(await token), 'with another generation').toBe(401);
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
    const events = await service.get(`/service/access-events?clientId=${client.clientId}`);
    for (const reply of [await service.get(client.path), events]) {
      expect(reply.text).not.toContain(client.clientSecret);
      expect(reply.text).not.toContain(newer);
    }
    expect(await tablesHolding(service, newer)).toEqual([]);
    expect(service.logs).not.toContain(newer);
  });

  test('keeps the newest two secrets when called concurrently, and every call succeeds', async () => {
    const client = await createdClient(service);
    const replies = await Promise.all(Array.from({ length: 4 }, () => rotate(client)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const secrets = [client.clientSecret, ...replies.map(({ json }) => json.data.secret as string)];
    expect(new Set(secrets).size).toBe(5);
    const works = await working(client, ...secrets);
    expect(works.filter(Boolean)).toHaveLength(2);
    expect(works[0]).toBe(false);
    expect(await listedSecrets(client)).toHaveLength(2);
  });

  test('rejects an invalid body with 400 and 10004, and rotates nothing', async () => {
    const client = await createdClient(service);
    const reply = await rotate(client, { overlapSeconds: 30 * day + 1 });
    const rule = /^"overlapSeconds" must be a whole number from 0 to 2592000/;
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', rule);
    const rawBody = 'null';
    const nothing = await service.request('POST', `${client.path}/rotate`, { rawBody });
    expectFailure(nothing, 400, 10004, 'REQUEST_BODY_INVALID', /^The body must be a JSON object, not null/);
    expect(await listedSecrets(client)).toEqual(client.data.secrets);
  });
});
