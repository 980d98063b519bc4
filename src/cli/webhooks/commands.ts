import { eventTypes } from '../../contract/enums.js';
import { commaSeparatedOf, countFromZero, pointInTime, trueOrFalse, wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function webhookCommands(program: RollcallCommand): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhooks, which receive changes as they happen.');

  webhooks
    .command('list')
    .description('List webhooks.')
    .examples('rollcall webhooks list')
    .lists('list webhooks', async () => (await import('./webhooks.js')).listWebhooks);

  webhooks
    .command('get')
    .description('Show a webhook and its delivery status.')
    .argument('<id>', 'webhook ID')
    .examples('rollcall webhooks get "$WEBHOOK"')
    .runs('show the webhook', async () => (await import('./webhooks.js')).getWebhook);

  withSettings(webhooks.command('create'))
    .description('Create a webhook. Its secret is shown only once.')
    .argument('<url>', 'URL that receives the events')
    .details('URLs in a private network require ROLLCALL_WEBHOOK_TARGETS=any on the service.')
    .examples(
      'rollcall webhooks create http://localhost:9000/hooks --events user.created,user.deactivated',
      "rollcall webhooks create http://localhost:9000/hooks --description 'Door badges' --json > webhook.json",
    )
    .runs('create the webhook', async () => (await import('./webhooks.js')).createWebhook);

  withSettings(webhooks.command('update'))
    .description('Update, disable or enable a webhook.')
    .argument('<id>', 'webhook ID')
    .option('--url <url>', 'new URL')
    .option(
      '--active <true|false>',
      'false disables it; true resumes with the events since then',
      trueOrFalse,
    )
    .examples(
      'rollcall webhooks update "$WEBHOOK" --events user.created',
      'rollcall webhooks update "$WEBHOOK" --active false',
    )
    .runs('update the webhook', async () => (await import('./webhooks.js')).updateWebhook);

  webhooks
    .command('rotate')
    .description('Issue a new secret, shown only once. Messages are signed with both for a while.')
    .argument('<id>', 'webhook ID')
    .option(
      '--overlap-seconds <seconds>',
      'how long messages are also signed with the old secret (default: one day)',
      countFromZero,
    )
    .examples('rollcall webhooks rotate "$WEBHOOK"')
    .runs("rotate the webhook's secret", async () => (await import('./webhooks.js')).rotateWebhookSecret);

  webhooks
    .command('replay')
    .description('Resend all events from a time or a sequence number on, or try at once what waits.')
    .argument('<id>', 'webhook ID')
    .option('--since <time>', 'date, time or duration before now from which to resend', pointInTime)
    .option('--from <sequence>', 'sequence number of the first event to resend', wholeNumber)
    .examples(
      'rollcall webhooks replay "$WEBHOOK"',
      'rollcall webhooks replay "$WEBHOOK" --since 36h',
      'rollcall webhooks replay "$WEBHOOK" --from 1',
    )
    .runs('replay the webhook', async () => (await import('./webhooks.js')).replayWebhook);

  webhooks
    .command('test')
    .description('Send a test message to a webhook and show the response.')
    .argument('<id>', 'webhook ID')
    .examples('rollcall webhooks test "$WEBHOOK"')
    .runs('test the webhook', async () => (await import('./webhooks.js')).testWebhook);

  webhooks
    .command('deliveries')
    .description('List what was sent to a webhook in the last days, and what it responded.')
    .argument('<id>', 'webhook ID')
    .option('--failed', 'only attempts that failed')
    .examples('rollcall webhooks deliveries "$WEBHOOK"', 'rollcall webhooks deliveries "$WEBHOOK" --failed')
    .lists('list the deliveries', async () => (await import('./webhooks.js')).listWebhookDeliveries);

  webhooks
    .command('resend')
    .description('Send one message to a webhook again, and show the response.')
    .argument('<id>', 'webhook ID')
    .argument('<delivery>', 'ID of the delivery')
    .examples('rollcall webhooks resend "$WEBHOOK" "$DELIVERY"')
    .runs('resend the message', async () => (await import('./webhooks.js')).resendWebhookDelivery);

  webhooks
    .command('delete')
    .description('Delete a webhook.')
    .argument('<id>', 'webhook ID')
    .option('--yes', 'skip the confirmation prompt')
    .examples('rollcall webhooks delete "$WEBHOOK" --yes')
    .runs('delete the webhook', async () => (await import('./webhooks.js')).deleteWebhook);
}

function withSettings(command: RollcallCommand): RollcallCommand {
  return command
    .option(
      '--events <types>',
      `comma-separated event types: ${eventTypes.join(',')}`,
      commaSeparatedOf(eventTypes),
    )
    .option('--description <text>', 'description of its purpose')
    .option('--batch-max <count>', 'maximum number of events per message', wholeNumber);
}
