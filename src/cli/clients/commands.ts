import { scopes } from '../../contract/scopes.js';
import { commaSeparatedOf, countFromZero } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

const scopeList = scopes.join(',');

export function clientCommands(program: RollcallCommand): void {
  const clients = program.command('clients').description('Manage API clients and their secrets.');

  clients
    .command('list')
    .description('List clients.')
    .examples('rollcall clients list')
    .lists('list clients', async () => (await import('./clients.js')).listClients);

  clients
    .command('get')
    .description('Show a client.')
    .argument('<id>', 'client ID')
    .examples('rollcall clients get "$CLIENT"')
    .runs('show the client', async () => (await import('./clients.js')).getClient);

  clients
    .command('create')
    .description('Create a client. Its secret is shown only once.')
    .requiredOption('--name <name>', 'name that describes its purpose')
    .requiredOption(
      '--scopes <scopes>',
      `comma-separated permissions: ${scopeList}`,
      commaSeparatedOf(scopes),
    )
    .examples(
      "rollcall clients create --name 'Nightly HR sync' --scopes users:read,users:write",
      'rollcall clients create --name Badges --scopes users:read --json > badges.json',
    )
    .runs('create the client', async () => (await import('./clients.js')).createClient);

  clients
    .command('update')
    .description('Change the name or scopes of a client.')
    .argument('<id>', 'client ID')
    .option('--name <name>', 'name that describes its purpose')
    .option('--scopes <scopes>', `comma-separated permissions: ${scopeList}`, commaSeparatedOf(scopes))
    .examples('rollcall clients update "$CLIENT" --name \'Weekly HR sync\' --scopes users:read')
    .runs('update the client', async () => (await import('./clients.js')).updateClient);

  clients
    .command('rotate')
    .description('Issue a new secret, shown only once. The old one keeps working for a while.')
    .argument('<id>', 'client ID')
    .option(
      '--overlap-seconds <seconds>',
      'how long the old secret keeps working (default: one day); 0 also revokes all tokens',
      countFromZero,
    )
    .examples('rollcall clients rotate "$CLIENT"', 'rollcall clients rotate "$CLIENT" --overlap-seconds 0')
    .runs("rotate the client's secret", async () => (await import('./clients.js')).rotateClientSecret);

  clients
    .command('disable')
    .description('Disable a client. All its tokens are revoked within seconds.')
    .argument('<id>', 'client ID')
    .examples('rollcall clients disable "$CLIENT"')
    .runs('disable the client', async () => (await import('./clients.js')).disableClient);

  clients
    .command('enable')
    .description('Enable a disabled client. Its earlier tokens stay revoked.')
    .argument('<id>', 'client ID')
    .examples('rollcall clients enable "$CLIENT"')
    .runs('enable the client', async () => (await import('./clients.js')).enableClient);
}
