import { v7 } from 'uuid';
import { type Failure, failure } from '../../contract/errors.js';
import { type Executor, transaction } from '../../storage/database.js';
import {
  insertWebhookSecret,
  lockWebhook,
  type Webhook,
  type WebhookSettings,
} from '../../storage/delivery/webhooks.js';
import type { Context } from '../context.js';
import type { Result } from '../result.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { isSerial } from '../serial.js';
import { newWebhookSecret } from './webhook-signature.js';

export type { Webhook, WebhookSettings };

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** Returned only once. */
  readonly secret: string;
}

export async function withWebhook<T extends object>(
  { database }: Context,
  id: string,
  work: (tx: Executor, webhook: Webhook) => Promise<T>,
): Promise<Result<T>> {
  if (!isSerial(id)) return webhookNotFound();
  return transaction(database, async (tx): Promise<Result<T>> => {
    const webhook = await lockWebhook(tx, id);
    return webhook ? { ok: true, ...(await work(tx, webhook)) } : webhookNotFound();
  });
}

export async function addSecret(tx: Executor, cipher: SecretCipher, webhookId: string): Promise<string> {
  const id = v7();
  const secret = newWebhookSecret();
  await insertWebhookSecret(tx, { id, webhookId, secret: cipher.encrypt(secret, id) });
  return secret;
}

export function webhookNotFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('WEBHOOK_NOT_FOUND', 'No webhook has this ID.') };
}
