import { endSecrets, getWebhook as readWebhook, type Webhook } from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { addSecret, type WebhookWithSecret, withWebhook } from './stored-webhook.js';

/** For a while, messages are signed with both secrets, so that the receiver can switch at any time. */
export async function rotateWebhookSecret(
  context: Context,
  id: string,
  overlapSeconds: number,
  caller: Caller,
): Promise<Result<WebhookWithSecret>> {
  return withWebhook(context, id, async (tx) => {
    await endSecrets(tx, id, overlapSeconds);
    const secret = await addSecret(tx, context.cipher, id);
    await recordAccess(tx, 'webhook.secret-rotated', caller, { detail: { webhookId: id, overlapSeconds } });
    return { webhook: (await readWebhook(tx, id)) as Webhook, secret };
  });
}
