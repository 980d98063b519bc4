import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { separator } from '../separators.js';
import type { DeactivateMax } from './apply/find-missing.js';

/** Two employee IDs for each row have to fit into one lookup. */
const chunkMax = 5_000;
/** More take more memory and are no faster: a chunk is looked up while the one before is sent. */
const chunkRows = 2_500;

export function syncCommand(program: RollcallCommand): void {
  const each = (text: string, all: string[] = []) => [...all, text];
  program
    .command('sync')
    .description('Make the people of the service those of a file: create new ones, update known ones.')
    .argument('<file>', 'CSV, XLSX, JSON or NDJSON; - for stdin')
    .optionsGroup('Look first:')
    .option('--dry-run', 'print the plan and do nothing')
    .option('--report <file>', 'every row with its outcome, as .csv, .json or .ndjson')
    .optionsGroup('What the file says:')
    .option(
      '--map <field=heading>',
      'the column of a field; name=First+Last joins two, email= leaves one out; repeatable',
      each,
    )
    .option('--rename-from <heading>', 'the column with the employee ID that a person had until now')
    .addOption(
      new Option('--empty <meaning>', 'what an empty cell does to a field')
        .choices(['leaves', 'clears'])
        .default('leaves'),
    )
    .addOption(new Option('--format <format>', 'if the content does not tell').choices(['csv', 'json']))
    .addOption(
      new Option('--encoding <encoding>', 'if the content does not tell').choices([
        'utf-8',
        'utf-16le',
        'utf-16be',
        'windows-1252',
      ]),
    )
    .option('--separator <character>', 'of a CSV file: , ; | or tab', separator)
    .option('--sheet <name>', 'of a workbook; otherwise the first')
    .option(
      '--heading-row <number>',
      'the row of the headings; otherwise the first that is not blank',
      wholeNumber,
    )
    .optionsGroup('Who is not in the file:')
    .option('--deactivate-missing', 'the file is everybody: deactivate who is not in it')
    .addOption(
      new Option('--max-deactivate <n|n%>', 'refuse the file if more would be deactivated')
        .argParser(deactivateMax)
        .default({ percent: 10 } satisfies DeactivateMax, '10%'),
    )
    .option('--keep <ids>', 'employee IDs that are never deactivated, separated by commas', (text) =>
      text.split(',').map((id) => id.trim()),
    )
    .optionsGroup('How it is done:')
    .option('--resume', 'go on with a sync of this file that was interrupted')
    .addOption(
      new Option('--deliver <when>', 'when new people get their passwords')
        .choices(['now', 'hold'])
        .default('now'),
    )
    .option('--confirm', 'do what the brake of the service asks to have confirmed')
    .option('--chunk <rows>', `rows in one call, ${chunkMax} at the most`, chunk, chunkRows)
    .optionsGroup('Options:')
    .details(
      `Rows are matched by employee ID. A field that the file lacks is left alone; who is new and has no isActive is active.
Nothing is done before the whole file has been read, and a row that is wrong does not keep the others from being done.

Exit codes: 0 done, 1 some rows failed, 2 wrong use, 3 the service cannot be reached, 4 refused.
`,
    )
    .examples(
      'rollcall sync people.csv --dry-run --report plan.csv',
      'rollcall sync people.csv --report outcome.csv',
      'rollcall sync everybody.xlsx --deactivate-missing --max-deactivate 5% --keep admin',
      "rollcall sync renamed.csv --map name=Vorname+Nachname --rename-from 'Alte Nummer'",
      'rollcall export --format ndjson | rollcall sync - --dry-run',
    )
    .runs('sync the file', async () => (await import('./sync.js')).sync);
}

function deactivateMax(text: string): DeactivateMax {
  const [, number, percent] = /^(\d{1,9}(?:\.\d{1,3})?)(%?)$/.exec(text) ?? [];
  const value = Number(number);
  if (number === undefined || (percent ? value > 100 : !Number.isInteger(value))) {
    throw new InvalidArgumentError('It must be a number of people, or a share such as 5%.');
  }
  return percent ? { percent: value } : { people: value };
}

function chunk(text: string): number {
  const rows = wholeNumber(text);
  if (rows > chunkMax) throw new InvalidArgumentError(`It must be ${chunkMax} at the most.`);
  return rows;
}
