import { type JsonOption, printJson, printMessage } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { confirmOrAbort } from '../terminal/confirm.js';
import { sanitize } from '../terminal/text-width.js';

export interface DeleteWebhookOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall webhooks delete ID` */
export async function deleteWebhook(id: string, { yes, json }: DeleteWebhookOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { body } = await rollcall.call('getWebhook', { path: { id } });
  await confirmOrAbort(`Delete the webhook to ${sanitize(body.data.url)}? This cannot be undone.`, yes);
  const deleted = await rollcall.call('deleteWebhook', { path: { id } });
  if (json) printJson(deleted.body.data);
  else printMessage('Webhook deleted.');
}
