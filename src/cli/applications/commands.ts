import { countFromZero } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function applicationCommands(program: RollcallCommand): void {
  const applications = program
    .command('applications')
    .description('Manage applications, whose users sign in with their account here.');

  applications
    .command('list')
    .description('List applications.')
    .examples('rollcall applications list')
    .lists('list applications', async () => (await import('./applications.js')).listApplications);

  applications
    .command('show')
    .description('Show an application.')
    .argument('<name>', 'name or ID of the application')
    .examples('rollcall applications show Wiki')
    .runs('show the application', async () => (await import('./applications.js')).showApplication);

  applications
    .command('apply')
    .description('Create and change applications as a YAML file describes them.')
    .argument('<file>', 'YAML or JSON; - for stdin')
    .option('--dry-run', 'show the plan without changing anything')
    .details(
      `The file lists the applications by name, with the settings of the API:

  applications:
    - name: Wiki
      redirectUris: [https://wiki.example.com/callback]
      scopes: [openid, profile, email]
      tagSerials: [staff]

Settings and applications that the file does not name stay as they are. The secrets of new applications are shown only once.`,
    )
    .examples(
      'rollcall applications apply applications.yaml --dry-run',
      'rollcall applications apply applications.yaml',
    )
    .runs('apply the file', async () => (await import('./apply.js')).applyApplications);

  applications
    .command('rotate-secret')
    .description('Issue a new secret, shown only once. The current one works for a while.')
    .argument('<name>', 'name or ID of the application')
    .option(
      '--overlap-seconds <seconds>',
      'how long the old secret works; 0 also ends the access of all users (default: one day)',
      countFromZero,
    )
    .examples('rollcall applications rotate-secret Wiki')
    .runs('rotate the secret', async () => (await import('./applications.js')).rotateApplicationSecret);

  applications
    .command('delete')
    .description('Delete an application. The access of all users ends.')
    .argument('<name>', 'name or ID of the application')
    .option('--yes', 'skip the confirmation prompt')
    .examples('rollcall applications delete Wiki --yes')
    .runs('delete the application', async () => (await import('./applications.js')).deleteApplication);
}
