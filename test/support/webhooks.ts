import { afterAll, beforeAll } from 'vitest';
import { measures } from './metrics.js';
import type { TestService } from './service.js';
import { openWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from './webhook-receiver.js';

/** Lets nodes reach receivers on this machine, without delay and with short pauses between retries, and count attempts. */
export const eagerEvents = {
  ...measures,
  ROLLCALL_WEBHOOK_TARGETS: 'any',
  ROLLCALL_WEBHOOKS_AT_ONCE: '20',
  ROLLCALL_EVENT_POLL_MS: '20',
  ROLLCALL_WEBHOOK_PAUSE_MS: '30',
  ROLLCALL_WEBHOOK_PAUSE_MAX_MS: '60',
};

/** Sends nothing. The default in tests, unless they include `eagerEvents`. */
export const sendsNoWebhooks = { ROLLCALL_WEBHOOKS_AT_ONCE: '0' };

export interface GivenWebhook {
  readonly id: string;
  readonly path: string;
  readonly secret: string;
  /** The reply to the create. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly data: any;
}

/** A public IP address, so that no name is resolved. Only for services that send nothing. */
export const aUrl = 'https://93.184.215.14/hooks';

export async function givenWebhook(
  service: TestService,
  settings: Record<string, unknown> = {},
): Promise<GivenWebhook> {
  const reply = await service.post('/service/webhooks', { url: aUrl, ...settings });
  if (reply.status !== 201) throw new Error(`the webhook was not created: ${reply.text}`);
  const { data } = reply.json;
  return { id: data.id, path: `/service/webhooks/${data.id}`, secret: data.secret, data };
}

/** A service without webhooks looks for new ones only every two seconds. With one, it looks all the time. */
export function keepsLooking(service: TestService): void {
  let receiver: WebhookReceiver | undefined;
  let webhook: GivenWebhook | undefined;
  beforeAll(async () => {
    receiver = await openWebhookReceiver();
    webhook = await givenWebhook(service, { url: receiver.url, batchMax: 1_000 });
  });
  afterAll(async () => {
    if (webhook) await service.request('DELETE', webhook.path);
    await receiver?.stop();
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
export async function webhookNow(service: TestService, { path }: Pick<GivenWebhook, 'path'>): Promise<any> {
  return (await service.get(path)).json.data;
}

/** The events in one message. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
export function eventsOf({ json }: Pick<ReceivedWebhook, 'json'>): any[] {
  return json.type === 'batch' ? json.data.events : [json];
}

/** The sequence numbers of all received events, in order. */
export function sequencesOf(requests: readonly ReceivedWebhook[]): number[] {
  return requests.flatMap(eventsOf).map(({ data }) => data.sequence);
}

export function idsOf({ requests }: WebhookReceiver): string[] {
  return requests.map(({ headers }) => String(headers['webhook-id']));
}

/** The numbers in the change log after a position, in order. */
export async function loggedAfter(
  service: TestService,
  position: number,
  condition = 'true',
): Promise<number[]> {
  const { rows } = await service.database.pool.query<{ seq: string }>(
    `SELECT seq FROM changes WHERE seq > $1 AND ${condition} ORDER BY seq`,
    [position],
  );
  return rows.map(({ seq }) => Number(seq));
}

/** Writes to the change log without changing users. Returns the sequence numbers. */
export async function givenChanges(
  { database }: Pick<TestService, 'database'>,
  count: number,
  { kind = 'deleted', fields = '{}' }: { kind?: string; fields?: string } = {},
): Promise<number[]> {
  const { rows } = await database.pool.query<{ seq: string }>(
    `INSERT INTO changes (kind, user_serial, version, employee_id, fields)
     SELECT $2, gen_random_uuid(), 1, 'E' || i, $3::json FROM generate_series(1, $1) AS i RETURNING seq`,
    [count, kind, fields],
  );
  return rows.map(({ seq }) => Number(seq)).toSorted((one, other) => one - other);
}
