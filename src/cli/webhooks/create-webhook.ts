import type { JsonOption } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { printWithSecret } from './format-webhook.js';
import { settingsOf, type WebhookSettings } from './webhook-settings.js';

/** `rollcall webhooks create URL` */
export async function createWebhook(url: string, options: WebhookSettings & JsonOption): Promise<void> {
  const body = { url, ...settingsOf(options) };
  const created = await connectInteractive().call('createWebhook', { body });
  printWithSecret(created.body.data, options);
}
