import { v7 } from 'uuid';
import { transaction } from '../../storage/database.js';
import {
  insertWebhook,
  getWebhook as readWebhook,
  type Webhook,
  type WebhookSettings,
} from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { addSecret, type WebhookWithSecret } from './stored-webhook.js';
import { auditedSettings, checkUrl } from './webhook-settings.js';

/** The webhook receives everything committed from now on. */
export async function createWebhook(
  context: Context,
  settings: WebhookSettings,
  caller: Caller,
): Promise<Result<WebhookWithSecret>> {
  const problem = await checkUrl(context, settings.url);
  if (problem) return { ok: false, failure: problem };
  const id = v7();
  const position = await context.changes.settleNow();
  return transaction(context.database, async (tx) => {
    await insertWebhook(tx, { id, position, ...settings });
    const secret = await addSecret(tx, context.cipher, id);
    await recordAccess(tx, 'webhook.created', caller, {
      detail: { webhookId: id, ...auditedSettings(settings) },
    });
    return { ok: true, webhook: (await readWebhook(tx, id)) as Webhook, secret };
  });
}
