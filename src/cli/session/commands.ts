import { Option } from 'commander';
import type { RollcallCommand } from '../rollcall-command.js';

/** Who one is, and at which service. */
export function sessionCommands(program: RollcallCommand): void {
  program
    .command('login')
    .description('Log in at a service, as a client or as a person. Asks for what is missing.')
    .argument('[url]', 'where the service is, such as https://people.example.com')
    .addOption(
      new Option(
        '--client-id <id>',
        'log in as this client; its secret is asked for, or read from stdin',
      ).conflicts(['username', 'credentials']),
    )
    .addOption(
      new Option(
        '--username <name>',
        'log in as this person; the password is asked for, or read from stdin',
      ).conflicts('credentials'),
    )
    .option(
      '--credentials <file>',
      'log in as the client of a JSON file, such as data/first-credentials.json',
    )
    .details(
      'The login is checked at the service and kept in ~/.config/rollcall/login.json, for your eyes alone.\nROLLCALL_URL, ROLLCALL_CLIENT_ID with ROLLCALL_CLIENT_SECRET, and ROLLCALL_TOKEN go before it.',
    )
    .examples(
      'printenv ROLLCALL_CLIENT_SECRET | rollcall login "$ROLLCALL_URL" --client-id "$ROLLCALL_CLIENT_ID"',
      'rollcall clients create --name Laptop --scopes users:read --json > laptop.json && rollcall login --credentials laptop.json',
    )
    .runs('log in', async () => (await import('./login.js')).logIn);

  program
    .command('logout')
    .description('Forget the login. The session of a person is ended at the service too.')
    .examples('rollcall logout')
    .runs('log out', async () => (await import('./logout.js')).logOut);

  program
    .command('whoami')
    .description('Tell at which service commands work, as whom, what is allowed, and what decides on that.')
    .examples('rollcall whoami', 'rollcall whoami --json')
    .runs('tell who you are', async () => (await import('./whoami.js')).whoAmI);
}
