import { type ChangeableField, changeableFields, fieldRows } from '../../contract/user-values.js';

/** What the service sets itself, with the width of the column in a workbook, in characters. */
const ownWidths = { serial: 38, createdAt: 26, updatedAt: 26 } as const;

export type Column = ChangeableField | keyof typeof ownWidths;

/** The columns that `rollcall sync` accepts. */
export const defaultColumns: readonly Column[] = changeableFields;

export const columns: readonly Column[] = [...changeableFields, ...(Object.keys(ownWidths) as Column[])];

export function columnWidths(chosen: readonly Column[]): number[] {
  return chosen.map((column) =>
    column in ownWidths
      ? ownWidths[column as keyof typeof ownWidths]
      : (fieldRows[column as ChangeableField].width ?? 20),
  );
}
