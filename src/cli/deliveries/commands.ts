import { Option } from 'commander';
import { deliveryStates } from '../../contract/enums.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** Messages that bring passwords. */
export function deliveryCommands(program: RollcallCommand): void {
  const deliveries = program
    .command('deliveries')
    .description('Messages with passwords, and notices of changed accounts.');

  deliveries
    .command('list')
    .description('List deliveries.')
    .addOption(new Option('--state <state>', 'those in this state').choices(deliveryStates))
    .option('--user <employee ID>', 'those to this user')
    .option('--serial', '--user is a serial')
    .option('--request-id <id>', 'those that the request with this ID caused')
    .examples('rollcall deliveries list --state parked', 'rollcall deliveries list --user E1001')
    .lists('list deliveries', async () => (await import('./list-deliveries.js')).listDeliveries);

  deliveries
    .command('resend')
    .description('Send a message again, with a new password.')
    .argument('<id>', 'its ID')
    .examples('rollcall deliveries resend "$DELIVERY"')
    .runs('send the message again', async () => (await import('./resend-delivery.js')).resendDelivery);

  deliveries
    .command('release')
    .description('Let messages go out that a bulk create held back.')
    .argument('[ids...]', 'their IDs')
    .option('--request-id <id>', 'those of the bulk create with this request ID')
    .option('--all', 'all that are held, except those whose address changed')
    .examples(
      'rollcall deliveries release "$DELIVERY"',
      'rollcall deliveries release --request-id "$REQUEST"',
      'rollcall deliveries release --all',
    )
    .runs('release deliveries', async () => (await import('./release-deliveries.js')).releaseDeliveries);
}
