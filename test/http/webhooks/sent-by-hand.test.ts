import { expect, onTestFinished, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { useService } from '../../support/service.js';
import { startWebhookReceiver } from '../../support/webhook-receiver.js';
import { eagerEvents, givenWebhook, keepsLooking, webhookNow } from '../../support/webhooks.js';

const hourMs = '3600000';
const service = useService({
  ...eagerEvents,
  ROLLCALL_WEBHOOK_PAUSE_MS: hourMs,
  ROLLCALL_WEBHOOK_PAUSE_MAX_MS: hourMs,
});

keepsLooking(service);

/** A webhook that has failed once, and whose receiver has been repaired since. */
async function givenRepaired() {
  const receiver = await startWebhookReceiver();
  receiver.behaviour = 500;
  const webhook = await givenWebhook(service, { url: receiver.url, eventTypes: ['user.created'] });
  onTestFinished(async () => {
    await service.request('DELETE', webhook.path);
  });
  const user = await service.givenUser();
  await expect.poll(async () => (await webhookNow(service, webhook)).attempts).toBe(1);
  receiver.behaviour = 200;
  const post = (path: string, body?: unknown) => service.post(`${webhook.path}${path}`, body);
  const isHealthy = () =>
    expect
      .poll(() => webhookNow(service, webhook))
      .toMatchObject({
        attempts: 0,
        failingSince: null,
        lastError: null,
        lastDeliveryAt: expect.any(String),
      });
  return { receiver, webhook, user, post, isHealthy };
}

test('after a test or a resend is delivered, or on request, what waits is tried at once', async () => {
  const tested = await givenRepaired();
  expect((await tested.post('/test')).json.data).toMatchObject({ delivered: true });
  await tested.isHealthy();

  const resent = await givenRepaired();
  const { items } = (await service.get(`${resent.webhook.path}/deliveries`)).json.data;
  const { serial, employeeID } = resent.user;
  expect(items[0]).toMatchObject({ users: 1, user: { serial, employeeID } });
  expect(items[0].user.fields).toContain('name');
  expect((await resent.post(`/deliveries/${items[0].id}/resend`)).json.data).toMatchObject({
    isDelivered: true,
  });
  await resent.isHealthy();

  const asked = await givenRepaired();
  expect((await asked.post('/replay', {})).json.data).toMatchObject({ attempts: 1 });
  await asked.isHealthy();
});

test('a test that fails leaves the next attempt as it is', async () => {
  const { receiver, webhook, post } = await givenRepaired();
  const before = await webhookNow(service, webhook);
  receiver.behaviour = 500;
  await post('/test');
  expect(await webhookNow(service, webhook)).toEqual(before);
  expect(before).toMatchObject({ lastDeliveryAt: null });
});

test('events can be sent again from a time on', async () => {
  const { receiver, webhook, post, isHealthy } = await givenRepaired();
  await post('/test');
  await isHealthy();
  const since = new Date().toISOString();
  const later = await service.givenUser();
  const isReceived = async () =>
    expect
      .poll(() => receiver.requests.filter(({ body }) => body.includes(later.serial)).length)
      .toBeGreaterThan(0);
  await isReceived();
  receiver.requests.length = 0;
  expect((await post('/replay', { since })).status).toBe(200);
  await isReceived();
  expect(receiver.requests).toHaveLength(1);
  const { deliveredUpTo } = await webhookNow(service, webhook);
  const future = await post('/replay', { since: '2999-01-01T00:00:00Z' });
  expect(future.json.data.deliveredUpTo).toBeGreaterThanOrEqual(deliveredUpTo);
  const both = await post('/replay', { since, fromSequence: 1 });
  expect(both.json.data.deliveredUpTo, 'the later of both').toBeGreaterThan(0);
  const invalid = await post('/replay', { since: 'yesterday' });
  expectFailure(invalid, 400, 10004, 'REQUEST_BODY_INVALID', /"since" must be a time with an offset/);
});
