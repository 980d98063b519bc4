import { type JsonOption, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatWebhook } from './format-webhook.js';

/** `rollcall webhooks get ID` */
export async function getWebhook(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('getWebhook', { path: { id } });
  printRecord(body.data, options, formatWebhook);
}
