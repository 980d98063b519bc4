import type { RequestBody } from '#client';
import type { EventType } from '../../contract/enums.js';

export interface WebhookSettings {
  readonly events?: EventType[] | undefined;
  readonly description?: string | undefined;
  readonly batchMax?: number | undefined;
}

/** What was given, as the service calls it. An empty description is none. */
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
