import { Argument } from 'commander';
import { roles } from '../../contract/scopes.js';
import { flag, words, wordsOf } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { clearableFields } from './clearable-fields.js';
import { withUserFilters } from './filters.js';

/** People, one by one. */
export function userCommands(program: RollcallCommand): void {
  const users = program.command('users').description('People: find, create, change and deactivate them.');

  withUserFilters(users.command('list'))
    .description('List users, find them by a field, or search.')
    .examples(
      "rollcall users list --search 'ada lov'",
      'rollcall users list --active false --sort name --limit 10',
      'rollcall users list --all --json > users.json',
    )
    .lists('list users', async () => (await import('./list-users.js')).listUsers);

  one(users.command('get'))
    .description('Show a user.')
    .examples('rollcall users get E1001', 'rollcall users get E1001 --json')
    .runs('show the user', async () => (await import('./get-user.js')).getUser);

  users
    .command('create')
    .description('Create a user. Needs an email or a phone, where the password is sent.')
    .requiredOption('--employee-id <id>', 'letters and digits')
    .requiredOption('--name <name>', 'the name')
    .option('--username <name>', 'to sign in with: letters and digits')
    .option('--email <address>', 'the email')
    .option('--phone <number>', 'the phone')
    .option('--inactive', 'not active yet')
    .option('--tags <serials>', 'tags, with commas in between', words)
    .option('--organization <serial>', 'the organization')
    .option('--password-stdin', 'read the initial password from stdin; without it one is made')
    .examples(
      "rollcall users create --employee-id E2001 --name 'Grace Hopper' --email grace@example.com",
      "openssl rand -hex 12 | rollcall users create --employee-id E2002 --name 'Alan Turing' --phone '+44 20 7946 0958' --username alan --password-stdin",
    )
    .runs('create the user', async () => (await import('./create-user.js')).createUser);

  one(users.command('update'))
    .description('Change some fields of a user. What others change at the same time is not overwritten.')
    .option('--rename <id>', 'another employee ID')
    .option('--name <name>', 'another name')
    .option('--username <name>', 'another username')
    .option('--email <address>', 'another email')
    .option('--phone <number>', 'another phone')
    .option('--active <true|false>', 'active or not', flag)
    .option('--tags <serials>', 'these tags instead, with commas in between', words)
    .option('--organization <serial>', 'another organization')
    .option('--clear <fields>', `empty these: some of ${clearableFields.join(',')}`, wordsOf(clearableFields))
    .examples(
      "rollcall users update E1001 --name 'Ada King' --phone '+44 20 7946 0958'",
      'rollcall users update E1001 --clear username,tags',
      'rollcall users update E1001 --rename E3001',
    )
    .runs('update the user', async () => (await import('./update-user.js')).updateUser);

  several(users.command('deactivate'))
    .description('Deactivate users: they can no longer sign in, and their sessions end.')
    .examples('rollcall users deactivate E1001 E1002')
    .runs('deactivate users', async () => (await import('./set-active.js')).deactivateUsers);

  several(users.command('activate'))
    .description('Activate users.')
    .examples('rollcall users activate E1001 E1002')
    .runs('activate users', async () => (await import('./set-active.js')).activateUsers);

  one(users.command('reset-password'))
    .description('Send a user a new password.')
    .examples('rollcall users reset-password E1001')
    .runs('reset the password', async () => (await import('./reset-password.js')).resetPassword);

  one(users.command('role'))
    .description('Show what a user may do here, or set it.')
    .addArgument(new Argument('[role]', 'the role to set').choices([...roles, 'none']))
    .examples('rollcall users role E1001', 'rollcall users role E1001 operator')
    .runs('read or set the role', async () => (await import('./role.js')).userRole);

  one(users.command('history'))
    .description('Show all that happened to a user, the newest first.')
    .examples('rollcall users history E1001')
    .lists('show the history', async () => (await import('./history.js')).userHistory);
}

function one(command: RollcallCommand): RollcallCommand {
  return command.argument('<id>', 'the employee ID').option('--serial', 'the ID is a serial');
}

function several(command: RollcallCommand): RollcallCommand {
  return command.argument('<ids...>', 'the employee IDs').option('--serial', 'the IDs are serials');
}
