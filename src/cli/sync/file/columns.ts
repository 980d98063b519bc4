import {
  checkMapping,
  type FieldName,
  fieldsOf,
  guessMapping,
  type Heading,
  type Mapping,
  mappingProblemText,
  type UnmappedColumn,
} from '#sheets';
import { nearest } from '../../../config/nearest.js';
import { CommandProblem } from '../../problem.js';
import { harmless } from '../../terminal/text-width.js';

/** What the columns of a file are. */
export interface Columns {
  readonly mapping: Mapping;
  /** The column with the employee ID until now. */
  readonly from: number | undefined;
  readonly leftOut: readonly string[];
}

export interface ColumnOptions {
  /** `field=Heading`, each of them; `field=` for a field that is not to be taken. */
  readonly map?: readonly string[] | undefined;
  readonly renameFrom?: string | undefined;
}

/** What the headings say, unless the options say otherwise. */
export function columnsOf(headings: readonly Heading[], { map = [], renameFrom }: ColumnOptions): Columns {
  const from = renameFrom === undefined ? undefined : columnNamed(headings, renameFrom, '--rename-from');
  const given = Object.fromEntries(map.map((entry) => mapped(headings, entry)));
  const taken = new Set([...Object.values(given).flat(), ...(from === undefined ? [] : [from])]);
  const { mapping: guessed, unmapped } = guessMapping(headings, 'sync');
  const mapping: Mapping = { ...withoutColumns(guessed, taken), ...given };
  // With the old ID in a column of its own, the other one is what it is to be.
  if (from !== undefined && mapping.newEmployeeID && !('newEmployeeID' in given))
    delete mapping.newEmployeeID;
  for (const field of Object.keys(given) as FieldName[])
    if (given[field]?.length === 0) delete mapping[field];
  const problems = checkMapping(mapping, headings, 'sync');
  if (problems.length > 0) throw new CommandProblem('wrongUse', problemText(problems, headings));
  if (from !== undefined && mapping.newEmployeeID) {
    throw new CommandProblem(
      'wrongUse',
      'A file has either the old employee ID in a column (--rename-from) or the new one (newEmployeeID), not both.',
    );
  }
  const used = new Set([...Object.values(mapping).flat(), from]);
  return { mapping, from, leftOut: namesOf(unmapped, headings, used) };
}

function withoutColumns(mapping: Mapping, columns: ReadonlySet<number>): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).filter(([, used]) => !used.some((column) => columns.has(column))),
  );
}

function problemText(problems: ReturnType<typeof checkMapping>, headings: readonly Heading[]): string {
  const told = problems.map((problem) => mappingProblemText(problem, headings, 'sync')).join(' ');
  const there = headings.map(({ name }) => `"${name}"`).join(', ');
  return `${told} The headings are ${there}. Say which is which with --map, such as --map employeeID="${headings[0]?.name}".`;
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
      `--map ${entry}: it must be field=Heading, and "${name}" is no field${meant ? ` (did you mean ${meant}?)` : ''}. Fields are ${fields.join(', ')}.`,
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
    `${option}: there is no column "${name}"${meant ? `; did you mean "${meant}"?` : `. There are ${names.join(', ')}.`}`,
  );
}

/** As it is written, or else without regard to case and the spaces around it. */
function headingNamed(headings: readonly Heading[], name: string): Heading | undefined {
  const plain = (text: string) => text.trim().toLowerCase();
  return (
    headings.find((heading) => heading.name === name) ??
    headings.find((heading) => plain(heading.name) === plain(name))
  );
}

/** How the columns are understood, in a line. */
export function columnsText({ mapping, from, leftOut }: Columns, headings: readonly Heading[]): string {
  const nameOf = (column: number) => headings[column]?.name ?? '';
  const taken = Object.entries(mapping).map(([field, columns]) => {
    const names = columns.map(nameOf).join(' + ');
    return names === field ? field : `${field} ← ${names}`;
  });
  const old = from === undefined ? '' : `, renamed from ${nameOf(from)}`;
  const rest = leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`;
  return harmless(`Columns: ${taken.join(', ')}${old}${rest}`);
}
