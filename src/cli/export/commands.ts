import { Option } from 'commander';
import { wordsOf } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { separators } from '../separators.js';
import { withUserFilters } from '../users/filters.js';
import { columns, columnsByDefault } from './columns.js';
import { formats } from './format.js';

export function exportCommand(program: RollcallCommand): void {
  withUserFilters(program.command('export'))
    .description('Write everybody, or those who match, into a table that `rollcall sync` takes back.')
    .optionsGroup('The table:')
    .option('--output <file>', 'where it goes; without it to stdout')
    .addOption(
      new Option('--format <format>', 'otherwise by the name of the file, or else csv').choices(formats),
    )
    .option(
      '--columns <names>',
      `with commas in between, out of ${columns.join(', ')}; without it the first ${columnsByDefault.length}`,
      wordsOf(columns),
    )
    .addOption(
      new Option('--separator <character>', 'of CSV; a comma without it').choices(Object.keys(separators)),
    )
    .option('--bom', 'begin CSV with a byte order mark, so that Excel knows that it is UTF-8')
    .optionsGroup('Options:')
    .details(
      `A file is there once it is whole: until then it is called FILE.partial, and what was there before is left alone.
With --json stdout is JSON: the people, an object a line, or with --output {rows, file, format, ms}.`,
    )
    .examples(
      'rollcall export --output everybody.xlsx',
      'rollcall export --active true --sort name --columns employeeID,name,email > people.csv',
      "rollcall export --output people.csv --separator ';' --bom",
      'rollcall export --format ndjson | gzip > people.ndjson.gz',
    )
    .runs('export people', async () => (await import('./export-users.js')).exportUsers);
}
