import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { type Webhook, webhookStatus } from './format-webhook.js';

/** `rollcall webhooks list` */
export async function listWebhooks(options: ListOptions): Promise<void> {
  const webhooks = connectInteractive().each('listWebhooks', { query: { limit: pageLimit(options) } });
  await printList<Webhook>(webhooks, options, {
    headings: ['ID', 'URL', 'STATUS', 'UP TO', 'DESCRIPTION'],
    row: (webhook) => [
      webhook.id,
      webhook.url,
      webhookStatus(webhook),
      String(webhook.deliveredUpTo),
      webhook.description ?? '',
    ],
    empty: 'No webhooks. To create one, see rollcall webhooks create --help.',
  });
}
