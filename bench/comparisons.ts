import { shown } from './figures.js';
import { type CellPlace, numberIn, savedCell } from './saved-cells.js';
import type { SavedSections } from './section.js';

/** The same work done by the service and by bare SQL. */
export interface Comparison {
  readonly what: string;
  readonly ours: string;
  readonly bare: string;
  /** How many times as long the service takes. */
  readonly ratio: number;
}

interface Compared {
  readonly what: string;
  readonly unit: 'ms' | 'per second';
  readonly ours: CellPlace;
  readonly bare: CellPlace;
}

const ofBulk = (what: string, table: string, variant = 'as shipped'): Compared => {
  const place = { section: 'bulk', table, column: 'ms' };
  return {
    what,
    unit: 'ms',
    ours: { ...place, row: ['10,000', variant] },
    bare: { ...place, row: ['10,000', 'bare SQL'] },
  };
};

const phones = "Phone numbers, which aren't indexed";

const compared: readonly Compared[] = [
  ofBulk('update 10,000 phone numbers', phones),
  ofBulk('preview the same update', phones, 'preview'),
  ofBulk('update names, phones, status and tags', 'Names, phones, status and tags'),
  ofBulk('rename 10,000 users', 'A new employee ID'),
  ofBulk('pass 10,000 names on in chains', 'Employee IDs and usernames passed'),
  ofBulk('update 10,000 users who are up to date', 'Nothing changes'),
  {
    what: 'create 10,000 users in one call',
    unit: 'ms',
    ours: { section: 'creates', table: 'Bulk create', row: ['HTTP'], column: 'ms' },
    bare: { section: 'creates', table: 'Bulk create', row: ['bare SQL'], column: 'ms' },
  },
  {
    what: 'create users one by one, 32 at once',
    unit: 'per second',
    ours: { section: 'creates', table: 'Creates', row: ['32', 'HTTP'], column: 'per second' },
    bare: { section: 'creates', table: 'Creates', row: ['32', 'bare INSERTs'], column: 'per second' },
  },
  {
    what: 'read changes by the event stream',
    unit: 'per second',
    ours: { section: 'events', table: 'Changes', row: ['stream'], column: 'per second' },
    bare: { section: 'events', table: 'Changes', row: ['bare SQL'], column: 'per second' },
  },
];

export function comparisonsIn(saved: SavedSections): Comparison[] {
  return compared.flatMap(({ what, unit, ...places }) => {
    const [ours, bare] = [savedCell(saved, places.ours), savedCell(saved, places.bare)];
    if (ours === undefined || bare === undefined) return [];
    const ratio = numberIn(ours) / numberIn(bare);
    return [
      { what, ours: `${ours} ${unit}`, bare: `${bare} ${unit}`, ratio: unit === 'ms' ? ratio : 1 / ratio },
    ];
  });
}

export function times(ratio: number): string {
  return `${shown(ratio)} ×`;
}
