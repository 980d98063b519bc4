import { type JsonOption, printJson, say } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { beSure } from '../terminal/sure.js';
import { harmless } from '../terminal/text-width.js';

export interface DeleteWebhookOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall webhooks delete ID` */
export async function deleteWebhook(id: string, { yes, json }: DeleteWebhookOptions): Promise<void> {
  const rollcall = connectBriefly();
  const { body } = await rollcall.call('getWebhook', { path: { id } });
  await beSure(`Delete the webhook to ${harmless(body.data.url)}? It cannot be brought back.`, yes);
  const deleted = await rollcall.call('deleteWebhook', { path: { id } });
  if (json) printJson(deleted.body.data);
  else say('The webhook is deleted. It is sent nothing more.');
}
