import { createHash } from 'node:crypto';

/** A file of users, in the order of these columns. */
export interface Sheet {
  readonly rows: readonly Row[];
}

export type Row = readonly string[];

export const columns = [
  'employeeID',
  'previousID',
  'name',
  'email',
  'phone',
  'mobile',
  'department',
  'title',
  'site',
  'organization',
  'manager',
  'costCenter',
] as const;
export type Column = (typeof columns)[number];

/** The field of each column that can change; employee IDs change by the previous one. */
export const fieldOfColumn: Readonly<Record<Exclude<Column, 'employeeID' | 'previousID'>, string>> = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  mobile: 'attributes.mobile',
  department: 'attributes.department',
  title: 'attributes.title',
  site: 'attributes.site',
  organization: 'organizationSerial',
  manager: 'managerEmployeeID',
  costCenter: 'attributes.costCenter',
};

// Looked up millions of times.
const placeOf = Object.fromEntries(columns.map((column, place) => [column, place])) as Record<Column, number>;

export function cell(row: Row, column: Column): string {
  return row[placeOf[column]] ?? '';
}

export function withCells(row: Row, cells: Partial<Record<Column, string>>): Row {
  const changed = [...row];
  for (const column of columns) {
    const value = cells[column];
    if (value !== undefined) changed[placeOf[column]] = value;
  }
  return changed;
}

const fingerprints = new WeakMap<Sheet, string>();

/** Equal for files with the same bytes. */
export function fingerprint(sheet: Sheet): string {
  const known = fingerprints.get(sheet);
  if (known !== undefined) return known;
  const text = sheet.rows.map((row) => row.join('\t')).join('\n');
  const hash = createHash('sha256').update(text).digest('base64');
  fingerprints.set(sheet, hash);
  return hash;
}
