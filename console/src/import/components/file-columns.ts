import {
  attributeKey,
  type Heading,
  isAttributeField,
  type MappedField,
  type Mapping,
} from '@rollcall/sheets';
import { useMemo } from 'react';
import {
  type Attribute,
  attributeOf,
  changedAttributes,
  formatAttribute,
} from '../../components/attribute-value.js';
import { isEmpty } from '../../components/field-value.js';
import { commonCopy } from '../../copy/copy.js';
import { fieldOf } from '../state/mapping.js';
import type { RowReader } from '../state/row-reader.js';
import { missingUserOf, type Rows } from '../state/rows.js';

/** A column of the table: one of the file, or the combination of several. */
export interface FileColumn {
  readonly key: string;
  readonly heading: string;
  /** Undefined for a combination, which can't be edited. */
  readonly column: number | undefined;
  readonly field: MappedField | undefined;
  readonly attribute: Attribute | undefined;
  /** The columns that make up the text. */
  readonly from: readonly number[];
  readonly isID: boolean;
}

/**
 * The employee ID and the name first, because they stay in view, then the other columns in the order of the file.
 * Combined names have a column of their own, so their parts come last.
 */
export function fileColumns(
  mapping: Mapping,
  headings: readonly Heading[],
  used: readonly number[],
  attributes: readonly Attribute[],
): FileColumn[] {
  const [idColumn] = mapping.employeeID ?? [];
  const name = mapping.name ?? [];
  const single = (column: number): FileColumn => {
    const field = fieldOf(mapping, column);
    return {
      key: String(column),
      heading: headings[column]?.name ?? '',
      column,
      field: field === 'name' && name.length > 1 ? undefined : field,
      attribute: attributeOf(field ?? '', attributes),
      from: [column],
      isID: column === idColumn,
    };
  };
  const columns = [...(name.length > 1 ? [combined(name)] : []), ...used.map(single)];
  const isPartOfName = ({ column = -1 }: FileColumn) => name.length > 1 && name.includes(column);
  const place = (shown: FileColumn) =>
    shown.isID ? 0 : shown.field === 'name' ? 1 : isPartOfName(shown) ? 3 : 2;
  return columns.sort((one, other) => place(one) - place(other));
}

/** Wider ones would leave no room for the other columns. */
const stickyWidthMax = { id: 200, name: 280 };

/** The employee ID and the name stay in view: how many columns they are, and which of them fit. */
export function leadingColumns(
  columns: readonly FileColumn[],
  widths: readonly number[],
): { readonly count: number; readonly sticky: readonly ('id' | 'name')[] } {
  const leading = columns.filter(({ isID, field }) => isID || field === 'name');
  const kinds = leading.map(({ isID }) => (isID ? 'id' : 'name'));
  const tooWide = kinds.findIndex((kind, at) => (widths[at] ?? 0) > stickyWidthMax[kind]);
  return { count: leading.length, sticky: tooWide === -1 ? kinds : kinds.slice(0, tooWide) };
}

function combined(from: readonly number[]): FileColumn {
  return {
    key: 'name',
    heading: commonCopy.fields.name,
    column: undefined,
    field: 'name',
    attribute: undefined,
    from,
    isID: false,
  };
}

/** The text of a cell. Rows of missing users have only an employee ID and a name. */
export function textIn(rows: Rows, row: number, { from, isID, field }: FileColumn): string {
  const missing = missingUserOf(rows, row);
  if (missing) return isID ? missing.employeeID : field === 'name' ? missing.name : '';
  return from
    .map((column) => (rows.cells[row]?.[column] ?? '').trim())
    .filter((text) => text !== '')
    .join(' ');
}

interface FieldChange {
  readonly before: string;
  readonly after: string;
}

/** How a row changes the field of a column. The column of the new employee ID shows the change of the employee ID. */
export function changeIn(
  rows: Rows,
  row: number,
  { field, attribute }: Pick<FileColumn, 'field' | 'attribute'>,
): FieldChange | undefined {
  const preview = rows.previews[row];
  if (preview?.kind !== 'accepted' || preview.change === 'created') return undefined;
  if (field === undefined || field === 'employeeID') return undefined;
  const change = isAttributeField(field)
    ? changedAttributes(preview.fields.attributes).find(({ key }) => key === attributeKey(field))
    : (preview.fields as Partial<Record<MappedField, { before?: unknown; after?: unknown }>>)[
        field === 'newEmployeeID' ? 'employeeID' : field
      ];
  return change && { before: asText(change.before, attribute), after: asText(change.after, attribute) };
}

const referenceKinds = {
  organizationSerial: 'organizations',
  tagSerials: 'tags',
  managerEmployeeID: 'users',
} as const;
type ReferenceField = keyof typeof referenceKinds;

const isReference = (field: string | undefined): field is ReferenceField =>
  field !== undefined && Object.hasOwn(referenceKinds, field);

/** The organization, tags or manager that a cell stands for. Undefined for other fields, and for texts that stand for none. */
export function entriesIn(rows: Rows, row: number, { field }: FileColumn, reader: Pick<RowReader, 'itemOf'>) {
  if (!isReference(field) || missingUserOf(rows, row)) return undefined;
  const preview = rows.previews[row];
  const isChange = preview?.kind === 'accepted' && preview.change !== 'created';
  const change = isChange ? preview.fields[field] : undefined;
  const item: Readonly<Partial<Record<ReferenceField, unknown>>> = reader.itemOf(rows, row) ?? {};
  const after = idsIn(change ? change.after : item[field]);
  if (!change && after.length === 0) return undefined;
  return { kind: referenceKinds[field], before: change && idsIn(change.before), after };
}

function idsIn(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}

function asText(value: unknown, attribute: Attribute | undefined): string {
  if (isEmpty(value)) return '';
  if (attribute) return formatAttribute(attribute.type, value);
  if (typeof value === 'boolean') return value ? commonCopy.active : commonCopy.inactive;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

const sampledRows = 300;
const charactersMin = 7;
const charactersMax = 44;
/** The names of entries can be longer than what the file calls them. */
const charactersOfEntries = 34;
const characterWidth = 8.3;
const paddingWidth = 36;

/** The width that fits the contents, in pixels. Employee IDs are never cut off. */
export function widthOf(rows: Rows, column: FileColumn): number {
  const characters = Math.max(
    isReference(column.field) ? charactersOfEntries : charactersMin,
    column.heading.length * 1.1, // headings are bold
    column.isID ? longestID(rows, column.column ?? 0) : longestText(rows, column),
  );
  const fitting = column.isID ? characters : Math.min(characters, charactersMax);
  return Math.ceil(fitting * characterWidth + paddingWidth);
}

function longestID({ cells, missing }: Rows, column: number): number {
  let longest = 0;
  for (const row of cells) longest = Math.max(longest, row[column]?.length ?? 0);
  for (const { employeeID } of missing) longest = Math.max(longest, employeeID.length);
  return longest;
}

function longestText(rows: Rows, column: FileColumn): number {
  const count = rows.cells.length + rows.missing.length;
  const step = Math.max(1, Math.floor(count / sampledRows));
  let longest = 0;
  for (let row = 0; row < count; row += step) {
    const change = changeIn(rows, row, column);
    const length = change
      ? change.before.length + change.after.length * 1.1 + 4
      : textIn(rows, row, column).length;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** The widths of columns. They change with cells and previews, but not with every problem that is found. */
export function useWidths(rows: Rows | undefined, columns: readonly FileColumn[]): number[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: problems and outcomes have no width
  return useMemo(
    () => columns.map((column) => (rows ? widthOf(rows, column) : 0)),
    [rows?.cells, rows?.missing, rows?.previews, columns],
  );
}
