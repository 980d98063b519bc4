import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { metricOf } from '../../support/metrics.js';
import { noticesAbout } from '../../support/notices.js';
import { givenHolder } from '../../support/protected-users.js';
import { anItem, newId, type Reply, useService } from '../../support/service.js';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.js';
import {
  eagerEvents,
  eventsOf,
  type GivenWebhook,
  givenChanges,
  givenWebhook,
  idsOf,
  keepsLooking,
  sequencesOf,
  webhookNow,
} from '../../support/webhooks.js';

const service = useService(eagerEvents);

keepsLooking(service);

/** A webhook with a receiver, both removed at the end of the test. */
async function givenBoth(
  settings: Record<string, unknown> = {},
): Promise<{ receiver: WebhookReceiver; webhook: GivenWebhook }> {
  const receiver = await startWebhookReceiver();
  const webhook = await givenWebhook(service, { url: receiver.url, ...settings });
  onTestFinished(async () => {
    await service.request('DELETE', webhook.path);
  });
  return { receiver, webhook };
}

const patch = ({ path }: GivenWebhook, body: unknown) => service.request('PATCH', path, { body });

const replay = ({ path }: GivenWebhook, fromSequence: number | undefined): Promise<Reply> =>
  service.post(`${path}/replay`, { fromSequence });

/** Whether the Standard Webhooks library of a receiver accepts the message. */
function isVerified(secret: string, { body, headers }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('a message', () => {
  test('is a POST of the event, signed as Standard Webhooks requires', async () => {
    const { receiver, webhook } = await givenBoth();
    await patch(webhook, { url: `${receiver.url}?tenant=7` });
    const { serial, employeeID } = await service.givenUser();
    await expect.poll(() => receiver.requests.length).toBe(1);
    const [message] = receiver.requests as [ReceivedWebhook];
    const { sequence } = message.json.data;
    expect(message).toMatchObject({ method: 'POST', path: '/webhooks?tenant=7' });
    expect(message.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Rollcall\/\d/),
      'webhook-id': `evt_${sequence}`,
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(Math.abs(Date.now() / 1000 - Number(message.headers['webhook-timestamp']))).toBeLessThan(60);
    expect(isVerified(webhook.secret, message)).toBe(true);
    expect(message.json).toMatchObject({
      type: 'user.created',
      data: { types: ['user.created'], userSerial: serial, employeeID, version: 1 },
    });
    await expect.poll(async () => (await webhookNow(service, webhook)).deliveredUpTo).toBe(sequence);
    const { lastDeliveryAt } = await webhookNow(service, webhook);
    expect(Math.abs(Date.now() - Date.parse(lastDeliveryAt))).toBeLessThan(60_000);
  });

  test('names attributes by their keys, and never contains sensitive ones', async () => {
    const { receiver } = await givenBoth();
    const keys = [newId('a'), newId('b')].map((id) => id.replace(/[^A-Za-z0-9]/g, ''));
    const [open, hidden] = keys as [string, string];
    await service.post('/service/attributes', { key: open, type: 'text' });
    await service.post('/service/attributes', { key: hidden, type: 'number', isSensitive: true });
    await service.givenUser({ attributes: { [open]: 'Sales', [hidden]: 424242 } });
    await expect.poll(() => receiver.requests.length).toBe(1);
    const [message] = receiver.requests as [ReceivedWebhook];
    expect(message.json.data.fields.attributes.after).toEqual({ [open]: 'Sales' });
    expect(message.body).not.toContain('424242');
  });

  test('contains all waiting events, up to the batch size', async () => {
    const { receiver, webhook } = await givenBoth({ batchMax: 4 });
    const numbers = await givenChanges(service, 9);
    await expect.poll(() => sequencesOf(receiver.requests).length).toBe(9);
    expect(sequencesOf(receiver.requests)).toEqual(numbers);
    const [first, second, third] = receiver.requests as [ReceivedWebhook, ReceivedWebhook, ReceivedWebhook];
    expect(first.json).toEqual({
      type: 'batch',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { events: expect.any(Array) },
    });
    expect([first, second, third].map((message) => eventsOf(message).length)).toEqual([4, 4, 1]);
    expect(third.json.type, 'one alone is no batch').toBe('user.deleted');
    expect(idsOf(receiver)).toEqual([
      `evt_${numbers[0]}-${numbers[3]}`,
      `evt_${numbers[4]}-${numbers[7]}`,
      `evt_${numbers[8]}`,
    ]);
    for (const message of receiver.requests) expect(isVerified(webhook.secret, message)).toBe(true);
  });

  test('contains only the requested types, and other events advance the webhook unsent', async () => {
    const { receiver, webhook } = await givenBoth({ eventTypes: ['user.deactivated', 'user.updated'] });
    const user = await service.givenUser();
    await service.updateBulk([anItem(user, { newEmployeeID: newId(), isActive: false })]);
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect(receiver.requests[0]?.json).toMatchObject({
      type: 'user.deactivated',
      data: { types: ['user.renamed', 'user.deactivated', 'user.updated'], userSerial: user.serial },
    });
    // The entry of the call follows it.
    const last = receiver.requests[0]?.json.data.sequence + 1;
    await expect.poll(async () => (await webhookNow(service, webhook)).deliveredUpTo).toBe(last);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a receiver that', () => {
  test('fails gets the same message again, and the next ones after it accepts', async () => {
    const attempts = (outcome: string) =>
      metricOf(service, `rollcall_webhook_attempts_total{outcome="${outcome}"}`);
    const before = { failed: await attempts('failed'), delivered: await attempts('delivered') };
    const { receiver, webhook } = await givenBoth();
    receiver.behaviour = 500;
    const first = await givenChanges(service, 3);
    await expect.poll(async () => (await webhookNow(service, webhook)).attempts).toBeGreaterThanOrEqual(2);
    const then = await givenChanges(service, 2);
    expect(await webhookNow(service, webhook)).toMatchObject({
      isActive: true,
      lastError: 'The receiver responded with 500.',
      failingSince: expect.any(String),
      nextAttemptAt: expect.any(String),
      deliveredUpTo: (first[0] ?? 0) - 1,
    });
    receiver.behaviour = 204;
    await expect.poll(() => sequencesOf(receiver.requests).at(-1)).toBe(then[1]);
    const ids = idsOf(receiver);
    const messages = [`evt_${first[0]}-${first[2]}`, `evt_${then[0]}-${then[1]}`];
    expect(ids.length).toBeGreaterThanOrEqual(4);
    expect(ids).toEqual([...Array(ids.length - 1).fill(messages[0]), messages[1]]);
    expect(new Set(receiver.requests.slice(0, -1).map(({ body }) => body)).size).toBe(1);
    await expect
      .poll(() => webhookNow(service, webhook))
      .toMatchObject({
        attempts: 0,
        lastError: null,
        failingSince: null,
        nextAttemptAt: null,
        deliveredUpTo: then[1],
      });
    expect(await attempts('failed')).toBeGreaterThanOrEqual(before.failed + 2);
    expect(await attempts('delivered')).toBeGreaterThanOrEqual(before.delivered + 2);
  });

  test('sends Retry-After gets that pause, unless the webhook is reactivated', async () => {
    const { receiver, webhook } = await givenBoth();
    receiver.behaviour = 503;
    receiver.headers = { 'retry-after': '600' };
    const numbers = await givenChanges(service, 1);
    await expect.poll(async () => (await webhookNow(service, webhook)).attempts).toBe(1);
    const { nextAttemptAt } = await webhookNow(service, webhook);
    expect(Math.abs((Date.parse(nextAttemptAt) - Date.now()) / 1000 - 600)).toBeLessThan(60);
    receiver.behaviour = 204;
    for (const isActive of [false, true]) await patch(webhook, { isActive });
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([...numbers, ...numbers]);
  });

  test('responds with 410 gets nothing more until reactivated, and then all it missed', async () => {
    const administrator = await givenHolder(service);
    const { receiver, webhook } = await givenBoth();
    const other = await givenBoth();
    receiver.behaviour = 410;
    const first = await givenChanges(service, 1);
    await expect
      .poll(() => webhookNow(service, webhook))
      .toMatchObject({
        isActive: false,
        disabledBecause: 'The receiver answered 410 Gone.',
        nextAttemptAt: null,
      });
    const told = (await noticesAbout(service, webhook.id)).map(({ userSerial }) => userSerial);
    expect(told).toContain(administrator.serial);
    receiver.behaviour = 204;
    const missed = await givenChanges(service, 2);
    await expect.poll(() => sequencesOf(other.receiver.requests)).toEqual([...first, ...missed]);
    expect(receiver.requests).toHaveLength(1);
    await patch(webhook, { isActive: true });
    await expect.poll(() => sequencesOf(receiver.requests.slice(1))).toEqual([...first, ...missed]);
    expect(await webhookNow(service, webhook)).toMatchObject({ isActive: true, disabledBecause: null });
  });
});

describe('a webhook that', () => {
  test('is replayed gets all events from that position again, in order, and then new ones', async () => {
    const { receiver, webhook } = await givenBoth({ batchMax: 2 });
    const numbers = await givenChanges(service, 5);
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual(numbers);
    expect((await replay(webhook, numbers[2])).status).toBe(200);
    const [next] = await givenChanges(service, 1);
    await expect
      .poll(() => sequencesOf(receiver.requests))
      .toEqual([...numbers, numbers[2], numbers[3], numbers[4], next]);
  });

  test('rotates its secret is signed with both during the overlap, and then only with the new one', async () => {
    const { receiver, webhook } = await givenBoth();
    const rotate = async (overlapSeconds: number) =>
      (await service.post(`${webhook.path}/rotate`, { overlapSeconds })).json.data.secret;
    const verifying = async (...secrets: string[]) => {
      const count = receiver.requests.length;
      await givenChanges(service, 1);
      await expect.poll(() => receiver.requests.length).toBe(count + 1);
      const message = receiver.requests.at(-1) as ReceivedWebhook;
      return secrets.map((secret) => isVerified(secret, message));
    };
    const second = await rotate(3_600);
    expect(await verifying(webhook.secret, second)).toEqual([true, true]);
    const third = await rotate(3_600);
    expect(await verifying(webhook.secret, second, third)).toEqual([false, true, true]);
    const last = await rotate(0);
    expect(await verifying(webhook.secret, second, third, last)).toEqual([false, false, false, true]);
  });

  test('is inactive or deleted gets nothing, and the missed events once activated', async () => {
    const [inactive, deleted, other] = [await givenBoth(), await givenBoth(), await givenBoth()];
    await patch(inactive.webhook, { isActive: false });
    await service.request('DELETE', deleted.webhook.path);
    const numbers = await givenChanges(service, 3);
    await expect.poll(() => sequencesOf(other.receiver.requests)).toEqual(numbers);
    expect([...inactive.receiver.requests, ...deleted.receiver.requests]).toEqual([]);
    await patch(inactive.webhook, { isActive: true });
    await expect.poll(() => sequencesOf(inactive.receiver.requests)).toEqual(numbers);
  });
});

test('logs contain no secret, URL path or response of a receiver', async () => {
  const path = newId('path-as-secret-');
  const { receiver, webhook } = await givenBoth();
  receiver.body = newId('said-by-the-receiver-');
  receiver.behaviour = 500;
  await patch(webhook, { url: `${receiver.url}/${path}` });
  await givenChanges(service, 1);
  await expect.poll(async () => (await webhookNow(service, webhook)).attempts).toBeGreaterThanOrEqual(2);
  expect(service.logs).toContain('webhook not delivered, retrying later');
  for (const secret of [path, webhook.secret.slice('whsec_'.length), receiver.body]) {
    expect(service.logs).not.toContain(secret);
    expect(JSON.stringify((await webhookNow(service, webhook)).lastError)).not.toContain(secret);
  }
});

test('a test sends a signed message once, which is no event, and reports the response', async () => {
  const receiver = await startWebhookReceiver();
  const webhook = await givenWebhook(service, { url: receiver.url, eventTypes: ['user.erased'] });
  const { deliveredUpTo: _, lastDeliveryAt: __, ...before } = await webhookNow(service, webhook);
  const reply = await service.request('POST', `${webhook.path}/test`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.data).toEqual({
    ...{ delivered: true, statusCode: 204, reason: null },
    durationMs: expect.any(Number),
  });
  const [message] = receiver.requests;
  expect(receiver.requests).toHaveLength(1);
  expect(message?.json).toMatchObject({ type: 'webhook.test', data: { webhookId: webhook.id } });
  expect(message && isVerified(webhook.secret, message)).toBe(true);
  expect(await webhookNow(service, webhook)).toMatchObject(before);
  const events = await service.get('/service/access-events?kind=webhook.tested');
  expect(events.json.data.items[0]).toMatchObject({ detail: { webhookId: webhook.id } });
});

test('a test reports why it was not delivered, and does not disable the webhook', async () => {
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
