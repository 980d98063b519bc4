import {
  type Attribute,
  attributeField,
  attributeFinder,
  isAttributeField,
  type MappedField,
} from './attributes.js';
import { type FieldName, fieldsOf, type Operation, requiredFieldsOf } from './fields.js';
import type { Heading } from './headings.js';
import { type HeadingMeaning, recognise } from './synonyms.js';

/** The columns of each field, and of each attribute. Only a name can have several, joined in this order. */
export type Mapping = Partial<Record<MappedField, readonly number[]>>;

export interface UnmappedColumn {
  readonly column: number;
  readonly heading: string;
  readonly why: 'unknown' | 'taken' | 'notAccepted' | 'incomplete';
  /** The field that the heading seems to name. */
  readonly field?: MappedField;
}

export interface GuessedMapping {
  readonly mapping: Mapping;
  readonly unmapped: readonly UnmappedColumn[];
}

export type MappingProblem =
  | { readonly code: 'HEADINGS_UNKNOWN' }
  | { readonly code: 'FIELDS_MISSING'; readonly fields: readonly FieldName[] }
  | { readonly code: 'CONTACT_MISSING' }
  | { readonly code: 'FIELD_NOT_ACCEPTED'; readonly field: FieldName }
  | { readonly code: 'COLUMN_TWICE'; readonly column: number; readonly fields: readonly MappedField[] }
  | { readonly code: 'COLUMN_UNKNOWN'; readonly field: MappedField; readonly column: number }
  | { readonly code: 'COLUMNS_NOT_JOINED'; readonly field: MappedField };

/** Guesses the field of each column from the headings alone. An attribute gets a column that no field takes. */
export function guessMapping(
  headings: readonly Heading[],
  operation: Operation,
  attributes: readonly Attribute[] = [],
): GuessedMapping {
  const guessed = guessFields(headings, operation);
  return attributes.length === 0 ? guessed : withAttributes(guessed, headings, attributes);
}

function withAttributes(
  { mapping, unmapped }: GuessedMapping,
  headings: readonly Heading[],
  attributes: readonly Attribute[],
): GuessedMapping {
  const find = attributeFinder(attributes);
  const found = unmapped.map(({ column, why }) => {
    const { name, isEmpty } = headings[column] ?? { name: '', isEmpty: true };
    return isEmpty || why === 'notAccepted' ? undefined : find(name);
  });
  const best = new Map<string, number>();
  for (const [at, named] of found.entries()) {
    const other = named && found[best.get(named.key) ?? -1];
    if (named && (other === undefined || named.rank < other.rank)) best.set(named.key, at);
  }
  const columns = [...best].map(([key, at]) => [attributeField(key), [unmapped[at]?.column]] as const);
  const rest = unmapped.flatMap((left, at): UnmappedColumn[] => {
    const named = found[at];
    if (named === undefined) return [left];
    if (best.get(named.key) === at) return [];
    return [{ ...left, why: 'taken', field: attributeField(named.key) }];
  });
  return { mapping: { ...mapping, ...Object.fromEntries(columns) }, unmapped: rest };
}

function guessFields(headings: readonly Heading[], operation: Operation): GuessedMapping {
  const meanings = headings.map(({ name, isEmpty }) => (isEmpty ? undefined : recognise(name)));
  const best = new Map<HeadingMeaning, number>();
  for (const [column, found] of meanings.entries()) {
    const other = found && meanings[best.get(found.meaning) ?? -1];
    if (found && (other === undefined || found.rank < other.rank)) best.set(found.meaning, column);
  }
  const mapping: Mapping = {};
  for (const field of fieldsOf(operation)) {
    const columns = field === 'name' ? nameColumns(best) : present(best.get(field));
    if (columns.length > 0) mapping[field] = columns;
  }
  const used = new Set(Object.values(mapping).flat());
  const unmapped = headings.flatMap(({ column, name }): UnmappedColumn[] => {
    if (used.has(column)) return [];
    const meaning = meanings[column]?.meaning;
    if (meaning === undefined) return [{ column, heading: name, why: 'unknown' }];
    const field = isPartOfName(meaning) ? 'name' : meaning;
    if (!fieldsOf(operation).includes(field)) return [{ column, heading: name, why: 'notAccepted', field }];
    return [{ column, heading: name, why: mapping[field] ? 'taken' : 'incomplete', field }];
  });
  return { mapping, unmapped };
}

function isPartOfName(meaning: HeadingMeaning): meaning is Exclude<HeadingMeaning, FieldName> {
  return meaning === 'firstName' || meaning === 'lastName' || meaning === 'nameOrFirstName';
}

/** In German lists, "Name" next to "Vorname" is the last name. Half of a name isn't a name. */
function nameColumns(best: ReadonlyMap<HeadingMeaning, number>): number[] {
  const [either, last] = [best.get('nameOrFirstName'), best.get('lastName')];
  const full = best.get('name') ?? (last === undefined ? either : undefined);
  const first = best.get('firstName') ?? (last === undefined ? undefined : either);
  if (full !== undefined) return first !== undefined && last === undefined ? [first, full] : [full];
  return first !== undefined && last !== undefined ? [first, last] : [];
}

const present = (column: number | undefined): number[] => (column === undefined ? [] : [column]);

/** Problems that prevent using a mapping, found without reading rows. */
export function checkMapping(
  mapping: Mapping,
  headings: readonly Heading[],
  operation: Operation,
): MappingProblem[] {
  const mapped = (Object.keys(mapping) as MappedField[]).filter((field) => mapping[field]?.length);
  if (mapped.length === 0) return [{ code: 'HEADINGS_UNKNOWN' }];
  const problems: MappingProblem[] = [];
  const missing = requiredFieldsOf(operation).filter((field) => !mapped.includes(field));
  if (missing.length > 0) problems.push({ code: 'FIELDS_MISSING', fields: missing });
  if (operation === 'create' && !mapped.includes('email') && !mapped.includes('phone')) {
    problems.push({ code: 'CONTACT_MISSING' });
  }
  const users = new Map<number, MappedField[]>();
  for (const field of mapped) {
    const columns = mapping[field] ?? [];
    if (!isAttributeField(field) && !fieldsOf(operation).includes(field))
      problems.push({ code: 'FIELD_NOT_ACCEPTED', field });
    if (columns.length > 1 && field !== 'name') problems.push({ code: 'COLUMNS_NOT_JOINED', field });
    for (const column of columns) {
      if (headings[column] === undefined) problems.push({ code: 'COLUMN_UNKNOWN', field, column });
      users.set(column, [...(users.get(column) ?? []), field]);
    }
  }
  for (const [column, fields] of users) {
    if (fields.length > 1) problems.push({ code: 'COLUMN_TWICE', column, fields });
  }
  return problems;
}

/** Describes a mapping problem in a sentence. */
export function mappingProblemText(
  problem: MappingProblem,
  headings: readonly Heading[],
  operation: Operation,
): string {
  const quoted = (fields: readonly string[]): string => fields.map((field) => `"${field}"`).join(' and ');
  const nameOf = (column: number): string => headings[column]?.name ?? String(column);
  switch (problem.code) {
    case 'HEADINGS_UNKNOWN':
      return 'No heading matches a field of a user.';
    case 'FIELDS_MISSING':
      return `The ${operation} needs ${quoted(problem.fields)} in every row, but no column has ${problem.fields.length > 1 ? 'them' : 'it'}.`;
    case 'CONTACT_MISSING':
      return `The ${operation} needs "email" or "phone", but no column has either.`;
    case 'FIELD_NOT_ACCEPTED':
      return `"${problem.field}" is not accepted by the ${operation}.`;
    case 'COLUMN_TWICE':
      return `The column "${nameOf(problem.column)}" is used for ${quoted(problem.fields)}.`;
    case 'COLUMN_UNKNOWN':
      return `There is no column ${problem.column + 1}, which is mapped to "${problem.field}".`;
    case 'COLUMNS_NOT_JOINED':
      return `"${problem.field}" can only come from one column.`;
  }
}
