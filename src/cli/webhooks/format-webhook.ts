import type { Schemas } from '#client';
import { type JsonOption, printMessage, printRecord } from '../output.js';
import { formatSecrets } from '../terminal/format-secrets.js';
import { formatTime } from '../terminal/format-time.js';

export type Webhook = Schemas['Webhook'];

export function formatWebhook(webhook: Webhook): [name: string, value: string][] {
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

export function webhookStatus({ isActive, disabledBecause, failingSince }: Webhook): string {
  if (!isActive) return disabledBecause === null ? 'disabled' : `disabled: ${disabledBecause}`;
  return failingSince === null ? 'active' : `failing since ${formatTime(failingSince)}`;
}

export function printWithSecret(webhook: Webhook & { secret: string }, options: JsonOption): void {
  printRecord(webhook, options, () => [...formatWebhook(webhook), ['secret', webhook.secret]]);
  printMessage('The secret will not be shown again. The receiver needs it to verify signatures.');
}
