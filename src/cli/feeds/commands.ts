import { Option } from 'commander';
import { feedRowKinds, feedRunStates } from '../../contract/enums.js';
import { wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

const exits =
  'Exit codes: 0 done, 1 some rows failed, 2 usage error, 3 service unreachable, 4 the run stopped, failed or waits for approval.';

export function feedCommands(program: RollcallCommand): void {
  const feeds = program
    .command('feeds')
    .description(
      'Manage files that the service fetches and syncs. To create a feed, use apply, or the console.',
    );
  settingsCommands(feeds);
  startCommands(feeds);
  runCommands(feeds);
  applyCommand(feeds);
}

function settingsCommands(feeds: RollcallCommand): void {
  feeds
    .command('list')
    .description('List the feeds with their last and next run, and how many users recent runs changed.')
    .examples('rollcall feeds list', 'rollcall feeds list --json')
    .runs('list the feeds', async () => (await import('./feeds.js')).listFeeds);

  withKey(feeds.command('show'))
    .alias('get')
    .description('Show a feed, its open or last run, and what to do next.')
    .examples('rollcall feeds show workday')
    .runs('show the feed', async () => (await import('./feeds.js')).showFeed);

  withKey(feeds.command('pause'))
    .description('Suspend the schedule of a feed.')
    .examples('rollcall feeds pause workday')
    .runs('pause the feed', async () => (await import('./feeds.js')).pauseFeed);

  withKey(feeds.command('resume'))
    .description('Resume the schedule of a feed.')
    .examples('rollcall feeds resume workday')
    .runs('resume the feed', async () => (await import('./feeds.js')).resumeFeed);

  withYes(withKey(feeds.command('delete')))
    .description('Delete a feed with its settings, runs and stored files. Its users stay.')
    .examples('rollcall feeds delete workday --yes')
    .runs('delete the feed', async () => (await import('./feeds.js')).deleteFeed);
}

function startCommands(feeds: RollcallCommand): void {
  withWait(withDryRun(withKey(feeds.command('run'))))
    .description('Fetch the file of a feed and sync it now.')
    .details(exits)
    .examples('rollcall feeds run nightly --dry-run --no-wait')
    .runs('run the feed', async () => (await import('./start-runs.js')).runFeed);

  withWait(withDryRun(withKey(feeds.command('upload'))))
    .argument('<file>', 'CSV, XLSX, JSON or NDJSON; - for stdin')
    .description('Upload a file to a feed and sync it. A run that waits for approval is replaced.')
    .details(exits)
    .examples(
      'rollcall feeds upload workday users.csv --dry-run',
      'rollcall feeds upload workday - --no-wait < users.csv',
    )
    .runs('upload the file', async () => (await import('./start-runs.js')).uploadToFeed);

  withWait(withKey(feeds.command('replay')))
    .argument('<run>', 'ID of a run whose file is still stored')
    .description('Show what the file of an earlier run would do now, without changing anything.')
    .details(exits)
    .examples('rollcall feeds replay workday "$FEED_RUN"')
    .runs('replay the run', async () => (await import('./start-runs.js')).replayRun);
}

function runCommands(feeds: RollcallCommand): void {
  withKey(feeds.command('runs'))
    .description('List the runs of a feed, newest first.')
    .addOption(new Option('--state <state>', 'only runs in this state').choices(feedRunStates))
    .examples('rollcall feeds runs workday', 'rollcall feeds runs workday --state failed --json')
    .lists('list the runs', async () => (await import('./list-runs.js')).listRuns);

  withKey(feeds.command('rows'))
    .argument('[run]', 'run ID; by default the last run')
    .description('List the rows of a run that changed something or failed, or would do so.')
    .details('Rows without changes are only counted, not listed.')
    .addOption(new Option('--kind <kind>', 'only rows with this outcome').choices(feedRowKinds))
    .addOption(
      new Option('--report <file>', 'write all rows to a .csv, .json or .ndjson file').conflicts([
        'json',
        'limit',
      ]),
    )
    .examples(
      'rollcall feeds rows workday',
      'rollcall feeds rows workday "$FEED_RUN" --kind failed --report failed.csv',
    )
    .lists('list the rows', async () => (await import('./list-runs.js')).listRows);

  withWait(withYes(withOpenRun(feeds.command('approve'))), false)
    .description('Approve a run that waits, so that it goes on.')
    .details(exits)
    .examples('rollcall feeds approve workday --yes')
    .runs('approve the run', async () => (await import('./decide-runs.js')).approveRun);

  withYes(withOpenRun(feeds.command('cancel')))
    .description('Reject a run that waits, or stop one that is under way. What it has done stays.')
    .examples('rollcall feeds cancel workday "$FEED_WAITING" --yes')
    .runs('cancel the run', async () => (await import('./decide-runs.js')).cancelRun);

  withWait(withYes(withKey(feeds.command('undo')).argument('<run>', 'run ID')))
    .description('Undo a run. What others have changed since is kept.')
    .option('--dry-run', 'show what would be undone without changing anything')
    .option(
      '--confirm <count>',
      'proceed beyond the safety limit: the number of users that the undo affects, as the refusal states it',
      wholeNumber,
    )
    .details('Users that the run created are removed.')
    .examples(
      'rollcall feeds undo workday "$FEED_RUN" --dry-run',
      'rollcall feeds undo workday "$FEED_RUN" --yes',
    )
    .runs('undo the run', async () => (await import('./decide-runs.js')).undoRun);
}

function applyCommand(feeds: RollcallCommand): void {
  withYes(feeds.command('apply'))
    .description('Create and change feeds as a YAML file describes them.')
    .argument('<file>', 'YAML or JSON; - for stdin')
    .option('--dry-run', 'show the plan without changing anything')
    .option('--prune', 'delete feeds that the file does not describe')
    .option('--secrets', 'also send secrets that the service has already, to replace them')
    .details(
      `The file lists the feeds by key, with the settings of the API:

  feeds:
    - key: workday
      name: Staff from Workday
      source: { type: sftp, host: sftp.example.com, username: rollcall, path: /out/staff-*.csv }
      secret: { env: WORKDAY_PASSWORD }
      schedule: { cron: 30 4 * * 1-5, timeZone: Europe/Berlin, until: 07:00 }
      mapping:
        columns:
          - { field: employeeID, columns: [Personnel no.] }
          - { field: name, columns: [First name, Last name] }
          - { field: email, columns: [Mail] }
      rules: { deactivateMissing: true, rehire: true }

Settings that the file does not name stay as they are, and null resets one. The others are replaced as a whole.
A secret, passphrase or chatUrl is { env: VARIABLE } or { file: PATH }, never a text. It is sent if the service has none, with a
changed source or chat, and with --secrets.`,
    )
    .examples(
      'rollcall feeds apply feeds.yaml --dry-run',
      'rollcall feeds apply feeds.yaml',
      'rollcall feeds apply feeds.yaml --prune --yes',
    )
    .runs('apply the file', async () => (await import('./apply.js')).applyFeeds);
}

function withKey(command: RollcallCommand): RollcallCommand {
  return command.argument('<key>', 'key of the feed');
}

function withOpenRun(command: RollcallCommand): RollcallCommand {
  return withKey(command).argument('[run]', 'run ID; by default the one that waits or is under way');
}

function withDryRun(command: RollcallCommand): RollcallCommand {
  return command.option('--dry-run', 'only report what the run would do');
}

function withYes(command: RollcallCommand): RollcallCommand {
  return command.option('--yes', 'skip the confirmation prompt');
}

function withWait(command: RollcallCommand, isDefault = true): RollcallCommand {
  return command
    .option('--wait', 'wait until the run ends or waits for approval', isDefault)
    .option('--no-wait', 'return once the run has begun');
}
