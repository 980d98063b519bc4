import type { Schemas } from '#client';
import { type JsonOption, printRecord, say } from '../output.js';
import { shownSecrets } from '../terminal/secret-dates.js';
import { shownTime } from '../terminal/time.js';

export type Webhook = Schemas['Webhook'];

export function shownWebhook(webhook: Webhook): [name: string, value: string][] {
  return [
    ['ID', webhook.id],
    ['URL', webhook.url],
    ['description', webhook.description ?? ''],
    ['events', webhook.eventTypes.join(', ')],
    ['events a message', `at most ${webhook.batchMax}`],
    ['status', webhookStatus(webhook)],
    ['delivered up to', String(webhook.deliveredUpTo)],
    ['last delivery', shownTime(webhook.lastDeliveryAt)],
    ['next attempt', shownTime(webhook.nextAttemptAt)],
    ['last error', webhook.lastError ?? ''],
    ['created', shownTime(webhook.createdAt)],
    ['secrets', shownSecrets(webhook.secrets)],
  ];
}

export function webhookStatus({ isActive, disabledBecause, failingSince }: Webhook): string {
  if (!isActive) return disabledBecause === null ? 'disabled' : `disabled: ${disabledBecause}`;
  return failingSince === null ? 'active' : `failing since ${shownTime(failingSince)}`;
}

/** The secret is data, and goes where data goes; that it comes once is said beside it. */
export function printWithSecret(webhook: Webhook & { secret: string }, options: JsonOption): void {
  printRecord(webhook, options, () => [...shownWebhook(webhook), ['secret', webhook.secret]]);
  say('The secret is not shown again: give it to the receiver, which checks the signatures with it.');
}
