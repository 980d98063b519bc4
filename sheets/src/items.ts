import { type AttributeValue, parseAttribute } from './attribute-cells.js';
import type { Attribute } from './attributes.js';
import {
  type EntryField,
  entryNamesIn,
  type FieldValue,
  isEntryField,
  isUnknownName,
  type MeaningOf,
  parseCell,
  parseEntries,
} from './cells.js';
import { errorIn } from './error-texts.js';
import {
  attributeField,
  type FieldName,
  type FieldType,
  fieldsOf,
  isClearable,
  type Operation,
  requiredFieldsOf,
  typeOf,
} from './fields.js';
import type { Heading } from './headings.js';
import type { Mapping } from './mapping.js';
import { isCutOff, isText, joined, type Row } from './row.js';
import {
  type AttributeSource,
  attributeProblem,
  cellProblem,
  contactProblem,
  ofNotes,
  type RowProblem,
  type RowWarning,
  uncertainProblem,
  unknownNameProblem,
} from './row-problems.js';
import { isDoubtOfRecipe, numberNote, uncertaintyOf, uncertaintyOfType } from './uncertain.js';

type ValueOf<Field extends FieldName> = {
  text: string;
  boolean: boolean;
  list: readonly string[];
}[FieldType<Field>];

/** A row of a sync, whose user may or may not exist yet. An empty text or list clears the field or attribute. */
export type SyncItem = { employeeID: string; attributes?: Readonly<Record<string, AttributeValue>> } & {
  [Field in Exclude<FieldName, 'employeeID'>]?: ValueOf<Field>;
};

/** An item of a bulk call, with the fields of its row. */
export type Item = SyncItem & { name: string; isActive: boolean };

/** The item type of each operation. */
export interface ItemOf {
  create: Item;
  update: Item;
  sync: SyncItem;
}

export interface ReadRow<O extends Operation = Operation> {
  readonly row: number;
  readonly line: number;
  /** Present whenever it could be read, even if the row has other problems. */
  readonly employeeID?: string;
  /** Present if and only if there are no problems. */
  readonly item?: ItemOf[O];
  readonly problems: readonly RowProblem[];
  readonly warnings: readonly RowWarning[];
}

export interface ItemOptions<O extends Operation = Operation> {
  readonly operation: O;
  readonly headings: readonly Heading[];
  /** A mapping in which checkMapping finds no problems. */
  readonly mapping: Mapping;
  /** Whether an empty cell leaves the field unchanged or clears it. */
  readonly empty?: 'leaves' | 'clears';
  /** The file lists all users. Those in it are active, unless it has a column that says so. */
  readonly isComplete?: boolean;
  /** What names of organizations and tags mean. Without it, cells have to contain serials. */
  readonly meaningOf?: MeaningOf;
  /** The definitions of the attributes in the mapping. Those of others are ignored. */
  readonly attributes?: readonly Attribute[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Values = Partial<Record<FieldName, FieldValue>>;

/** Creates a function that turns the rows of a table into items, one at a time. */
export function createItemReader<O extends Operation>(options: ItemOptions<O>): (row: Row) => ReadRow<O> {
  const { operation, headings, mapping, empty = 'leaves', meaningOf } = options;
  const presentIsActive = options.isComplete === true && mapping.isActive === undefined;
  const sources = fieldsOf(operation).flatMap((field) => {
    const columns = mapping[field] ?? [];
    return columns.length > 0 ? [{ field, columns }] : [];
  });
  const attributeSources = (options.attributes ?? []).flatMap((attribute): AttributeSource[] => {
    const field = attributeField(attribute.key);
    const [column] = mapping[field] ?? [];
    if (column === undefined) return [];
    return [{ attribute, field, columns: [column], heading: headings[column]?.name ?? attribute.key }];
  });
  const required = new Set(requiredFieldsOf(operation));
  const readCell = (field: FieldName, text: string, row: Row, columns: readonly number[]) =>
    meaningOf && isEntryField(field)
      ? parseEntries(field, row.cells[columns[0] ?? 0] ?? '', meaningOf)
      : parseCell(field, text, isText(row, columns));

  return (row) => {
    const { problems, warnings } = ofNotes(row, headings);
    const values: Values = {};
    for (const { field, columns } of sources) {
      const error = errorIn(row, columns);
      const text = error ?? joined(row.cells, columns);
      const uncertainty = uncertaintyOf(row, columns, field);
      if (uncertainty !== undefined) {
        const heading = isDoubtOfRecipe(uncertainty) ? headings[columns[0] ?? 0]?.name : undefined;
        problems.push(uncertainProblem(row, field, columns, text, uncertainty, heading));
        continue;
      }
      const value = error === undefined ? text && readCell(field, text, row, columns) : undefined;
      if (value === '' && !required.has(field)) {
        if (empty === 'leaves' || !isClearable(field)) continue;
        if (isCutOff(row, columns)) problems.push(uncertainProblem(row, field, columns, '', 'CUT_OFF'));
        else values[field] = typeOf(field) === 'list' ? [] : '';
        continue;
      }
      if (value === undefined || value === '') problems.push(cellProblem(row, field, columns, value ?? text));
      else if (value === null) continue;
      else if (isUnknownName(value)) problems.push(unknownNameProblem(row, field, columns, value.unknown));
      else values[field] = value;
    }
    if (operation === 'create' && lacksContact(values, problems)) {
      problems.push({ row: row.number, line: row.line, ...contactProblem });
    }
    if (presentIsActive) values.isActive = true;
    const attributes = readAttributes(row, attributeSources, empty, problems);
    const { employeeID } = values;
    // Assigned, not spread: spreading leaves garbage for full collections only, 35 MB on a long file.
    const read: Writable<ReadRow<O>> = { row: row.number, line: row.line, problems, warnings };
    if (typeof employeeID === 'string') read.employeeID = employeeID;
    // Without problems, the required fields are present: checkMapping has ensured their columns.
    if (problems.length === 0) read.item = values as ItemOf[O];
    if (read.item && attributes) read.item.attributes = attributes;
    return read;
  };
}

/** Undefined if the row says nothing about attributes. */
function readAttributes(
  row: Row,
  sources: readonly AttributeSource[],
  empty: 'leaves' | 'clears',
  problems: RowProblem[],
): Record<string, AttributeValue> | undefined {
  let values: Record<string, AttributeValue> | undefined;
  for (const source of sources) {
    const { attribute, columns, field, heading } = source;
    const written = joined(row.cells, columns);
    const uncertainty = uncertaintyOfType(row, columns, attribute.type);
    const number = attribute.type === 'number' ? numberNote(row, columns)?.digits : undefined;
    const value =
      errorIn(row, columns) === undefined
        ? written && parseAttribute(attribute, number ?? written, isText(row, columns))
        : undefined;
    if (uncertainty !== undefined)
      problems.push(uncertainProblem(row, field, columns, written, uncertainty, heading));
    else if (value === undefined) problems.push(attributeProblem(row, source, written));
    else if (value === '' && empty === 'leaves') continue;
    else if (value === '' && isCutOff(row, columns))
      problems.push(uncertainProblem(row, field, columns, '', 'CUT_OFF', heading));
    else {
      values ??= {};
      values[attribute.key] = value;
    }
  }
  return values;
}

/** The names of organizations or tags in a cell, unless its value is not known exactly. */
export function entryNamesOf(row: Row, field: EntryField, columns: readonly number[]): readonly string[] {
  const text = joined(row.cells, columns);
  const isReadable =
    text !== '' && errorIn(row, columns) === undefined && !uncertaintyOf(row, columns, field);
  return isReadable ? entryNamesIn(field, row.cells[columns[0] ?? 0] ?? '') : [];
}

/** An invalid contact has already been reported. */
function lacksContact({ email, phone }: Values, problems: readonly RowProblem[]): boolean {
  if (email || phone) return false;
  return !problems.some(({ field }) => field === 'email' || field === 'phone');
}
