import { Option } from 'commander';
import type { RollcallCommand } from '../rollcall-command.js';

export function sessionCommands(program: RollcallCommand): void {
  program
    .command('login')
    .description('Log in to a service as a client or user. Prompts for anything missing.')
    .argument('[url]', 'URL of the service, such as https://people.example.com')
    .addOption(
      new Option(
        '--client-id <id>',
        'log in as this client; prompts for the secret or reads it from stdin',
      ).conflicts(['username', 'credentials']),
    )
    .addOption(
      new Option(
        '--username <name>',
        'log in as this user; prompts for the password or reads it from stdin',
      ).conflicts('credentials'),
    )
    .option(
      '--credentials <file>',
      'log in as the client in a JSON file, such as data/first-credentials.json',
    )
    .option('--code <code>', 'code of the second factor of this user; prompts for it if it is needed')
    .details(
      'The service verifies the login. It is stored in ~/.config/rollcall/login.json, readable only by you.\nROLLCALL_URL, ROLLCALL_CLIENT_ID with ROLLCALL_CLIENT_SECRET, and ROLLCALL_TOKEN override it.',
    )
    .examples(
      'printenv ROLLCALL_CLIENT_SECRET | rollcall login "$ROLLCALL_URL" --client-id "$ROLLCALL_CLIENT_ID"',
      'rollcall clients create --name Laptop --scopes users:read --json > laptop.json && rollcall login --credentials laptop.json',
    )
    .runs('log in', async () => (await import('./login.js')).logIn);

  program
    .command('logout')
    .description(
      'Remove the stored login. If you are logged in as a user, this also ends the session on the service.',
    )
    .examples('rollcall logout')
    .runs('log out', async () => (await import('./logout.js')).logOut);

  program
    .command('whoami')
    .description('Show the current service, identity and permissions, and where they are configured.')
    .examples('rollcall whoami', 'rollcall whoami --json')
    .runs('show the current identity', async () => (await import('./whoami.js')).whoAmI);
}
