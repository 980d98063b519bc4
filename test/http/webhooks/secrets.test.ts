import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { type Reply, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';
import { type GivenWebhook, givenWebhook, webhookNow } from '../../support/webhooks.js';

const service = useService();
const day = 86_400;

function rotate({ path }: GivenWebhook, body?: unknown): Promise<Reply> {
  return service.request('POST', `${path}/rotate`, { body });
}

const secondsFromNow = (time: string) => (Date.parse(time) - Date.now()) / 1000;

describe('POST /service/webhooks/{id}/rotate', () => {
  test('returns the webhook and a new secret, and disables caching', async () => {
    const webhook = await givenWebhook(service);
    const reply = await rotate(webhook, { overlapSeconds: 3_600 });
    expect(reply.status, reply.text).toBe(200);
    const { secret: old, secrets, ...same } = webhook.data;
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Secret rotated. Keep the secret: it is not shown again.',
      data: {
        ...same,
        secrets: [
          { createdAt: expect.any(String), expiresAt: null },
          { createdAt: secrets[0].createdAt, expiresAt: expect.any(String) },
        ],
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    expect(reply.json.data.secret).not.toBe(old);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('keeps the old secret for a day by default', async () => {
    for (const body of [undefined, {}, { overlapSeconds: null }]) {
      const reply = await rotate(await givenWebhook(service), body);
      expect(reply.status, reply.text).toBe(200);
      const [, former] = reply.json.data.secrets;
      expect(Math.abs(secondsFromNow(former.expiresAt) - day)).toBeLessThan(60);
    }
  });

  test('ends the old secret immediately with an overlap of 0', async () => {
    const webhook = await givenWebhook(service);
    const { data } = (await rotate(webhook, { overlapSeconds: 0 })).json;
    expect(data.secrets).toEqual([{ createdAt: expect.any(String), expiresAt: null }]);
    expect((await webhookNow(service, webhook)).secrets).toEqual(data.secrets);
  });

  test('keeps only one secret besides the new one', async () => {
    const webhook = await givenWebhook(service);
    await rotate(webhook, { overlapSeconds: 600 });
    const { secrets } = (await rotate(webhook, { overlapSeconds: 30 * day })).json.data;
    const left = secrets.map(({ expiresAt }: { expiresAt: string | null }) =>
      expiresAt === null ? null : Math.round(secondsFromNow(expiresAt) / 100) * 100,
    );
    expect(left).toEqual([null, 30 * day]);
  });

  test('rejects an invalid overlap, and rotates nothing', async () => {
    const webhook = await givenWebhook(service);
    for (const [body, detail] of [
      [{ overlapSeconds: -1 }, /^"overlapSeconds" must be a whole number from 0 to 2592000/],
      [{ overlapSeconds: 30 * day + 1 }, /^"overlapSeconds" must be a whole number from 0/],
      [{ secret: 'whsec_x' }, /^"secret" is not a field .* Use overlapSeconds\.$/],
    ] as const) {
      expectFailure(await rotate(webhook, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    }
    expect((await webhookNow(service, webhook)).secrets).toEqual(webhook.data.secrets);
  });
});

test('a secret is shown once: in no later reply, table or log', async () => {
  const webhook = await givenWebhook(service);
  const rotated = (await rotate(webhook, {})).json.data.secret;
  const later = [
    await service.get(webhook.path),
    await service.get('/service/webhooks?limit=200'),
    await service.request('PATCH', webhook.path, { body: { description: 'X' } }),
    await service.request('POST', `${webhook.path}/replay`, { body: { fromSequence: 1 } }),
    await service.get('/service/access-events?limit=200'),
    await service.request('DELETE', webhook.path),
  ];
  expect(later.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  for (const secret of [webhook.secret, rotated]) {
    // Without its prefix, and as the bytes it encodes.
    const bare = secret.slice('whsec_'.length);
    const bytes = Buffer.from(bare, 'base64').toString('hex');
    for (const text of [bare, bytes]) {
      for (const reply of later) expect(reply.text).not.toContain(text);
      expect(await tablesHolding(service, text)).toEqual([]);
      expect(service.logs).not.toContain(text);
    }
  }
  expect(service.logs).toContain('/service/webhooks/:id/rotate');
});

test('a secret is encrypted for its own row and cannot be decrypted for another', async () => {
  const [one, two] = [await givenWebhook(service), await givenWebhook(service)];
  const { rows } = await service.database.pool.query<{ id: string; secret: Buffer }>(
    'SELECT id, secret FROM webhook_secrets WHERE webhook_id = ANY ($1) ORDER BY id',
    [[one.id, two.id]],
  );
  const [first, second] = rows as [{ id: string; secret: Buffer }, { id: string; secret: Buffer }];
  const { cipher } = service.context;
  expect(cipher.decrypt(first.secret, first.id)).toBe(one.secret);
  expect(() => cipher.decrypt(first.secret, second.id)).toThrow();
});
