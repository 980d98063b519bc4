import { scopes } from '../../contract/scopes.js';
import { countFromZero, wordsOf } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

const scopeWords = `some of ${scopes.join(',')}`;

/** Machines that call the service. */
export function clientCommands(program: RollcallCommand): void {
  const clients = program
    .command('clients')
    .description('Machines that call the service, and their secrets.');

  clients
    .command('list')
    .description('List clients.')
    .examples('rollcall clients list')
    .lists('list clients', async () => (await import('./list-clients.js')).listClients);

  clients
    .command('get')
    .description('Show a client.')
    .argument('<id>', 'its ID')
    .examples('rollcall clients get "$CLIENT"')
    .runs('show the client', async () => (await import('./get-client.js')).getClient);

  clients
    .command('create')
    .description('Create a client. Its secret is shown this once.')
    .requiredOption('--name <name>', 'what it is for, for people')
    .requiredOption('--scopes <scopes>', `what it may do: ${scopeWords}`, wordsOf(scopes))
    .examples(
      "rollcall clients create --name 'Nightly HR sync' --scopes users:read,users:write",
      'rollcall clients create --name Badges --scopes users:read --json > badges.json',
    )
    .runs('create the client', async () => (await import('./create-client.js')).createClient);

  clients
    .command('update')
    .description('Change the name or the scopes of a client.')
    .argument('<id>', 'its ID')
    .option('--name <name>', 'what it is for, for people')
    .option('--scopes <scopes>', `what it may do from now on: ${scopeWords}`, wordsOf(scopes))
    .examples('rollcall clients update "$CLIENT" --name \'Weekly HR sync\' --scopes users:read')
    .runs('update the client', async () => (await import('./update-client.js')).updateClient);

  clients
    .command('rotate')
    .description('Give a client another secret, shown this once. The old one goes on for a while beside it.')
    .argument('<id>', 'its ID')
    .option(
      '--overlap-seconds <seconds>',
      'how long the old secret goes on; a day without it, and 0 ends all tokens too',
      countFromZero,
    )
    .examples('rollcall clients rotate "$CLIENT"', 'rollcall clients rotate "$CLIENT" --overlap-seconds 0')
    .runs(
      'rotate the secret of the client',
      async () => (await import('./rotate-client-secret.js')).rotateClientSecret,
    );

  clients
    .command('disable')
    .description('Disable a client: all its tokens end within seconds, for good.')
    .argument('<id>', 'its ID')
    .examples('rollcall clients disable "$CLIENT"')
    .runs('disable the client', async () => (await import('./update-client.js')).disableClient);

  clients
    .command('enable')
    .description('Enable a client that was disabled. Its earlier tokens stay revoked.')
    .argument('<id>', 'its ID')
    .examples('rollcall clients enable "$CLIENT"')
    .runs('enable the client', async () => (await import('./update-client.js')).enableClient);
}
