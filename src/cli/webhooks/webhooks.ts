import type { RequestBody, Schemas } from '#client';
import type { EventType } from '../../contract/enums.js';
import type { RotateOptions } from '../clients/clients.js';
import {
  type JsonOption,
  type ListOptions,
  pageLimit,
  printJson,
  printList,
  printMessage,
  printRecord,
} from '../output.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { connectInteractive } from '../session/connect.js';
import { formatSecrets, formatTime } from '../terminal/format-time.js';
import { duration } from '../terminal/numbers.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { sanitize } from '../terminal/text-width.js';

interface WebhookSettings {
  readonly events?: EventType[] | undefined;
  readonly description?: string | undefined;
  readonly batchMax?: number | undefined;
}

type Webhook = Schemas['Webhook'];

/** `rollcall webhooks create URL` */
export async function createWebhook(url: string, options: WebhookSettings & JsonOption): Promise<void> {
  const body = { url, ...settingsOf(options) };
  const created = await connectInteractive().call('createWebhook', { body });
  printWithSecret(created.body.data, options);
}

/** `rollcall webhooks list` */
export async function listWebhooks(options: ListOptions): Promise<void> {
  const webhooks = connectInteractive().each('listWebhooks', { query: { limit: pageLimit(options) } });
  await printList<Webhook>(webhooks, options, {
    headings: ['ID', 'URL', 'STATUS', 'UP TO', 'DESCRIPTION'],
    row: (webhook) => [
      webhook.id,
      webhook.url,
      webhookStatus(webhook),
      String(webhook.deliveredUpTo),
      webhook.description ?? '',
    ],
    empty: 'No webhooks. To create one, see rollcall webhooks create --help.',
  });
}

/** `rollcall webhooks get ID` */
export async function getWebhook(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('getWebhook', { path: { id } });
  printRecord(body.data, options, formatWebhook);
}

interface UpdateWebhookOptions extends WebhookSettings, JsonOption {
  readonly url?: string | undefined;
  readonly active?: boolean | undefined;
}

/** `rollcall webhooks update ID` */
export async function updateWebhook(id: string, options: UpdateWebhookOptions): Promise<void> {
  const { url, active } = options;
  const body = {
    ...settingsOf(options),
    ...(url === undefined ? {} : { url }),
    ...(active === undefined ? {} : { isActive: active }),
  };
  if (Object.keys(body).length === 0) {
    throw new CommandProblem(
      'wrongUse',
      'Nothing to update. See rollcall webhooks update --help for the options.',
    );
  }
  const updated = await connectInteractive().call('updateWebhook', { path: { id }, body });
  printRecord(updated.body.data, options, formatWebhook);
}

/** `rollcall webhooks rotate ID` */
export async function rotateWebhookSecret(
  id: string,
  { overlapSeconds, json }: RotateOptions,
): Promise<void> {
  const { body } = await connectInteractive().call('rotateWebhookSecret', {
    path: { id },
    body: overlapSeconds === undefined ? {} : { overlapSeconds },
  });
  printWithSecret(body.data, { json });
}

interface ReplayOptions extends JsonOption {
  readonly from?: number | undefined;
  readonly since?: string | undefined;
}

/** `rollcall webhooks replay ID [--since TIME | --from SEQUENCE]` */
export async function replayWebhook(id: string, options: ReplayOptions): Promise<void> {
  const { from, since } = options;
  const body = { ...(from !== undefined && { fromSequence: from }), ...(since !== undefined && { since }) };
  const replayed = await connectInteractive().call('replayWebhook', { path: { id }, body });
  printRecord(replayed.body.data, options, formatWebhook);
}

type WebhookTest = Schemas['WebhookTestReply']['data'];

/** `rollcall webhooks test ID` */
export async function testWebhook(id: string, options: JsonOption): Promise<CommandResult> {
  const tested = await connectInteractive().call('testWebhook', { path: { id } });
  printRecord(tested.body.data, options, formatTest);
  return tested.body.data.delivered ? 'done' : 'someFailed';
}

type WebhookDelivery = Schemas['WebhookDelivery'];

interface DeliveriesOptions extends ListOptions {
  readonly failed?: boolean | undefined;
}

/** `rollcall webhooks deliveries ID` */
export async function listWebhookDeliveries(id: string, options: DeliveriesOptions): Promise<void> {
  const query = { limit: pageLimit(options), ...(options.failed && { isDelivered: false }) };
  const deliveries = connectInteractive().each('listWebhookDeliveries', { path: { id }, query });
  await printList<WebhookDelivery>(deliveries, options, {
    headings: ['ID', 'TIME', 'EVENT', 'EVENTS', 'ATTEMPT', 'STATUS', 'MS', 'REASON'],
    row: (delivery) => [
      ...[delivery.id, formatTime(delivery.at), delivery.eventType, String(delivery.sequences.length)],
      ...[String(delivery.attempt), statusOf(delivery), String(delivery.durationMs), delivery.reason ?? ''],
    ],
    empty: 'Nothing was sent to this webhook in the last seven days.',
  });
}

/** `rollcall webhooks resend ID DELIVERY` */
export async function resendWebhookDelivery(
  id: string,
  deliveryId: string,
  options: JsonOption,
): Promise<CommandResult> {
  const { body } = await connectInteractive().call('resendWebhookDelivery', { path: { id, deliveryId } });
  printRecord(body.data, options, ({ isDelivered, statusCode, reason, response, durationMs }) => [
    ...formatTest({ delivered: isDelivered, statusCode, reason, durationMs }),
    ...(response === null ? [] : [['Body', response] as const]),
  ]);
  return body.data.isDelivered ? 'done' : 'someFailed';
}

function statusOf({ statusCode }: Pick<WebhookDelivery, 'statusCode'>): string {
  return statusCode === null ? 'none' : String(statusCode);
}

interface DeleteWebhookOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall webhooks delete ID` */
export async function deleteWebhook(id: string, { yes, json }: DeleteWebhookOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { body } = await rollcall.call('getWebhook', { path: { id } });
  await confirmOrAbort(`Delete the webhook to ${sanitize(body.data.url)}? This cannot be undone.`, yes);
  const deleted = await rollcall.call('deleteWebhook', { path: { id } });
  if (json) printJson(deleted.body.data);
  else printMessage('Webhook deleted.');
}

/** The given options by their API names. An empty description clears it. */
function settingsOf({
  events,
  description,
  batchMax,
}: WebhookSettings): Partial<RequestBody<'createWebhook'>> {
  return {
    ...(events === undefined ? {} : { eventTypes: events }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(batchMax === undefined ? {} : { batchMax }),
  };
}

function formatWebhook(webhook: Webhook): [name: string, value: string][] {
  return [
    ['ID', webhook.id],
    ['URL', webhook.url],
    ['description', webhook.description ?? ''],
    ['events', webhook.eventTypes.join(', ')],
    ['batch size', `up to ${webhook.batchMax} events`],
    ['status', webhookStatus(webhook)],
    ['delivered up to', String(webhook.deliveredUpTo)],
    ['last delivery', formatTime(webhook.lastDeliveryAt)],
    ['next attempt', formatTime(webhook.nextAttemptAt)],
    ['last error', webhook.lastError ?? ''],
    ['created', formatTime(webhook.createdAt)],
    ['secrets', formatSecrets(webhook.secrets)],
  ];
}

function webhookStatus({ isActive, disabledBecause, failingSince }: Webhook): string {
  if (!isActive) return disabledBecause === null ? 'disabled' : `disabled: ${disabledBecause}`;
  return failingSince === null ? 'active' : `failing since ${formatTime(failingSince)}`;
}

function printWithSecret(webhook: Webhook & { secret: string }, options: JsonOption): void {
  printRecord(webhook, options, () => [...formatWebhook(webhook), ['secret', webhook.secret]]);
  printMessage('The secret will not be shown again. The receiver needs it to verify signatures.');
}

function formatTest({ delivered, statusCode, reason, durationMs }: WebhookTest): [string, string][] {
  return [
    ['Delivered', delivered ? 'yes' : 'no'],
    ...(statusCode === null ? [] : [['Response', String(statusCode)] as [string, string]]),
    ...(reason === null ? [] : [['Reason', reason] as [string, string]]),
    ['Took', duration(durationMs)],
  ];
}
