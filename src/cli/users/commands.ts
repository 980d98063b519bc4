import { Argument, Option } from 'commander';
import { fieldLimits } from '../../contract/limits.js';
import {
  commaSeparatedOf,
  effectiveTime,
  nonEmpty,
  oncePerKey,
  RepeatableOption,
  trueOrFalse,
} from '../arguments.js';
import { withMatchingOptions } from '../matching/options.js';
import { withPlanOptions } from '../planning/options.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { clearable, withFieldOptions } from './field-options.js';
import { roleChoices, withUserFilters, withUserSort } from './filters.js';

export function userCommands(program: RollcallCommand): void {
  const users = program.command('users').description('Find, create, update, deactivate and erase users.');

  withUserSort(withUserFilters(users.command('list')))
    .description('List, filter, search or count users.')
    .addOption(new Option('--count', 'print only how many users match').conflicts(['limit', 'all', 'sort']))
    .option('--approximate', 'with --count: an estimate if many users match, which is faster')
    .examples(
      "rollcall users list --search 'ada lov'",
      'rollcall users list --active false --sort name --limit 10',
      'rollcall users list --tag T1 --tag T2 --not-tag T3 --role none',
      'rollcall users list --attribute department=IT --attribute-from startDate=2026-01-01 --sort attributes.department',
      'rollcall users list --never-signed-in --created-until 30d --count',
      'rollcall users list --all --json > users.json',
    )
    .lists('list users', async () => (await import('./list-users.js')).listUsers);

  withUserId(users.command('get'))
    .description('Show a user.')
    .examples('rollcall users get E1001', 'rollcall users get E1001 --json')
    .runs('show the user', async () => (await import('./users.js')).getUser);

  const create = users
    .command('create')
    .description('Create a user. Requires an email or phone to send the password to.')
    .requiredOption('--employee-id <id>', 'employee ID: letters and digits');
  withFieldOptions(create, 'newUser')
    .option('--inactive', 'create the user as inactive')
    .option('--password-stdin', 'read the initial password from stdin (default: generate one)')
    .option(
      '--rehire',
      'if an inactive user has the employee ID, reactivate them with this data and a new password',
    )
    .examples(
      "rollcall users create --employee-id E2001 --name 'Grace Hopper' --email grace@example.com",
      "openssl rand -hex 12 | rollcall users create --employee-id E2002 --name 'Alan Turing' --phone '+44 20 7946 0958' --username alan --password-stdin",
      "rollcall users create --employee-id E2003 --name 'Joan Clarke' --email joan@example.com --rehire",
      "rollcall users create --employee-id E2004 --name 'Mary Jackson' --email mary@example.com --attribute department=IT --attribute startDate=2026-12-01",
    )
    .runs('create the user', async () => (await import('./users.js')).createUser);

  withFieldOptions(withUserId(users.command('update')), 'update')
    .description('Update fields of a user. Concurrent changes by others are not overwritten.')
    .option('--rename <id>', 'new employee ID')
    .option('--active <true|false>', 'activate or deactivate', trueOrFalse)
    .option(
      '--clear <fields>',
      `fields to clear, comma-separated: ${clearable.join(',')}`,
      commaSeparatedOf(clearable),
    )
    .examples(
      "rollcall users update E1001 --name 'Ada King' --phone '+44 20 7946 0958'",
      'rollcall users update E1001 --clear username,tags',
      'rollcall users update E1001 --attribute department=IT --attribute startDate=',
      'rollcall users update E1001 --rename E3001',
    )
    .runs('update the user', async () => (await import('./users.js')).updateUser);

  withMatchingOptions(withPlanOptions(withPatch(withUserFilters(users.command('update-matching')))))
    .description('Update all users who match filters: their tags, organization, attributes or status.')
    .details(
      'At least one filter and one change are required. The change is previewed first, and can be undone afterwards.',
    )
    .examples(
      'rollcall users update-matching --organization ORG7 --active true --add-tag T1 --dry-run',
      'rollcall users update-matching --organization ORG7 --not-tag T2 --set-organization ORG8 --add-tag T2 --yes',
      'rollcall users update-matching --attribute department=IT --set-attribute department=Technology --dry-run',
      'rollcall users update-matching --never-signed-in --created-until 90d --role none --deactivate --yes',
      'rollcall users update-matching --organization ORG7 --add-tag T1 --effective-at 2099-12-31 --approval --yes',
    )
    .runs('update the users', async () => (await import('./update-matching.js')).updateMatching);

  withTime(withUserIds(users.command('deactivate')))
    .description('Deactivate users. They can no longer sign in, and their sessions end.')
    .examples(
      'rollcall users deactivate E1001 E1002',
      'rollcall users activate E1001 && rollcall users deactivate E1001 --on 2099-12-31',
    )
    .runs('deactivate users', async () => (await import('./set-active.js')).deactivateUsers);

  withTime(withUserIds(users.command('activate')))
    .description('Activate users.')
    .examples('rollcall users activate E1001 E1002', 'rollcall users activate E1001 --on 2099-01-01')
    .runs('activate users', async () => (await import('./set-active.js')).activateUsers);

  withUserId(users.command('reset-password'))
    .description('Send a new password to a user.')
    .examples('rollcall users reset-password E1001')
    .runs('reset the password', async () => (await import('./users.js')).resetPassword);

  withUserId(users.command('role'))
    .description("Show or set a user's role.")
    .addArgument(new Argument('[role]', 'role to set').choices(roleChoices))
    .examples('rollcall users role E1001', 'rollcall users role E1001 operator')
    .runs('read or set the role', async () => (await import('./users.js')).userRole);

  withUserId(users.command('history'))
    .description('Show the change history of a user, newest first.')
    .examples('rollcall users history E1001')
    .lists('show the history', async () => (await import('./history.js')).userHistory);

  users
    .command('id-history')
    .description('Show who has an employee ID, and who had it before.')
    .argument('<id>', 'employee ID')
    .examples('rollcall users id-history E1001')
    .runs('show the history of the employee ID', async () => (await import('./history.js')).idHistory);

  users
    .command('release-name')
    .description('End the quarantine of an employee ID or username, so that anyone can take it.')
    .argument('<name>', 'employee ID')
    .option('--username', 'treat the name as a username')
    .examples('rollcall users release-name E1001', 'rollcall users release-name admin --username')
    .runs('release the name', async () => (await import('./history.js')).releaseName);

  withUserId(users.command('export-data'))
    .description('Export everything that is stored about a user, as JSON.')
    .option('--output <file>', 'output file, readable only by you (default: stdout)')
    .examples('rollcall users export-data E1001 --output ada.json')
    .runs('export the data', async () => (await import('./personal-data.js')).exportData);

  withUserId(users.command('erase'))
    .description('Erase all personal data of a user. This cannot be undone.')
    .option('--yes', 'skip the confirmation prompt')
    .details('To keep the data and only end the access, use `rollcall users deactivate`.')
    .examples('rollcall users erase E1002 --yes')
    .runs('erase the user', async () => (await import('./personal-data.js')).eraseUser);
}

function withPatch(command: RollcallCommand): RollcallCommand {
  const max = fieldLimits.tagSerialsMaxCount;
  return command
    .optionsGroup('Changes:')
    .addOption(new RepeatableOption('--add-tag <serial>', 'add this tag', { max }))
    .addOption(new RepeatableOption('--remove-tag <serial>', 'remove this tag', { max }))
    .option('--set-organization <serial>', 'set the organization', nonEmpty)
    .addOption(
      new Option('--clear-organization', 'remove users from their organization').conflicts('setOrganization'),
    )
    .option('--set-manager <id>', 'set the manager, by employee ID', nonEmpty)
    .addOption(new Option('--clear-manager', 'leave users without a manager').conflicts('setManager'))
    .option(
      '--set-attribute <key=value>',
      'set an attribute; without a value, it is cleared; a list is comma-separated (repeatable)',
      oncePerKey,
    )
    .option('--activate', 'activate the users')
    .addOption(
      new Option('--deactivate', 'deactivate the users, which also ends their sessions').conflicts(
        'activate',
      ),
    )
    .optionsGroup('Options:');
}

function withUserId(command: RollcallCommand): RollcallCommand {
  return command.argument('<id>', 'employee ID').option('--serial', 'treat the ID as a serial');
}

function withUserIds(command: RollcallCommand): RollcallCommand {
  return command.argument('<ids...>', 'employee IDs').option('--serial', 'treat the ID as a serial');
}

function withTime(command: RollcallCommand): RollcallCommand {
  return command
    .option(
      '--on <date|time>',
      'schedule it: 2026-12-31 in the time zone of the service, or 2026-12-31T18:00:00+01:00',
      effectiveTime,
    )
    .option('--approval', 'hold it until someone else approves it');
}
