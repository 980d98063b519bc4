import type { Schemas } from '#client';

type User = Schemas['User'];

/** Exportable fields, with their column width in a workbook, in characters. */
const widths = {
  employeeID: 16,
  name: 28,
  username: 18,
  email: 32,
  phone: 20,
  isActive: 10,
  tagSerials: 24,
  organizationSerial: 20,
  serial: 38,
  createdAt: 26,
  updatedAt: 26,
} as const satisfies Record<keyof User, number>;

export type Column = keyof typeof widths;

export const columns = Object.keys(widths) as Column[];

/** The columns that `rollcall sync` accepts; the service sets the others itself. */
export const defaultColumns = columns.slice(0, columns.indexOf('serial'));

export function columnWidths(chosen: readonly Column[]): number[] {
  return chosen.map((column) => widths[column]);
}
