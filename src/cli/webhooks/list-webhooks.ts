import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { type Webhook, webhookStatus } from './shown-webhook.js';

/** `rollcall webhooks list` */
export async function listWebhooks(options: ListOptions): Promise<void> {
  const webhooks = connectBriefly().each('listWebhooks', { query: { limit: pageLimit(options) } });
  await printList<Webhook>(webhooks, options, {
    headings: ['ID', 'URL', 'STATUS', 'UP TO', 'DESCRIPTION'],
    row: (webhook) => [
      webhook.id,
      webhook.url,
      webhookStatus(webhook),
      String(webhook.deliveredUpTo),
      webhook.description ?? '',
    ],
    empty: 'There are no webhooks. Create one: rollcall webhooks create --help.',
  });
}
