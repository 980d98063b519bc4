import type { Dice } from './dice.js';
import { type Column, cell, columns, type Row, type Sheet, withCells } from './sheet.js';

/** What a fault is made of. */
export interface FaultSource {
  readonly sheet: Sheet;
  /** The files of earlier nights, the latest last. */
  readonly earlier: readonly Sheet[];
  readonly stranger: Sheet;
  readonly dice: Dice;
}

const eachRow = (sheet: Sheet, change: (row: Row, place: number) => Row): Sheet => ({
  rows: sheet.rows.map(change),
});

const truncated =
  (kept: number) =>
  ({ sheet: { rows } }: FaultSource): Sheet => ({ rows: rows.slice(0, Math.floor(rows.length * kept)) });

const swapped =
  (one: Column, other: Column) =>
  ({ sheet }: FaultSource): Sheet =>
    eachRow(sheet, (row) => withCells(row, { [one]: cell(row, other), [other]: cell(row, one) }));

const someColumn = (dice: Dice): Column => dice.one(columns.slice(columns.indexOf('name')));
const older = ({ earlier, dice }: FaultSource): Sheet => dice.one(earlier.slice(-30));

/** Ways in which a file is wrong that still parses. */
export const faults = {
  'truncated, 50% left': truncated(0.5),
  'truncated, 80% left': truncated(0.8),
  'truncated, 95% left': truncated(0.95),
  'truncated, 99% left': truncated(0.99),
  'headings only': () => ({ rows: [] }),
  'each row twice': ({ sheet: { rows } }) => ({ rows: [...rows, ...rows] }),
  'column inserted': ({ sheet, dice }) => {
    const place = columns.indexOf(someColumn(dice));
    return eachRow(sheet, (row) => [...row.slice(0, place), '', ...row.slice(place)]);
  },
  'column missing': ({ sheet, dice }) => {
    const place = columns.indexOf(someColumn(dice));
    return eachRow(sheet, (row) => row.toSpliced(place, 1));
  },
  'name and phone swapped': swapped('name', 'phone'),
  'email and department swapped': swapped('email', 'department'),
  'department and title swapped': swapped('department', 'title'),
  'phone and mobile swapped': swapped('phone', 'mobile'),
  'one column sorted': ({ sheet, dice }) => {
    const column = someColumn(dice);
    const values = sheet.rows.map((row) => cell(row, column)).sort();
    return eachRow(sheet, (row, place) => withCells(row, { [column]: values[place] ?? '' }));
  },
  'column empty': ({ sheet, dice }) => {
    const column = someColumn(dice);
    return eachRow(sheet, (row) => withCells(row, { [column]: '' }));
  },
  'column with one value': ({ sheet, dice }) => {
    const column = someColumn(dice);
    const value = cell(dice.one(sheet.rows), column);
    return eachRow(sheet, (row) => withCells(row, { [column]: value }));
  },
  'wrong encoding': ({ sheet }) =>
    eachRow(sheet, (row) => row.map((value) => Buffer.from(value, 'utf8').toString('latin1'))),
  'leading zeros lost': ({ sheet }) =>
    eachRow(sheet, (row) => withCells(row, { employeeID: cell(row, 'employeeID').replace(/^0+/, '') })),
  'older file': older,
  'older file, edited': (source) => {
    const rows = older(source).rows;
    const edited = new Set(source.dice.some(rows, 2));
    return { rows: rows.map((row) => (edited.has(row) ? withCells(row, { phone: '+49 40 1' }) : row)) };
  },
  'other company, other IDs': ({ stranger }) =>
    eachRow(stranger, (row) => withCells(row, { employeeID: `X${cell(row, 'employeeID')}` })),
  'other company, same IDs': ({ stranger }) => stranger,
} satisfies Readonly<Record<string, (source: FaultSource) => Sheet>>;
export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[]; // Object.keys forgets the type's keys

/**
 * Whether a fault does enough harm to count: the run would write wrong values to more than 10 users, or to more than 10% of
 * a small company. A row of the night before is old, but it writes nothing.
 */
export function isHarmful(faulty: Sheet, good: Sheet, before: Sheet): boolean {
  const byId = ({ rows }: Sheet) => new Map(rows.map((row) => [cell(row, 'employeeID'), row]));
  const [today, yesterday] = [byId(good), byId(before)];
  const inFile = new Set<string>();
  let wrong = 0;
  for (const row of faulty.rows) {
    const id = cell(row, 'employeeID');
    if (inFile.has(id) || !(isSame(row, today.get(id)) || isSame(row, yesterday.get(id)))) wrong++;
    inFile.add(id);
  }
  let missing = 0;
  for (const id of yesterday.keys()) if (today.has(id) && !inFile.has(id)) missing++;
  return Math.max(wrong, missing) > Math.min(10, good.rows.length / 10);
}

function isSame(row: Row, other: Row | undefined): boolean {
  return row === other || (other !== undefined && row.every((value, place) => value === other[place]));
}
