import { v7 } from 'uuid';
import { listWebhookSecrets } from '../../storage/delivery/webhook-claims.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import { getWebhook } from './get-webhook.js';
import { signedRequest } from './webhook-message.js';

export interface WebhookTest {
  readonly delivered: boolean;
  /** Null if there was no response. */
  readonly statusCode: number | null;
  /** Why it was not delivered. */
  readonly reason: string | null;
  readonly durationMs: number;
}

/** Sends a signed message that is no event, once, even to a webhook that is stopped. */
export async function testWebhook(
  context: Context,
  id: string,
  caller: Caller,
): Promise<Result<{ test: WebhookTest }>> {
  const { database, cipher, webhookSender } = context;
  const found = await getWebhook(context, id);
  if (!found.ok) return found;
  await recordAccess(database.pool, 'webhook.tested', caller, { detail: { webhookId: id } });
  const encrypted = await listWebhookSecrets(database.pool, id);
  const secrets = encrypted.map((each) => cipher.decrypt(each.secret, each.id));
  const beganMs = performance.now();
  const answer = await webhookSender.post(signedRequest(found.webhook.url, testMessage(id), secrets));
  return {
    ok: true,
    test: {
      delivered: answer.ok,
      statusCode: answer.status,
      reason: answer.ok ? null : answer.reason,
      durationMs: Math.round(performance.now() - beganMs),
    },
  };
}

function testMessage(webhookId: string): { id: string; body: string } {
  const message = { type: 'webhook.test', timestamp: new Date().toISOString(), data: { webhookId } };
  return { id: `test_${v7()}`, body: JSON.stringify(message) };
}
