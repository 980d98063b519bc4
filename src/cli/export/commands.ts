import { Option } from 'commander';
import { commaSeparated, separators } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { withUserFilters, withUserSort } from '../users/filters.js';
import { columns, defaultColumns, formats } from './format.js';

export function exportCommand(program: RollcallCommand): void {
  withUserSort(withUserFilters(program.command('export')))
    .description('Export users to a file that `rollcall sync` can read.')
    .optionsGroup('Output:')
    .option('--output <file>', 'output file (default: stdout)')
    .addOption(
      new Option('--format <format>', 'file format (default: by file extension, or csv)').choices(formats),
    )
    .option(
      '--columns <names>',
      `comma-separated columns out of ${columns.join(', ')} and the keys of attributes (default: the first ${defaultColumns.length} and all attributes)`,
      commaSeparated,
    )
    .addOption(
      new Option('--separator <character>', 'CSV separator (default: a comma)').choices(
        Object.keys(separators),
      ),
    )
    .option('--bom', 'start CSV with a byte order mark, so that Excel detects UTF-8')
    .option('--raw', 'no apostrophes in CSV, for programs other than spreadsheets')
    .optionsGroup('Options:')
    .details(
      `In CSV, a cell that a spreadsheet would take for a formula (=, +, -, @), or for a number such as 1E+02, begins with an
apostrophe, which every Rollcall program removes again. Phone numbers such as +49 40 123 have none. For other programs,
use --raw or --format ndjson.

A file is replaced only when the export is complete. Until then it is written to FILE.partial.
With --json, stdout is JSON: one user per line, or {rows, file, format, ms} with --output.`,
    )
    .examples(
      'rollcall export --output all-users.xlsx',
      'rollcall export --active true --sort name --columns employeeID,name,email > users.csv',
      'rollcall export --role administrator --role operator --output staff.xlsx',
      "rollcall export --output users.csv --separator ';' --bom",
      'rollcall export --raw > users-for-pandas.csv',
      'rollcall export --format ndjson | gzip > users.ndjson.gz',
    )
    .runs('export users', async () => (await import('./export-users.js')).exportUsers);
}
