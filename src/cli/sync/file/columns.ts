import {
  attributeField,
  attributeFinder,
  checkMapping,
  fieldsOf,
  guessMapping,
  type Heading,
  isAttributeField,
  type MappedField,
  type Mapping,
  mappingProblemText,
  type SyncColumns,
  type UnmappedColumn,
} from '#sheets';
import { nearest } from '../../../config/nearest.js';
import type { Attribute, Definitions } from '../../attribute-definitions.js';
import { CommandProblem } from '../../problem.js';
import { sanitize } from '../../terminal/text-width.js';

export interface Columns extends SyncColumns {
  readonly ignored: readonly string[];
  /** What to know about columns that are not used for the attribute that they name. */
  readonly notes: readonly string[];
}

export interface ColumnOptions {
  /** `field=Heading` entries; `field=` ignores a field. */
  readonly map?: readonly string[] | undefined;
  readonly renameFrom?: string | undefined;
}

/** Guessed from the headings unless the options say otherwise. */
export function columnsOf(
  headings: readonly Heading[],
  definitions: Definitions,
  { map = [], renameFrom }: ColumnOptions,
): Columns {
  const from = renameFrom === undefined ? undefined : columnNamed(headings, renameFrom, '--rename-from');
  const given = Object.fromEntries(map.map((entry) => mapped(headings, definitions, entry)));
  const taken = new Set([...Object.values(given).flat(), ...(from === undefined ? [] : [from])]);
  const { mapping: guessed, unmapped } = guessMapping(headings, 'sync', definitions.visible);
  const mapping: Mapping = { ...withoutColumns(guessed, taken), ...given };
  // If the old ID has its own column, the employee ID column is the new one.
  if (from !== undefined && mapping.newEmployeeID && !('newEmployeeID' in given))
    delete mapping.newEmployeeID;
  for (const field of Object.keys(given) as MappedField[])
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
  const ignored = namesOf(unmapped, headings, used);
  return { mapping, from, ignored, notes: attributeNotes(mapping, headings, definitions, used) };
}

/** Says so if a heading names an attribute, but its column belongs to a field, or the values are not for the caller. */
function attributeNotes(
  mapping: Mapping,
  headings: readonly Heading[],
  { visible, hidden }: Definitions,
  used: ReadonlySet<number | undefined>,
): string[] {
  const [findVisible, findHidden] = [attributeFinder(visible), attributeFinder(hidden)];
  const fieldOf = (column: number) =>
    (Object.keys(mapping) as MappedField[]).find((field) => mapping[field]?.includes(column));
  return headings.flatMap(({ column, name, isEmpty }) => {
    const field = fieldOf(column);
    const named = isEmpty ? undefined : findVisible(name);
    if (field !== undefined && named && !isAttributeField(field) && !mapping[attributeField(named.key)]) {
      return [
        `"${name}" is read as ${field}. For the attribute ${named.key}, use --map 'attributes.${named.key}=${name}'.`,
      ];
    }
    const secret = isEmpty || used.has(column) ? undefined : findHidden(name);
    if (!secret) return [];
    return [
      `"${name}" is ignored: the attribute ${secret.key} is sensitive, and you lack attributes:sensitive.`,
    ];
  });
}

function withoutColumns(mapping: Mapping, columns: ReadonlySet<number>): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).filter(([, used]) => !used?.some((column) => columns.has(column))),
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

function mapped(
  headings: readonly Heading[],
  { visible }: Definitions,
  entry: string,
): [MappedField, readonly number[]] {
  const [, name = '', source = ''] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
  const fields: MappedField[] = [
    ...fieldsOf('sync'),
    ...visible.map(({ key }: Attribute) => attributeField(key)),
  ];
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
    const names = (columns ?? []).map(nameOf).join(' + ');
    return names === field ? field : `${field} ← ${names}`;
  });
  const old = from === undefined ? '' : `, renamed from ${nameOf(from)}`;
  const rest = ignored.length === 0 ? '' : `; ignored: ${ignored.join(', ')}`;
  return sanitize(`Columns: ${taken.join(', ')}${old}${rest}`);
}
