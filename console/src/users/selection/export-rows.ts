import {
  type AttributeField,
  type CsvCell,
  csvLine,
  isAttributeField,
  listCell,
  toXlsx,
  userFields,
} from '@rollcall/sheets';
import type { DisplayNames } from '../../components/directory.js';
import { formatRole } from '../../components/field-value.js';
import { commonCopy } from '../../copy/copy.js';
import { sheetTime } from '../../copy/format.js';
import {
  type FieldValue,
  type ListedUser,
  type ManagerField,
  managerField,
  storedValue,
} from '../data/user.js';

export type ExportFormat = 'xlsx' | 'csv';
export type ExportColumn =
  | Exclude<keyof ListedUser, 'serial' | 'manager' | 'attributes' | 'formerEmployeeID'>
  | ManagerField
  | AttributeField;

/** Names by serial; empty to write serials. */
export interface ExportNames {
  readonly organizations: DisplayNames;
  readonly tags: DisplayNames;
}

export interface ExportTable {
  readonly headings: readonly string[];
  readonly columns: readonly ExportColumn[];
  readonly sheetName: string;
}

const timeWidth = 18;
const attributeWidth = 20;
const roleWidth = 15;

/** In characters. */
function widthOf(column: ExportColumn): number {
  if (isAttributeField(column)) return attributeWidth;
  if (column === managerField) return userFields.employeeID.width;
  if (column === 'createdAt' || column === 'updatedAt' || column === 'lastSignInAt') return timeWidth;
  if (column === 'role') return roleWidth;
  return column === 'signInName' ? userFields.email.width : userFields[column].width;
}

/** The bytes of the file, as its rows arrive. Texts that look like formulas stay texts. */
export function encodeRows(
  rows: AsyncIterable<readonly CsvCell[]>,
  format: ExportFormat,
  { headings, columns, sheetName }: ExportTable,
): AsyncIterable<Uint8Array | string> {
  const all = withHeadings(rows, headings);
  if (format === 'csv') return csvText(all);
  return toXlsx(all, { sheetName, columnWidths: columns.map(widthOf) });
}

async function* withHeadings(rows: AsyncIterable<readonly CsvCell[]>, headings: readonly string[]) {
  yield headings;
  yield* rows;
}

async function* csvText(rows: AsyncIterable<readonly CsvCell[]>): AsyncGenerator<string> {
  yield '\uFEFF'; // without it, Excel doesn't recognize UTF-8
  for await (const row of rows) yield csvLine(row, { allTexts: true });
}

export function cellsOf(user: ListedUser, columns: readonly ExportColumn[], names: ExportNames): CsvCell[] {
  return columns.map((column) => {
    if (isAttributeField(column)) return attributeCell(storedValue(user, column));
    switch (column) {
      case 'organizationSerial':
        return user[column] === null ? null : (names.organizations.get(user[column]) ?? user[column]);
      case 'tagSerials':
        return listCell(user[column].map((serial) => names.tags.get(serial) ?? serial));
      case managerField:
        return user.manager?.employeeID ?? null;
      case 'isActive':
        return user[column] ? commonCopy.active : commonCopy.inactive;
      case 'role':
        return formatRole(user.role);
      case 'createdAt':
      case 'updatedAt':
      case 'lastSignInAt':
        return user[column] == null ? null : sheetTime(user[column]);
      default:
        return user[column];
    }
  });
}

/** Numbers and days in the form that spreadsheets calculate with. */
function attributeCell(value: FieldValue): CsvCell {
  if (typeof value === 'boolean') return value ? commonCopy.yes : commonCopy.no;
  return Array.isArray(value) ? listCell(value) : (value as string | number | null);
}
