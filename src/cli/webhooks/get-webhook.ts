import { type JsonOption, printRecord } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { shownWebhook } from './shown-webhook.js';

/** `rollcall webhooks get ID` */
export async function getWebhook(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectBriefly().call('getWebhook', { path: { id } });
  printRecord(body.data, options, shownWebhook);
}
