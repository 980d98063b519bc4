import { failure } from '../../contract/errors.js';
import { prunedTo } from '../../storage/changes/change-feed.js';
import { moveWebhook, getWebhook as readWebhook, type Webhook } from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { getWebhook } from './get-webhook.js';
import { withWebhook } from './stored-webhook.js';

/** Sends everything from a number on again. */
export async function replayWebhook(
  context: Context,
  id: string,
  fromSequence: number,
  caller: Caller,
): Promise<Result<{ webhook: Webhook }>> {
  const found = await getWebhook(context, id);
  if (!found.ok) return found;
  const settled = await context.changes.settleNow();
  const kept = await prunedTo(context.database.pool);
  if (fromSequence <= kept || fromSequence > settled + 1) {
    return {
      ok: false,
      failure: failure(
        'EVENTS_PRUNED',
        `Event ${fromSequence} is not available. Choose one from ${kept + 1} to ${settled}.`,
        { prunedTo: kept },
      ),
    };
  }
  return withWebhook(context, id, async (tx) => {
    await moveWebhook(tx, id, fromSequence - 1);
    await recordAccess(tx, 'webhook.replayed', caller, { detail: { webhookId: id, fromSequence } });
    return { webhook: (await readWebhook(tx, id)) as Webhook };
  });
}
