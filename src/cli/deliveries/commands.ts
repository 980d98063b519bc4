import { Option } from 'commander';
import { deliveryStates } from '../../contract/enums.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function deliveryCommands(program: RollcallCommand): void {
  const deliveries = program
    .command('deliveries')
    .description('Manage the messages that users receive: passwords and notices of account changes.');

  deliveries
    .command('list')
    .description('List messages to users, newest first.')
    .addOption(new Option('--state <state>', 'only this state').choices(deliveryStates))
    .option('--user <employee ID>', 'only messages to this user')
    .option('--serial', 'treat --user as a serial')
    .option('--request-id <id>', 'only messages caused by this request')
    .details(
      `States: waiting to be sent; held until released; dormant until the user is activated; sent;
parked because all attempts failed; cancelled because a newer message replaced it.
`,
    )
    .examples('rollcall deliveries list --state parked', 'rollcall deliveries list --user E1001')
    .lists('list deliveries', async () => (await import('./deliveries.js')).listDeliveries);

  deliveries
    .command('resend')
    .description(
      'Resend a message. It contains a new password, unless a submitted one has not been sent yet.',
    )
    .argument('<id>', 'delivery ID')
    .examples('rollcall deliveries resend "$DELIVERY"')
    .runs('resend the message', async () => (await import('./deliveries.js')).resendDelivery);

  deliveries
    .command('release')
    .description('Send messages that are held.')
    .argument('[ids...]', 'delivery IDs')
    .option(
      '--request-id <id>',
      'all held by the bulk create with this request ID, except those whose address has changed',
    )
    .option('--all', 'all that are held, except those whose address has changed')
    .examples(
      'rollcall deliveries release "$DELIVERY"',
      'rollcall deliveries release --request-id "$REQUEST"',
      'rollcall deliveries release --all',
    )
    .runs('release deliveries', async () => (await import('./deliveries.js')).releaseDeliveries);
}
