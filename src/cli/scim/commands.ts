import { Option } from 'commander';
import {
  deletionChoices,
  employeeIdSources,
  providerKinds,
  unknownAttributesChoices,
  visibleUsersChoices,
} from '../../contract/enums.js';
import { scimLimits, tokenDaysMax } from '../../contract/limits.js';
import { countFromZero, wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { targetCommands } from './target-commands.js';

export function scimCommands(program: RollcallCommand): void {
  const scim = program
    .command('scim')
    .description('Manage provisioning over SCIM: identity providers, and services that users are pushed to.');
  providerCommands(scim);
  tokenCommands(scim);
  targetCommands(scim);

  withClient(scim.command('requests'))
    .description('List the last requests of an identity provider, newest first.')
    .option('--failed', 'only requests that failed')
    .examples('rollcall scim requests "$CLIENT"', 'rollcall scim requests "$CLIENT" --failed --json')
    .lists('list the requests', async () => (await import('./scim.js')).listRequests);

  withClient(scim.command('allow'))
    .description('Allow an identity provider to deactivate more users than its limit, for some hours.')
    .requiredOption('--count <users>', 'how many more users', wholeNumber)
    .option(
      '--hours <hours>',
      `for how long, at most ${scimLimits.allowedHoursMax}`,
      wholeNumber,
      scimLimits.allowedHoursDefault,
    )
    .examples(
      'rollcall scim allow "$CLIENT" --count 120',
      'rollcall scim allow "$CLIENT" --count 120 --hours 2',
    )
    .runs('allow more deactivations', async () => (await import('./scim.js')).allowDeactivations);
}

function providerCommands(scim: RollcallCommand): void {
  scim
    .command('providers')
    .description('List identity providers with their settings, and how many users they have deactivated.')
    .examples('rollcall scim providers')
    .lists('list identity providers', async () => (await import('./scim.js')).listProviders);

  withSettings(scim.command('connect'))
    .description(
      'Create a client, its settings and a token for an identity provider. Shows what to enter there.',
    )
    .argument('<name>', 'name of the identity provider')
    .details('The token is shown only once. Settings that are not given get the preset of the kind.')
    .examples(
      'rollcall scim connect Okta --kind okta',
      "rollcall scim connect 'Entra ID' --kind entra --json > entra.json",
    )
    .runs('connect the identity provider', async () => (await import('./scim.js')).connectProvider);

  withSettings(withClient(scim.command('settings')))
    .description('Show the settings of an identity provider, or change some of them.')
    .examples(
      'rollcall scim settings "$CLIENT"',
      'rollcall scim settings "$CLIENT" --deactivation-percent 10',
    )
    .runs('change the settings', async () => (await import('./scim.js')).changeSettings);
}

function tokenCommands(scim: RollcallCommand): void {
  withClient(scim.command('tokens'))
    .description('List the long-lived tokens of an identity provider with their last use.')
    .examples('rollcall scim tokens "$CLIENT"')
    .lists('list the tokens', async () => (await import('./scim.js')).listTokens);

  withClient(scim.command('create-token'))
    .description('Create a long-lived token. It is shown only once.')
    .requiredOption('--name <name>', 'where the token is used')
    .option(
      '--expires-in-days <days>',
      `lifetime of at most ${tokenDaysMax} days (default: no end)`,
      wholeNumber,
    )
    .examples('rollcall scim create-token "$CLIENT" --name Okta --expires-in-days 365')
    .runs('create the token', async () => (await import('./scim.js')).createToken);

  withClient(scim.command('revoke-token'))
    .description('Revoke a long-lived token. It stops working within seconds.')
    .argument('<token>', 'token ID')
    .option('--yes', 'skip the confirmation prompt')
    .examples('rollcall scim revoke-token "$CLIENT" "$CLIENT_TOKEN" --yes')
    .runs('revoke the token', async () => (await import('./scim.js')).revokeToken);
}

function withClient(command: RollcallCommand): RollcallCommand {
  return command.argument('<client>', 'client ID of the identity provider');
}

function withSettings(command: RollcallCommand): RollcallCommand {
  const { deactivationWindowHours: hours, deactivationsFew: few } = scimLimits;
  return command
    .addOption(new Option('--kind <kind>', 'kind of identity provider').choices(providerKinds))
    .addOption(
      new Option('--employee-id <source>', 'for new users without an employee number').choices(
        employeeIdSources,
      ),
    )
    .addOption(new Option('--on-delete <what>', 'what deleting a user does').choices(deletionChoices))
    .addOption(
      new Option('--visible-users <which>', 'which users the provider sees').choices(visibleUsersChoices),
    )
    .addOption(
      new Option('--unknown-attributes <what>', 'what becomes of unknown attributes').choices(
        unknownAttributesChoices,
      ),
    )
    .option(
      '--deactivation-percent <percent>',
      `active users it may deactivate within ${hours} hours, but at least ${few}; 0 means no limit`,
      countFromZero,
    );
}
