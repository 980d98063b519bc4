import { Option } from 'commander';
import { targetDeactivations } from '../../contract/enums.js';
import { scimTargetLimits } from '../../contract/limits.js';
import { commaSeparated, trueOrFalse, wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function targetCommands(scim: RollcallCommand): void {
  const targets = scim
    .command('targets')
    .description('Manage SCIM targets: other services that users and groups are pushed to.');

  targets
    .command('list')
    .description('List SCIM targets.')
    .examples('rollcall scim targets list')
    .lists('list the SCIM targets', async () => (await import('./targets.js')).listTargets);

  withTarget(targets.command('show'))
    .description('Show a SCIM target, its queue and its last comparison.')
    .examples('rollcall scim targets show "$TARGET"')
    .runs('show the SCIM target', async () => (await import('./targets.js')).showTarget);

  withSettings(targets.command('create'))
    .description('Create a SCIM target, and push everybody to it. Its token is read from standard input.')
    .argument('<name>', 'what it is called')
    .argument('<url>', 'base URL of the SCIM service')
    .details('URLs in a private network require ROLLCALL_WEBHOOK_TARGETS=any on the service.')
    .examples(
      'openssl rand -hex 16 | rollcall scim targets create Wiki http://localhost:9000/scim/v2 --groups true',
    )
    .runs('create the SCIM target', async () => (await import('./targets.js')).createTarget);

  withTarget(withSettings(targets.command('update')))
    .description('Update a SCIM target.')
    .option('--name <name>', 'what it is called')
    .option('--url <url>', 'base URL of the SCIM service')
    .option('--new-token', 'read a new token from standard input')
    .examples('rollcall scim targets update "$TARGET" --on-deactivate delete')
    .runs('update the SCIM target', async () => (await import('./targets.js')).updateTarget);

  withTarget(targets.command('pause'))
    .description('Stop pushing for a while.')
    .examples('rollcall scim targets pause "$TARGET"')
    .runs('pause the SCIM target', async () => (await import('./targets.js')).pauseTarget);

  withTarget(targets.command('resume'))
    .description('Push everything that has happened since the target was paused.')
    .examples('rollcall scim targets resume "$TARGET"')
    .runs('resume the SCIM target', async () => (await import('./targets.js')).resumeTarget);

  withTarget(targets.command('sync'))
    .description('Push everybody again, in the background.')
    .examples('rollcall scim targets sync "$TARGET"')
    .runs('sync the SCIM target', async () => (await import('./targets.js')).syncTarget);

  withTarget(targets.command('failures'))
    .description('List users and groups that could not be pushed. They are tried again.')
    .examples('rollcall scim targets failures "$TARGET"')
    .lists('list the failures', async () => (await import('./targets.js')).listFailures);

  withTarget(targets.command('compare'))
    .description('Compare the users and groups of a SCIM target with those here, in the background.')
    .examples('rollcall scim targets compare "$TARGET"')
    .runs('compare the SCIM target', async () => (await import('./targets.js')).compareTarget);

  withTarget(targets.command('differences'))
    .description('List what the last comparison has found.')
    .examples('rollcall scim targets differences "$TARGET"')
    .lists('list the differences', async () => (await import('./targets.js')).listDifferences);

  withTarget(targets.command('repair'))
    .description('Push the users and groups of the last comparison that differ.')
    .examples('rollcall scim targets repair "$TARGET"')
    .runs('repair the SCIM target', async () => (await import('./targets.js')).repairTarget);

  withTarget(targets.command('delete'))
    .description('Delete a SCIM target. What was pushed stays there.')
    .option('--yes', 'skip the confirmation prompt')
    .examples('rollcall scim targets delete "$TARGET" --yes')
    .runs('delete the SCIM target', async () => (await import('./targets.js')).deleteTarget);
}

function withTarget(command: RollcallCommand): RollcallCommand {
  return command.argument('<id>', 'ID of the SCIM target');
}

function withSettings(command: RollcallCommand): RollcallCommand {
  return command
    .option('--organizations <serials>', 'comma-separated: only users of these organizations', commaSeparated)
    .option('--tags <serials>', 'comma-separated: only users with one of these tags', commaSeparated)
    .option('--groups <true|false>', 'whether tags are pushed as groups', trueOrFalse)
    .option('--sensitive <true|false>', 'whether sensitive attributes are sent', trueOrFalse)
    .addOption(
      new Option('--on-deactivate <action>', 'what becomes of users there who are deactivated here').choices([
        ...targetDeactivations,
      ]),
    )
    .option(
      '--requests-per-second <count>',
      `at most, up to ${scimTargetLimits.requestsPerSecondMax}`,
      wholeNumber,
    );
}
