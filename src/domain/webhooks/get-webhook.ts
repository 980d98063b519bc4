import { getWebhook as readWebhook, type Webhook } from '../../storage/delivery/webhooks.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import { webhookNotFound } from './stored-webhook.js';

export async function getWebhook({ database }: Context, id: string): Promise<Result<{ webhook: Webhook }>> {
  const webhook = isSerial(id) ? await readWebhook(database.pool, id) : undefined;
  return webhook ? { ok: true, webhook } : webhookNotFound();
}
