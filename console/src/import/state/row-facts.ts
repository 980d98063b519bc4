import type { Mapping } from '@rollcall/sheets';
import type { RowReader } from './row-reader.js';
import { missingUserOf, openRows, type Rows } from './rows.js';
import { createYieldToBrowser } from './yield-to-browser.js';

/** What a row says about its user, as far as rows are compared with each other. */
export interface RowFacts {
  readonly row: number;
  readonly id: string;
  readonly newID: string;
  readonly name: string;
  /** In lower case: mailboxes rarely depend on it. */
  readonly email: string;
}

export function factsOf(reader: Pick<RowReader, 'rules' | 'idOf'>, rows: Rows, row: number): RowFacts {
  const { mapping } = reader.rules;
  return {
    row,
    id: reader.idOf(rows, row),
    newID: textOf(rows, row, mapping.newEmployeeID),
    name: textOf(rows, row, mapping.name),
    email: textOf(rows, row, mapping.email).toLowerCase(),
  };
}

function textOf({ cells }: Rows, row: number, columns: Mapping[keyof Mapping] = []): string {
  return columns
    .map((column) => (cells[row]?.[column] ?? '').trim())
    .filter((text) => text !== '')
    .join(' ');
}

/** The facts of every open row of the file. */
export async function readFacts(reader: RowReader, rows: Rows): Promise<RowFacts[]> {
  const yieldToBrowser = createYieldToBrowser();
  const facts: RowFacts[] = [];
  for (const row of openRows(rows)) {
    if (missingUserOf(rows, row)) continue;
    facts.push(factsOf(reader, rows, row));
    if (facts.length % 100 === 0) await yieldToBrowser();
  }
  return facts;
}

/** Those with the same text, by the text. Empty texts have nothing in common. */
export function groupsBy(facts: readonly RowFacts[], field: 'id' | 'email'): Map<string, RowFacts[]> {
  const groups = new Map<string, RowFacts[]>();
  for (const each of facts) {
    if (each[field] === '') continue;
    const group = groups.get(each[field]);
    if (group) group.push(each);
    else groups.set(each[field], [each]);
  }
  return groups;
}
