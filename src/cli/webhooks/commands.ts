import { eventTypes } from '../../contract/enums.js';
import { countFromZero, flag, wholeNumber, wordsOf } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** Receivers that are told of changes. */
export function webhookCommands(program: RollcallCommand): void {
  const webhooks = program
    .command('webhooks')
    .description('Receivers that are told of changes as they happen.');

  webhooks
    .command('list')
    .description('List webhooks.')
    .examples('rollcall webhooks list')
    .lists('list webhooks', async () => (await import('./list-webhooks.js')).listWebhooks);

  webhooks
    .command('get')
    .description('Show a webhook, and how its deliveries are going.')
    .argument('<id>', 'its ID')
    .examples('rollcall webhooks get "$WEBHOOK"')
    .runs('show the webhook', async () => (await import('./get-webhook.js')).getWebhook);

  withSettings(webhooks.command('create'))
    .description('Create a webhook. Its secret is shown this once.')
    .argument('<url>', 'where events are sent')
    .details('URLs of your own network need ROLLCALL_WEBHOOK_TARGETS=any at the service.')
    .examples(
      'rollcall webhooks create http://localhost:9000/hooks --events user.created,user.deactivated',
      "rollcall webhooks create http://localhost:9000/hooks --description 'Door badges' --json > webhook.json",
    )
    .runs('create the webhook', async () => (await import('./create-webhook.js')).createWebhook);

  withSettings(webhooks.command('update'))
    .description('Change a webhook, stop it or let it go on.')
    .argument('<id>', 'its ID')
    .option('--url <url>', 'another URL')
    .option('--active <true|false>', 'false stops it; true goes on with what has happened since', flag)
    .examples(
      'rollcall webhooks update "$WEBHOOK" --events user.created',
      'rollcall webhooks update "$WEBHOOK" --active false',
    )
    .runs('update the webhook', async () => (await import('./update-webhook.js')).updateWebhook);

  webhooks
    .command('rotate')
    .description('Give a webhook another secret, shown this once. For a while messages are signed with both.')
    .argument('<id>', 'its ID')
    .option('--overlap-seconds <seconds>', 'how long the old secret goes on; a day without it', countFromZero)
    .examples('rollcall webhooks rotate "$WEBHOOK"')
    .runs(
      'rotate the secret of the webhook',
      async () => (await import('./rotate-webhook-secret.js')).rotateWebhookSecret,
    );

  webhooks
    .command('replay')
    .description('Send events again, from one on.')
    .argument('<id>', 'its ID')
    .requiredOption('--from <sequence>', 'the first event that is sent again', wholeNumber)
    .examples('rollcall webhooks replay "$WEBHOOK" --from 1')
    .runs('replay the webhook', async () => (await import('./replay-webhook.js')).replayWebhook);

  webhooks
    .command('delete')
    .description('Delete a webhook.')
    .argument('<id>', 'its ID')
    .option('--yes', 'do not ask')
    .examples('rollcall webhooks delete "$WEBHOOK" --yes')
    .runs('delete the webhook', async () => (await import('./delete-webhook.js')).deleteWebhook);
}

function withSettings(command: RollcallCommand): RollcallCommand {
  return command
    .option('--events <types>', `some of ${eventTypes.join(',')}`, wordsOf(eventTypes))
    .option('--description <text>', 'what it is for, for people')
    .option('--batch-max <count>', 'how many events one message may hold', wholeNumber);
}
