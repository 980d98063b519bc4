import { describe, expect, onTestFinished, test } from 'vitest';
import { eventTypes } from '../../../src/contract/enums.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, type Reply, useService } from '../../support/service.js';
import { type GivenWebhook, givenWebhook, webhookNow } from '../../support/webhooks.js';

const service = useService();

function patch({ path }: Pick<GivenWebhook, 'path'>, body: unknown): Promise<Reply> {
  return service.request('PATCH', path, { body });
}

function shownOf({ data: { secret: _, ...shown } }: GivenWebhook): Record<string, unknown> {
  return shown;
}

/** The access events of a webhook, newest first. */
async function recordedOf({ id }: GivenWebhook): Promise<Record<string, unknown>[]> {
  const { json } = await service.get('/service/access-events?limit=200');
  return json.data.items
    .filter(({ detail }: { detail: { webhookId?: string } }) => detail.webhookId === id)
    .map(({ kind, detail }: Record<string, unknown>) => ({ kind, detail }));
}

/** Simulates failed attempts. */
async function hasFailed({ id }: GivenWebhook, disabledBecause: string | null): Promise<void> {
  await service.database.pool.query(
    `UPDATE webhooks SET attempts = 7, failing_since = now() - interval '1 hour', last_error = 'The receiver responded with 500.',
       next_at = now() + interval '1 hour', disabled_because = $2, disabled_at = CASE WHEN $2::text IS NOT NULL THEN now() END
     WHERE id = $1`,
    [id, disabledBecause],
  );
}

describe('PATCH /service/webhooks/{id} changes only what is sent', () => {
  test('whatever the field', async () => {
    const [webhook, other] = [await givenWebhook(service), await givenWebhook(service)];
    let data = shownOf(webhook);
    for (const change of [
      { url: 'https://93.184.215.15/other' },
      { description: 'Payroll' },
      { eventTypes: ['call.completed', 'user.deleted'] },
      { batchMax: 1_000 },
      { isActive: false },
      { url: 'https://93.184.215.15/', description: 'All', eventTypes: ['user.created'], batchMax: 1 },
    ]) {
      const reply = await patch(webhook, change);
      data = { ...data, ...change };
      expect(reply.json).toEqual({ status: 'success', message: 'Webhook updated.', data });
      expect(await webhookNow(service, webhook)).toEqual(data);
    }
    expect(await webhookNow(service, other)).toEqual(shownOf(other));
  });

  test('null restores the defaults', async () => {
    const given = { description: 'X', eventTypes: ['user.created'], batchMax: 7 };
    const webhook = await givenWebhook(service, given);
    const reply = await patch(webhook, { description: null, eventTypes: null, batchMax: null });
    expect(reply.json.data).toMatchObject({ description: null, eventTypes, batchMax: 100 });
  });

  test('nothing for an empty object, which keeps the attempts and records no event', async () => {
    const webhook = await givenWebhook(service);
    await hasFailed(webhook, null);
    const before = await webhookNow(service, webhook);
    expect((await patch(webhook, {})).json.data).toEqual(before);
    expect((await recordedOf(webhook)).map(({ kind }) => kind)).toEqual(['webhook.created']);
  });
});

describe('PATCH /service/webhooks/{id} on a webhook disabled by the service', () => {
  test('resumes immediately where it stopped if isActive is true', async () => {
    const webhook = await givenWebhook(service);
    await hasFailed(webhook, 'Every attempt has failed for 72 hours.');
    await service.givenUser();
    const { data } = (await patch(webhook, { isActive: true })).json;
    expect(data).toEqual(shownOf(webhook));
  });

  test('keeps it disabled with the reason on other changes', async () => {
    const webhook = await givenWebhook(service);
    await hasFailed(webhook, 'The receiver answered 410 Gone.');
    const { data } = (await patch(webhook, { description: 'To be looked after' })).json;
    expect(data).toMatchObject({
      isActive: false,
      disabledBecause: 'The receiver answered 410 Gone.',
      description: 'To be looked after',
    });
  });
});

test('PATCH /service/webhooks/{id} rejects an invalid field and applies nothing else in the body', async () => {
  const webhook = await givenWebhook(service);
  for (const [body, detail] of [
    [{ url: null }, /^"url" is required/],
    [{ eventTypes: [] }, /^"eventTypes" must be a list of one or more of user\.created, /],
    [{ isActive: null }, /^"isActive" is required. It must be a boolean, true or false\.$/],
    [{ deliveredUpTo: 0 }, /^"deliveredUpTo" is not a field of this operation. Use url/],
    [{ disabledBecause: null }, /^"disabledBecause" is not a field of this operation/],
  ] as const) {
    const reply = await patch(webhook, { description: 'Undone', ...body });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
  }
  expect(await webhookNow(service, webhook)).toEqual(shownOf(webhook));
});

describe('DELETE /service/webhooks/{id}', () => {
  test('returns the ID and deletes the webhook and its secret', async () => {
    const [webhook, other] = [await givenWebhook(service), await givenWebhook(service)];
    const reply = await service.request('DELETE', webhook.path);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Webhook deleted.',
      data: { id: webhook.id },
    });
    expectFailure(await service.get(webhook.path), 404, 10321, 'WEBHOOK_NOT_FOUND', /./);
    const again = await service.request('DELETE', webhook.path);
    expectFailure(again, 404, 10321, 'WEBHOOK_NOT_FOUND', /^No webhook has this ID\.$/);
    const { rows } = await service.database.pool.query('SELECT FROM webhook_secrets WHERE webhook_id = $1', [
      webhook.id,
    ]);
    expect(rows).toEqual([]);
    expect(await webhookNow(service, other)).toEqual(shownOf(other));
  });
});

describe('on an unknown webhook', () => {
  test.each([
    ['PATCH', '', { isActive: true }],
    ['DELETE', '', undefined],
    ['POST', '/rotate', {}],
    ['POST', '/replay', { fromSequence: 1 }],
    ['POST', '/test', undefined],
  ])('%s %s fails with 404 and 10321', async (method, operation, body) => {
    for (const id of ['nothing', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', '%00']) {
      const reply = await service.request(method, `/service/webhooks/${id}${operation}`, { body });
      expectFailure(reply, 404, 10321, 'WEBHOOK_NOT_FOUND', /^No webhook has this ID\.$/);
    }
  });
});

test('access events of a webhook contain the host of the URL, but not its path', async () => {
  const path = newId('path-as-secret-');
  const url = `https://93.184.215.14:8443/${path}?key=${path}`;
  const webhook = await givenWebhook(service, { url, description: 'Doors', eventTypes: ['user.created'] });
  await patch(webhook, { url: `https://93.184.215.15/${path}` });
  await patch(webhook, { isActive: false });
  await service.request('POST', `${webhook.path}/rotate`, { body: { overlapSeconds: 60 } });
  await service.request('POST', `${webhook.path}/replay`, { body: { fromSequence: 1 } });
  await service.request('DELETE', webhook.path);
  const webhookId = webhook.id;
  const recorded = await recordedOf(webhook);
  expect(recorded.toReversed()).toEqual([
    {
      kind: 'webhook.created',
      detail: {
        webhookId,
        host: '93.184.215.14:8443',
        description: 'Doors',
        eventTypes: ['user.created'],
        batchMax: 100,
      },
    },
    { kind: 'webhook.changed', detail: { webhookId, host: '93.184.215.15' } },
    { kind: 'webhook.changed', detail: { webhookId, isActive: false } },
    { kind: 'webhook.secret-rotated', detail: { webhookId, overlapSeconds: 60 } },
    { kind: 'webhook.replayed', detail: { webhookId, fromSequence: 1 } },
    { kind: 'webhook.deleted', detail: { webhookId } },
  ]);
  expect(JSON.stringify(recorded)).not.toContain(path);
  expect(service.logs).not.toContain(path);
});

function replay({ path }: GivenWebhook, body: unknown): Promise<Reply> {
  return service.request('POST', `${path}/replay`, { body });
}

/** Logs this many changes. Returns the number of the first. */
async function changesFrom(count: number): Promise<number> {
  for (let made = 0; made < count; made++) await service.givenUser();
  const { rows } = await service.database.pool.query('SELECT max(seq)::integer AS last FROM changes');
  return rows[0].last - count + 1;
}

describe('POST /service/webhooks/{id}/replay', () => {
  test('moves the webhook to before the event and returns it', async () => {
    const first = await changesFrom(3);
    const webhook = await givenWebhook(service);
    const reply = await replay(webhook, { fromSequence: first });
    expect(reply.status, reply.text).toBe(200);
    const { secret: _, ...shown } = webhook.data;
    const data = { ...shown, deliveredUpTo: first - 1 };
    expect(reply.json).toEqual({ status: 'success', message: 'Events are sent again.', data });
    expect(await webhookNow(service, webhook)).toEqual(data);
  });

  test('accepts any number from the first event to the next one, and rejects a later one with 410', async () => {
    const last = await changesFrom(1);
    const webhook = await givenWebhook(service);
    for (const fromSequence of [1, last, last + 1]) {
      const reply = await replay(webhook, { fromSequence });
      expect([reply.status, reply.json.data.deliveredUpTo]).toEqual([200, fromSequence - 1]);
    }
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
    const first = await changesFrom(3);
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

  test('rejects anything but a number with 400, and keeps the position', async () => {
    const webhook = await givenWebhook(service);
    const rule = /^"fromSequence" must be a whole number from 1/;
    for (const [body, detail] of [
      [{ fromSequence: 0 }, rule],
      [{ fromSequence: 1e300 }, rule],
      [{ fromSequence: '1' }, rule],
      [{ fromSequence: 1, toSequence: 2 }, /^"toSequence" is not a field .* Use fromSequence, since\.$/],
    ] as const) {
      expectFailure(await replay(webhook, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    }
    expect((await webhookNow(service, webhook)).deliveredUpTo).toBe(webhook.data.deliveredUpTo);
  });

  test('keeps an inactive webhook inactive and sends the events once it is activated', async () => {
    const first = await changesFrom(2);
    const webhook = await givenWebhook(service);
    await service.request('PATCH', webhook.path, { body: { isActive: false } });
    const { data } = (await replay(webhook, { fromSequence: first })).json;
    expect(data).toMatchObject({ isActive: false, deliveredUpTo: first - 1 });
  });
});
