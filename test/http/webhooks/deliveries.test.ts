import { expect, onTestFinished, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { startWebhookReceiver } from '../../support/webhook-receiver.js';
import { eagerEvents, givenWebhook, keepsLooking, webhookNow } from '../../support/webhooks.js';

const service = useService(eagerEvents);

keepsLooking(service);

async function givenBoth() {
  const receiver = await startWebhookReceiver();
  receiver.behaviour = 500;
  receiver.body = `{"error":"${'unknown door '.repeat(200)}"}`;
  const webhook = await givenWebhook(service, { url: receiver.url, eventTypes: ['user.created'] });
  onTestFinished(async () => {
    await service.request('DELETE', webhook.path);
  });
  // biome-ignore lint/suspicious/noExplicitAny: as sent
  const list = async (query = ''): Promise<any[]> =>
    (await service.get(`${webhook.path}/deliveries${query}`)).json.data.items;
  return { receiver, webhook, list };
}

test('each attempt is kept with its response, and its message can be read and sent again', async () => {
  const { receiver, webhook, list } = await givenBoth();
  const user = await service.givenUser({ name: 'Zebra Crossing' });
  await expect.poll(async () => (await list()).length).toBeGreaterThan(1);
  receiver.behaviour = 200;
  await expect.poll(async () => (await list('?isDelivered=true')).length).toBe(1);
  const failed = (await list('?isDelivered=false')).at(-1);
  expect(failed).toMatchObject({
    ...{ eventType: 'user.created', attempt: 1, isDelivered: false, statusCode: 500, problem: 'responded' },
    ...{ sequences: [expect.any(Number)], durationMs: expect.any(Number) },
    reason: 'The receiver responded with 500.',
  });
  expect(Buffer.byteLength(failed.response)).toBe(1024);
  expect(await webhookNow(service, webhook)).toMatchObject({ lastProblem: null, lastStatusCode: null });

  const path = `${webhook.path}/deliveries/${failed.id}`;
  const { payload } = (await service.get(path)).json.data;
  expect(payload).toBe(receiver.requests[0]?.body);
  const sentBefore = receiver.requests.length;
  const resent = await service.post(`${path}/resend`, undefined);
  expect(resent.json.data).toMatchObject({ attempt: 2, isDelivered: true, statusCode: 200 });
  expect(receiver.requests).toHaveLength(sentBefore + 1);
  expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(receiver.requests[0]?.headers['webhook-id']);
  expect((await list())[0]?.id).toBe(resent.json.data.id);

  await service.request('DELETE', `/service/users/${user.serial}?confirm=1`);
  await expect.poll(async () => (await list()).every(({ response }) => response === null)).toBe(true);
  expect((await service.get(path)).text).not.toContain('Zebra Crossing');
});

test('only the last hundred are kept', async () => {
  const { webhook, list } = await givenBoth();
  await service.givenUser();
  await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
  await service.request('PATCH', webhook.path, { body: { isActive: false } });
  await service.database.pool.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, sequences, attempt, is_delivered, duration_ms, event_type)
     SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, '{1}', n, true, 1, 'user.created'
     FROM generate_series(1, 150) AS n`,
    [webhook.id],
  );
  const [newest] = await list();
  await service.post(`${webhook.path}/deliveries/${newest.id}/resend`, undefined);
  const { rows } = await service.database.pool.query(
    'SELECT count(*)::integer AS kept FROM webhook_deliveries WHERE webhook_id = $1',
    [webhook.id],
  );
  expect(rows[0].kept).toBe(100);
});

test('of no webhook, and none of a webhook, fail', async () => {
  const { webhook } = await givenBoth();
  const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
  const unknown = await service.get(`/service/webhooks/${nobody}/deliveries`);
  expectFailure(unknown, 404, 10321, 'WEBHOOK_NOT_FOUND', /./);
  for (const id of [nobody, newId()]) {
    const reply = await service.get(`${webhook.path}/deliveries/${id}`);
    expectFailure(reply, 404, 10216, 'ACCESS_DELIVERY_NOT_FOUND', /seven days/);
  }
});
