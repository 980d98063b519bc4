import { deleteWebhook as removeWebhook } from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { withWebhook } from './stored-webhook.js';

export async function deleteWebhook(context: Context, id: string, caller: Caller): Promise<Result<object>> {
  return withWebhook(context, id, async (tx) => {
    await removeWebhook(tx, id);
    await recordAccess(tx, 'webhook.deleted', caller, { detail: { webhookId: id } });
    return {};
  });
}
