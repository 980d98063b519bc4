import { describe, expect, onTestFinished, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { type Reply, useService } from '../../support/service.js';
import {
  type GivenWebhook,
  givenChanges,
  givenWebhook,
  sendsNoWebhooks,
  webhookNow,
} from '../../support/webhooks.js';

const service = useService(sendsNoWebhooks);

function replay({ path }: GivenWebhook, body: unknown): Promise<Reply> {
  return service.request('POST', `${path}/replay`, { body });
}

async function lastNumber(): Promise<number> {
  return (await givenChanges(service, 1))[0] ?? 0;
}

describe('POST /service/webhooks/{id}/replay', () => {
  test('moves the webhook to before the event and returns it', async () => {
    const [first = 0] = await givenChanges(service, 3);
    const webhook = await givenWebhook(service);
    const reply = await replay(webhook, { fromSequence: first });
    expect(reply.status, reply.text).toBe(200);
    const { secret: _, ...shown } = webhook.data;
    const data = { ...shown, deliveredUpTo: first - 1 };
    expect(reply.json).toEqual({ status: 'success', message: 'Events are sent again.', data });
    expect(await webhookNow(service, webhook)).toEqual(data);
  });

  test('accepts any number from the first event to the next one', async () => {
    const webhook = await givenWebhook(service);
    const last = await lastNumber();
    for (const fromSequence of [1, last, last + 1]) {
      const reply = await replay(webhook, { fromSequence });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.json.data.deliveredUpTo).toBe(fromSequence - 1);
    }
  });

  test('rejects a future number with 410 and keeps the position', async () => {
    const last = await lastNumber();
    const webhook = await givenWebhook(service);
    for (const fromSequence of [last + 2, Number.MAX_SAFE_INTEGER]) {
      const reply = await replay(webhook, { fromSequence });
      const detail = new RegExp(
        `^Event ${fromSequence} is not available\\. Choose one from \\d+ to ${last}\\.$`,
      );
      expectFailure(reply, 410, 10331, 'EVENTS_PRUNED', detail);
    }
    expect((await webhookNow(service, webhook)).deliveredUpTo).toBe(last);
  });

  test('rejects pruned events with 410 and accepts the oldest available', async () => {
    const [first = 0] = await givenChanges(service, 3);
    const webhook = await givenWebhook(service);
    await service.database.pool.query('UPDATE change_log SET pruned_to = $1', [first]);
    onTestFinished(async () => {
      await service.database.pool.query('UPDATE change_log SET pruned_to = 0');
    });
    for (const fromSequence of [1, first]) {
      const reply = await replay(webhook, { fromSequence });
      const detail = new RegExp(
        `^Event ${fromSequence} is not available\\. Choose one from ${first + 1} to ${first + 2}`,
      );
      expectFailure(reply, 410, 10331, 'EVENTS_PRUNED', detail);
    }
    expect((await replay(webhook, { fromSequence: first + 1 })).status).toBe(200);
  });

  test.each<[string, unknown, RegExp]>([
    ['no number', {}, /^"fromSequence" is required. It must be a whole number from 1 to 9007199254740991\.$/],
    ['null', { fromSequence: null }, /^"fromSequence" is required/],
    ['0', { fromSequence: 0 }, /^"fromSequence" must be a whole number from 1/],
    ['a negative number', { fromSequence: -5 }, /^"fromSequence" must be a whole number from 1/],
    ['a fraction', { fromSequence: 1.5 }, /^"fromSequence" must be a whole number from 1/],
    ['a number that overflows', { fromSequence: 1e300 }, /^"fromSequence" must be a whole number from 1/],
    ['text', { fromSequence: '1' }, /^"fromSequence" must be a whole number from 1/],
    ['a list', { fromSequence: [1] }, /^"fromSequence" must be a whole number from 1/],
    [
      'an end position',
      { fromSequence: 1, toSequence: 2 },
      /^"toSequence" is not a field .* Use fromSequence\.$/,
    ],
    ['an array', [1], /^The body must be a JSON object, not an array\.$/],
  ])('rejects %s with 400', async (_, body, detail) => {
    const webhook = await givenWebhook(service);
    expectFailure(await replay(webhook, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect((await webhookNow(service, webhook)).deliveredUpTo).toBe(webhook.data.deliveredUpTo);
  });

  test('keeps an inactive webhook inactive and sends the events once it is activated', async () => {
    const [first = 0] = await givenChanges(service, 2);
    const webhook = await givenWebhook(service);
    await service.request('PATCH', webhook.path, { body: { isActive: false } });
    const { data } = (await replay(webhook, { fromSequence: first })).json;
    expect(data).toMatchObject({ isActive: false, deliveredUpTo: first - 1 });
  });
});
