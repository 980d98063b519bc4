import { useState } from 'react';
import type { Attribute } from '../../components/attribute-value.js';
import type { User } from '../data/user.js';
import { type Column, columnName } from './users-view.js';

/** Of the column with the checkboxes. */
export const selectColumnRem = 2.75;

/** In rem; what is longer is cut off, except for headings and IDs. */
const widths: Readonly<Partial<Record<Column, number>>> = {
  name: 15,
  employeeID: 9.25,
  isActive: 7,
  email: 15,
  phone: 10.5,
  username: 8.5,
};
const usualWidth = 11;

/** The columns that grow with their longest ID. */
const idColumns = ['employeeID', 'username', 'organizationSerial'] as const;
type IdColumn = (typeof idColumns)[number];

/** In characters. */
export type LongestIds = Readonly<Partial<Record<Column, number>>>;

const remPerCharacter = 0.62;
const cellPaddingRem = 2;
/** Headings are bold and have an arrow. */
const headingRemPerCharacter = 0.55;
const headingPaddingRem = 2.1;

export function longestIds(before: LongestIds, users: readonly User[]): LongestIds {
  const longest = Object.fromEntries(
    idColumns.map((column: IdColumn) => [
      column,
      Math.max(before[column] ?? 0, ...users.map((user) => user[column]?.length ?? 0)),
    ]),
  );
  return idColumns.every((column) => longest[column] === (before[column] ?? 0)) ? before : longest;
}

/** In rem. */
export function columnWidth(
  column: Column,
  longest: LongestIds,
  attributes: readonly Attribute[] = [],
): number {
  return Math.max(
    widths[column] ?? usualWidth,
    columnName(column, attributes).length * headingRemPerCharacter + headingPaddingRem,
    (longest[column] ?? 0) * remPerCharacter + cellPaddingRem,
  );
}

/** Columns never shrink while a list is scrolled. */
export function useLongestIds(listKey: string, inView: readonly User[]): LongestIds {
  const [known, setKnown] = useState<{ listKey: string; longest: LongestIds }>({ listKey, longest: {} });
  const longest = longestIds(known.listKey === listKey ? known.longest : {}, inView);
  if (known.listKey !== listKey || known.longest !== longest) setKnown({ listKey, longest });
  return longest;
}
