import type { Mapping } from '@rollcall/sheets';
import { forEachInSlices } from '../../components/yield-to-browser.js';
import type { RowReader } from './row-reader.js';
import { missingUserOf, openRows, type Rows } from './rows.js';

/** What a row says about its user, as far as rows are compared with each other. */
export interface RowFacts {
  readonly row: number;
  readonly id: string;
  readonly newID: string;
  readonly name: string;
  /** In lower case: mailboxes rarely depend on it. */
  readonly email: string;
  readonly phone: string;
}

export function factsOf(reader: Pick<RowReader, 'rules' | 'idOf'>, rows: Rows, row: number): RowFacts {
  const { mapping } = reader.rules;
  return {
    row,
    id: reader.idOf(rows, row),
    newID: newIDOf(reader, rows, row),
    name: textOf(rows, row, mapping.name),
    email: textOf(rows, row, mapping.email).toLowerCase(),
    phone: textOf(rows, row, mapping.phone),
  };
}

export function newIDOf({ rules }: Pick<RowReader, 'rules'>, rows: Rows, row: number): string {
  return textOf(rows, row, rules.mapping.newEmployeeID);
}

export function managerIDOf({ rules }: Pick<RowReader, 'rules'>, rows: Rows, row: number): string {
  return textOf(rows, row, rules.mapping.managerEmployeeID);
}

function textOf({ cells }: Rows, row: number, columns: Mapping[keyof Mapping] = []): string {
  return columns
    .map((column) => (cells[row]?.[column] ?? '').trim())
    .filter((text) => text !== '')
    .join(' ');
}

/** The facts of every open row of the file. */
export async function readFacts(reader: RowReader, rows: Rows): Promise<RowFacts[]> {
  const facts: RowFacts[] = [];
  await forEachInSlices(openRows(rows), (row) => {
    if (!missingUserOf(rows, row)) facts.push(factsOf(reader, rows, row));
  });
  return facts;
}
