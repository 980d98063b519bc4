import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { useService } from '../../support/service.js';
import { startWebhookReceiver } from '../../support/webhook-receiver.js';
import { eagerEvents, givenWebhook, webhookNow } from '../../support/webhooks.js';

const service = useService(eagerEvents);

test('sends a signed message once, which is no event, and reports the response', async () => {
  const receiver = await startWebhookReceiver();
  const webhook = await givenWebhook(service, { url: receiver.url, eventTypes: ['user.erased'] });
  const { deliveredUpTo: _, ...before } = await webhookNow(service, webhook);
  const reply = await service.request('POST', `${webhook.path}/test`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.data).toEqual({
    ...{ delivered: true, statusCode: 204, reason: null },
    durationMs: expect.any(Number),
  });
  const [message] = receiver.requests;
  expect(receiver.requests).toHaveLength(1);
  expect(message?.json).toMatchObject({ type: 'webhook.test', data: { webhookId: webhook.id } });
  const {
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': signature,
  } = message?.headers ?? {};
  const key = Buffer.from(webhook.secret.replace('whsec_', ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${at}.${message?.body}`).digest('base64');
  expect(signature).toBe(`v1,${signed}`);
  expect(await webhookNow(service, webhook)).toMatchObject(before);
  const events = await service.get('/service/access-events?kind=webhook.tested');
  expect(events.json.data.items[0]).toMatchObject({ detail: { webhookId: webhook.id } });
});

test('reports why it was not delivered, and does not disable the webhook', async () => {
  const receiver = await startWebhookReceiver();
  const webhook = await givenWebhook(service, { url: receiver.url, eventTypes: ['user.erased'] });
  receiver.behaviour = 410;
  const gone = await service.request('POST', `${webhook.path}/test`);
  expect(gone.json.data).toMatchObject({
    ...{ delivered: false, statusCode: 410 },
    reason: 'The receiver responded with 410.',
  });
  await receiver.stop();
  const closed = await service.request('POST', `${webhook.path}/test`);
  expect(closed.json.data).toMatchObject({ delivered: false, statusCode: null });
  expect(await webhookNow(service, webhook)).toMatchObject({ isActive: true, attempts: 0, lastError: null });
});

test('fails for a webhook that does not exist', async () => {
  const reply = await service.request('POST', '/service/webhooks/nothing/test');
  expectFailure(reply, 404, 10321, 'WEBHOOK_NOT_FOUND', /No webhook has this ID/);
});
