import { InvalidArgumentError, Option } from 'commander';
import type { DeactivateMax } from '#sheets';
import { callNote, pointInTime, separator, wholeNumber } from '../arguments.js';
import { withPlanOptions } from '../planning/options.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** One lookup has to hold two employee IDs per row. */
const chunkMax = 5_000;
/** Larger chunks take more memory and are no faster: the next chunk is looked up while one is sent. */
const chunkRows = 2_500;

export function syncCommand(program: RollcallCommand): void {
  const each = (text: string, all: string[] = []) => [...all, text];
  const command = program
    .command('sync')
    .description('Create and update users from a file.')
    .argument('<file>', 'CSV, XLSX, JSON or NDJSON; - for stdin')
    .optionsGroup('Preview and report:')
    .option('--dry-run', 'show the plan without changing anything')
    .option('--report <file>', 'write the outcome of every row to a .csv, .json or .ndjson file')
    .optionsGroup('Reading the file:')
    .option(
      '--map <field=heading>',
      'use this column for a field or attributes.KEY; name=First+Last joins two columns, email= ignores the field (repeatable)',
      each,
    )
    .option('--rename-from <heading>', 'column with the previous employee ID of renamed users')
    .addOption(
      new Option(
        '--as-of <time|file>',
        'resolve employee IDs as of a time, or "file" for when the file was last modified',
      ).argParser((text) => (text === 'file' ? text : pointInTime(text))),
    )
    .addOption(
      new Option('--empty <meaning>', 'what an empty cell does: leave the field unchanged, or clear it')
        .choices(['leaves', 'clears'])
        .default('leaves'),
    )
    .addOption(new Option('--format <format>', 'file format, if detection fails').choices(['csv', 'json']))
    .addOption(
      new Option('--encoding <encoding>', 'text encoding, if detection fails').choices([
        'utf-8',
        'utf-16le',
        'utf-16be',
        'windows-1252',
      ]),
    )
    .option('--separator <character>', 'CSV separator: , ; | or tab', separator)
    .option('--sheet <name>', 'sheet of a workbook (default: the first)')
    .option(
      '--heading-row <number>',
      'row that contains the headings (default: the first that looks like headings)',
      wholeNumber,
    )
    .optionsGroup('Names of organizations and tags:')
    .option(
      '--organization <name=serial>',
      'organization that a name in the file means; NAME= leaves the name out (repeatable)',
      each,
    )
    .option('--tag <name=serial>', 'the same for a tag (repeatable)', each)
    .option(
      '--names <file>',
      'read what names mean from a .csv file; if it does not exist, it is written with the names to decide about',
    )
    .addOption(
      new Option('--unknown <what>', 'what to do about names that are not in the directory')
        .choices(['stop', 'create', 'leave-out'])
        .default('stop'),
    )
    .optionsGroup('Returning users:')
    .option(
      '--rehire',
      'treat inactive users who are active in the file as new: they get only the data in the file, and a new password',
    )
    .optionsGroup('Missing users:')
    .option('--deactivate-missing', 'treat the file as a full export: deactivate users who are not in it')
    .addOption(
      new Option('--max-deactivate <n|n%>', 'abort if more users would be deactivated')
        .argParser(deactivateMax)
        .default({ percent: 10 } satisfies DeactivateMax, '10%'),
    )
    .option('--include-roles', 'also deactivate missing users who have a role')
    .option('--keep <ids>', 'comma-separated employee IDs that are never deactivated', (text) =>
      text.split(',').map((id) => id.trim()),
    )
    .optionsGroup('Execution:')
    .option('--resume', 'continue an interrupted sync of this file')
    .addOption(
      new Option('--deliver <when>', 'whether to send passwords to new users now, or hold them')
        .choices(['now', 'hold'])
        .default('now'),
    )
    .option('--notify', 'notify users whose email address or username changes')
    .option('--note <text>', 'what the sync is for; kept with its calls', callNote)
    .option('--confirm', 'proceed even if the sync exceeds the safety limit of the service')
    .option('--chunk <rows>', `rows per bulk call, up to ${chunkMax}`, chunk, chunkRows);
  withPlanOptions(command)
    .details(
      `Rows are matched by employee ID. Fields without a column stay unchanged; new users are active unless the file says otherwise.
Organizations and tags can be given by serial, name or former name. If one is unknown or ambiguous, nothing is changed until you
decide what it means; the service remembers decisions for later files, also for the console.
A column with the key or label of an attribute is used for it, unless a field is called so in the API. Synonyms of fields come
before those of attributes.
The whole file is read before anything is changed. Invalid rows do not prevent the others from being synced.
A scheduled sync compares the file with the users as they are now, and schedules each of its bulk calls.

Exit codes: 0 done, 1 some rows failed, 2 usage error, 3 service unreachable, 4 refused.
`,
    )
    .examples(
      'rollcall sync users.csv --dry-run --report plan.csv',
      'rollcall sync users.csv --as-of file --dry-run',
      'rollcall sync users.csv --effective-at 2099-01-01 --approval',
      "rollcall sync users.csv --report outcome.csv --note 'Reorganization in November'",
      'rollcall sync users.csv --rehire --dry-run',
      "rollcall sync users.csv --organization 'Berlin office=ORG7' --tag 'n/a=' --unknown create",
      'rollcall sync users.csv --names names.csv',
      'rollcall sync all-users.xlsx --deactivate-missing --max-deactivate 5%',
      "rollcall sync renamed.csv --map 'name=First name+Last name' --rename-from 'Old ID'",
      'rollcall export --format ndjson | rollcall sync - --dry-run',
    )
    .runs('sync the file', async () => (await import('./sync.js')).sync);
}

function deactivateMax(text: string): DeactivateMax {
  const [, number, percent] = /^(\d{1,9}(?:\.\d{1,3})?)(%?)$/.exec(text) ?? [];
  const value = Number(number);
  if (number === undefined || (percent ? value > 100 : !Number.isInteger(value))) {
    throw new InvalidArgumentError('Must be a number of users, or a percentage such as 5%.');
  }
  return percent ? { percent: value } : { users: value };
}

function chunk(text: string): number {
  const rows = wholeNumber(text);
  if (rows > chunkMax) throw new InvalidArgumentError(`Must be at most ${chunkMax}.`);
  return rows;
}
