import {
  getWebhook as readWebhook,
  updateWebhook as storeWebhook,
  type Webhook,
} from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { withWebhook } from './stored-webhook.js';
import { auditedSettings, checkUrl, type WebhookChange } from './webhook-settings.js';

export type { WebhookChange };

/** A disabled webhook that is enabled again continues where it stopped. */
export async function updateWebhook(
  context: Context,
  id: string,
  change: WebhookChange,
  caller: Caller,
): Promise<Result<{ webhook: Webhook }>> {
  const problem = change.url === undefined ? undefined : await checkUrl(context, change.url);
  if (problem) return { ok: false, failure: problem };
  return withWebhook(context, id, async (tx, before) => {
    const differs = (name: keyof WebhookChange) =>
      change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]);
    const changed = (['url', 'description', 'eventTypes', 'batchMax', 'isActive'] as const).filter(differs);
    if (changed.length === 0) return { webhook: before };
    await storeWebhook(
      tx,
      { ...before, ...change },
      { restart: changed.some((name) => name !== 'description') },
    );
    await recordAccess(tx, 'webhook.changed', caller, {
      detail: { webhookId: id, ...auditedSettings(change) },
    });
    return { webhook: (await readWebhook(tx, id)) as Webhook };
  });
}
