import { type Attribute, attributeFinder, type NamedAttribute } from './attributes.js';
import {
  attributeField,
  type FieldName,
  fieldsOf,
  isAttributeField,
  type MappedField,
  type Operation,
  requiredFieldsOf,
} from './fields.js';
import type { Heading } from './headings.js';
import { type HeadingMeaning, type Recognised, recognise } from './synonyms.js';

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

/**
 * Guesses the field or attribute of each column from the headings alone. The key or label of an attribute counts for more
 * than a synonym of a field, and less than its name in the API.
 */
export function guessMapping(
  headings: readonly Heading[],
  operation: Operation,
  attributes: readonly Attribute[] = [],
): GuessedMapping {
  const find = attributeFinder(attributes);
  const meanings = headings.map(({ name, isEmpty }) => (isEmpty ? undefined : recognise(name)));
  const named = headings.map(({ name, isEmpty }) => (isEmpty ? undefined : find(name)));
  const own = bestColumns(
    named.map((found, at) => (found?.isCalledSo && !isFirm(meanings[at], operation) ? found : undefined)),
    ({ key }) => key,
  );
  for (const column of own.values()) meanings[column] = undefined;
  return withAttributes(guessFields(headings, meanings, operation), named);
}

/** Nothing can be done without the required fields, so a synonym will do. */
function isFirm(found: Recognised | undefined, operation: Operation): boolean {
  if (found === undefined) return false;
  return found.rank < 0 || requiredFieldsOf(operation).some((field) => field === found.meaning);
}

/** The column of each name, which is the one whose heading says it best. */
function bestColumns<Found extends { readonly rank: number }, Name>(
  found: readonly (Found | undefined)[],
  nameOf: (each: Found) => Name,
): Map<Name, number> {
  const best = new Map<Name, number>();
  for (const [column, each] of found.entries()) {
    const other = each && found[best.get(nameOf(each)) ?? -1];
    if (each && (other === undefined || each.rank < other.rank)) best.set(nameOf(each), column);
  }
  return best;
}

/** An attribute gets a column that no field takes. */
function withAttributes(
  { mapping, unmapped }: GuessedMapping,
  named: readonly (NamedAttribute | undefined)[],
): GuessedMapping {
  const open = new Set(unmapped.flatMap(({ column, why }) => (why === 'notAccepted' ? [] : [column])));
  const found = named.map((each, column) => (open.has(column) ? each : undefined));
  const best = bestColumns(found, ({ key }) => key);
  const columns = [...best].map(([key, column]) => [attributeField(key), [column]] as const);
  const rest = unmapped.flatMap((left): UnmappedColumn[] => {
    const each = found[left.column];
    if (each === undefined) return [left];
    if (best.get(each.key) === left.column) return [];
    return [{ ...left, why: 'taken', field: attributeField(each.key) }];
  });
  return { mapping: { ...mapping, ...Object.fromEntries(columns) }, unmapped: rest };
}

function guessFields(
  headings: readonly Heading[],
  meanings: readonly (Recognised | undefined)[],
  operation: Operation,
): GuessedMapping {
  const best = bestColumns(meanings, ({ meaning }) => meaning);
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
