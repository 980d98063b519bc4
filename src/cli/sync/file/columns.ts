import {
  checkMapping,
  type FieldName,
  fieldsOf,
  guessMapping,
  type Heading,
  type Mapping,
  mappingProblemText,
  type SyncColumns,
  type UnmappedColumn,
} from '#sheets';
import { nearest } from '../../../config/nearest.js';
import { CommandProblem } from '../../problem.js';
import { sanitize } from '../../terminal/text-width.js';

export interface Columns extends SyncColumns {
  readonly ignored: readonly string[];
}

export interface ColumnOptions {
  /** `field=Heading` entries; `field=` ignores a field. */
  readonly map?: readonly string[] | undefined;
  readonly renameFrom?: string | undefined;
}

/** Guessed from the headings unless the options say otherwise. */
export function columnsOf(headings: readonly Heading[], { map = [], renameFrom }: ColumnOptions): Columns {
  const from = renameFrom === undefined ? undefined : columnNamed(headings, renameFrom, '--rename-from');
  const given = Object.fromEntries(map.map((entry) => mapped(headings, entry)));
  const taken = new Set([...Object.values(given).flat(), ...(from === undefined ? [] : [from])]);
  const { mapping: guessed, unmapped } = guessMapping(headings, 'sync');
  const mapping: Mapping = { ...withoutColumns(guessed, taken), ...given };
  // If the old ID has its own column, the employee ID column is the new one.
  if (from !== undefined && mapping.newEmployeeID && !('newEmployeeID' in given))
    delete mapping.newEmployeeID;
  for (const field of Object.keys(given) as FieldName[])
    if (given[field]?.length === 0) delete mapping[field];
  const problems = checkMapping(mapping, headings, 'sync');
  if (problems.length > 0) throw new CommandProblem('wrongUse', problemText(problems, headings));
  if (from !== undefined && mapping.newEmployeeID) {
    throw new CommandProblem(
      'wrongUse',
      'Give either the column with the old employee ID (--rename-from) or the one with the new ID (newEmployeeID), not both.',
    );
  }
  const used = new Set([...Object.values(mapping).flat(), from]);
  return { mapping, from, ignored: namesOf(unmapped, headings, used) };
}

function withoutColumns(mapping: Mapping, columns: ReadonlySet<number>): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).filter(([, used]) => !used.some((column) => columns.has(column))),
  );
}

function problemText(problems: ReturnType<typeof checkMapping>, headings: readonly Heading[]): string {
  const texts = problems.map((problem) => mappingProblemText(problem, headings, 'sync')).join(' ');
  const names = headings.map(({ name }) => `"${name}"`).join(', ');
  return `${texts} The headings are ${names}. Map them with --map, for example --map employeeID="${headings[0]?.name}".`;
}

function namesOf(
  unmapped: readonly UnmappedColumn[],
  headings: readonly Heading[],
  used: ReadonlySet<number | undefined>,
): string[] {
  const columns = new Set(unmapped.map(({ column }) => column));
  return headings.flatMap(({ column, name, isEmpty }) =>
    columns.has(column) && !used.has(column) && !isEmpty ? [name] : [],
  );
}

function mapped(headings: readonly Heading[], entry: string): [FieldName, readonly number[]] {
  const [, name = '', source = ''] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
  const fields = fieldsOf('sync');
  const field = fields.find((each) => each.toLowerCase() === name.trim().toLowerCase());
  if (!field) {
    const meant = nearest(name, fields);
    throw new CommandProblem(
      'wrongUse',
      `--map ${entry}: "${name}" is not a field${meant ? ` (did you mean ${meant}?)` : ''}. Use field=Heading with one of these fields: ${fields.join(', ')}.`,
    );
  }
  if (source.trim() === '') return [field, []];
  const whole = headingNamed(headings, source);
  if (whole) return [field, [whole.column]];
  return [field, source.split('+').map((part) => columnNamed(headings, part, `--map ${entry}`))];
}

function columnNamed(headings: readonly Heading[], name: string, option: string): number {
  const heading = headingNamed(headings, name);
  if (heading) return heading.column;
  const names = headings.map((each) => each.name);
  const meant = nearest(name, names);
  throw new CommandProblem(
    'wrongUse',
    `${option}: the file has no column "${name}". ${meant ? `Did you mean "${meant}"?` : `Its columns are ${names.join(', ')}.`}`,
  );
}

/** An exact match, or else one that ignores case and surrounding spaces. */
function headingNamed(headings: readonly Heading[], name: string): Heading | undefined {
  const plain = (text: string) => text.trim().toLowerCase();
  return (
    headings.find((heading) => heading.name === name) ??
    headings.find((heading) => plain(heading.name) === plain(name))
  );
}

/** One line that shows how the columns are used. */
export function columnsText({ mapping, from, ignored }: Columns, headings: readonly Heading[]): string {
  const nameOf = (column: number) => headings[column]?.name ?? '';
  const taken = Object.entries(mapping).map(([field, columns]) => {
    const names = columns.map(nameOf).join(' + ');
    return names === field ? field : `${field} ← ${names}`;
  });
  const old = from === undefined ? '' : `, renamed from ${nameOf(from)}`;
  const rest = ignored.length === 0 ? '' : `; ignored: ${ignored.join(', ')}`;
  return sanitize(`Columns: ${taken.join(', ')}${old}${rest}`);
}
