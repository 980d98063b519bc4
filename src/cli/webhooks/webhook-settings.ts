import type { RequestBody } from '#client';
import type { EventType } from '../../contract/enums.js';

export interface WebhookSettings {
  readonly events?: EventType[] | undefined;
  readonly description?: string | undefined;
  readonly batchMax?: number | undefined;
}

/** The given options by their API names. An empty description clears it. */
export function settingsOf({
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
