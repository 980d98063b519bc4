import { comparisonsIn, times } from './comparisons.js';
import { machineText } from './machine.js';
import { markdownTable } from './markdown-table.js';
import { type CellPlace, savedCell } from './saved-cells.js';
import type { SavedSections } from './section.js';

/** The complete docs/performance.md: the figures that decisions are made with. The rest is in bench/figures.json. */
export function markdownOf(saved: SavedSections): string {
  const parts = [
    '# Performance',
    `\`npm run bench -- --save\` and \`npm run bench:peers -- --save\` write this page, and
[bench/figures.json](../bench/figures.json) has every measurement: medians, spreads and more cases. Each figure is measured
alternately with bare SQL that does the same work on the same machine. Compare ratios rather than times.`,
    nextToSql(saved),
    bySize(saved),
    reading(saved),
    peers(saved),
    files(saved),
    embedded(saved),
    operation(saved),
    targets(saved),
    machines(saved),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function part(title: string, ...content: readonly string[]): string {
  return [`## ${title}`, ...content.filter((text) => text !== '')].join('\n\n');
}

function nextToSql(saved: SavedSections): string {
  const comparisons = comparisonsIn(saved);
  if (comparisons.length === 0) return '';
  return part(
    'Next to bare SQL',
    `Bare SQL locks, writes and logs the same rows in one transaction, with named statements, but has no plan and no report. A
call uses a second connection while the pool is idle, which is why it can be faster.`,
    '![Time of each kind of work, compared with bare SQL](next-to-sql.svg)',
    markdownTable([
      ['', 'Rollcall', 'bare SQL', 'time'],
      ...comparisons.map(({ what, ours, bare, ratio }) => [what, ours, bare, times(ratio)]),
    ]),
  );
}

function bySize(saved: SavedSections): string {
  return saved.growth
    ? part(
        'By size',
        'What one item of a bulk update costs. The bands contain half of the measurements.',
        '![The cost of an item by the size of the call and of the table](growth.svg)',
      )
    : '';
}

const reads = [
  'a user by serial',
  'first page, sort=name',
  'middle page, sort=name',
  'employeeID',
  'organizationSerial',
  'organizationSerial, sort=name',
] as const;
const searches = [
  'a name',
  'two names',
  'an employee ID',
  'a phone number',
  'one or two letters',
  'all',
] as const;

/** The rows of which all figures were measured. */
function rowsOf(
  saved: SavedSections,
  place: Pick<CellPlace, 'section' | 'table'>,
  rows: readonly string[],
  columns: readonly string[],
): string[][] {
  return rows.flatMap((row) => {
    const cells = columns.map((column) => savedCell(saved, { ...place, row: [row], column }));
    return cells.every((cell) => cell !== undefined) ? [[row, ...cells]] : [];
  });
}

function reading(saved: SavedSections): string {
  const columns = ['10,000 users', '1,000,000 users'];
  const pages = rowsOf(saved, { section: 'reading', table: 'Get, list' }, reads, columns);
  const figures = ['median', 'p95', 'worst'];
  const found = rowsOf(saved, { section: 'searching', table: 'Searches' }, searches, figures);
  if (pages.length + found.length === 0) return '';
  return part(
    'Reading and searching',
    'Milliseconds of one request, by the size of the table; half of the measurements are within the range.',
    markdownTable([['', ...columns], ...pages]),
    'Searches of 1,000,000 users, in milliseconds:',
    markdownTable([['', ...figures], ...found]),
  );
}

function peers({ peers }: SavedSections): string {
  const [rates] = peers?.section.tables ?? [];
  if (!peers || !rates) return '';
  return part(
    'Next to other products',
    `${peers.section.intro} Conditions and calls are in [bench/peers](../bench/peers).`,
    '![Users updated per second](peers.svg)',
    markdownTable([rates.head, ...rates.rows]),
  );
}

function files({ sync, feeds }: SavedSections): string {
  const measured = [sync, feeds].flatMap((saved) => (saved ? [saved.section] : []));
  if (measured.length === 0) return '';
  const rows = measured.flatMap(({ tables: [table] }) => table?.rows.slice(1) ?? []); // the first is the endpoint itself
  return part(
    'Files',
    `Rows per second of a file with 100,000 users, including reading it, comparing it and reporting on each row. The bulk
endpoint gets the same changes in calls of 10,000 items.`,
    markdownTable([measured[0]?.tables[0]?.head ?? [], ...rows]),
    measured.flatMap(({ notes }) => notes.map((note) => `- ${note}`)).join('\n'),
  );
}

const waits = [
  'nothing, for 3 s',
  'an update of phones',
  'an update that renames',
  'a create',
  'a backup (one transaction)',
] as const;

function embedded(saved: SavedSections): string {
  const [speed] = saved.embedded?.section.tables ?? [];
  if (!speed) return '';
  const columns = ['takes', 'read, p95', 'create, p95', 'GET /healthz, longest'];
  const place = { section: 'embedded', table: 'Waits' };
  return part(
    'The embedded database',
    'One session and a commit to disk for each change, with 100,000 users.',
    markdownTable([speed.head, ...speed.rows]),
    'What a read and a create wait for, in milliseconds, while a call of 10,000 items or other work goes on:',
    markdownTable([['', ...columns], ...rowsOf(saved, place, waits, columns)]),
  );
}

const operations: readonly (CellPlace & { readonly what: string })[] = [
  { what: 'Memory, idle, MB', section: 'memory', table: 'Resident', row: [], column: 'idle' },
  {
    what: 'Memory during calls of 10,000 items, MB',
    ...{ section: 'memory', table: 'Resident', row: [], column: 'peak' },
  },
  {
    what: 'Longest time that a call of 10,000 items blocks the event loop, ms',
    ...{ section: 'loop', table: 'Longest', row: ['create-bulk'], column: 'worst' },
  },
  {
    what: 'Single create, alone, median, ms',
    ...{ section: 'loop', table: 'Single', row: ['alone'], column: 'median' },
  },
  {
    what: 'Single create during calls of 10,000 items, median, ms',
    ...{
      section: 'loop',
      table: 'Single',
      row: ['during back-to-back calls with 10,000 items'],
      column: 'median',
    },
  },
  {
    what: 'Sign-ins per second',
    ...{ section: 'access', table: 'Sign-ins', row: ['sign-ins'], column: 'per second' },
  },
  {
    what: 'Password hashes per second, alone',
    ...{ section: 'access', table: 'Sign-ins', row: ['argon2id alone'], column: 'per second' },
  },
  {
    what: 'Time of a bulk call during a backup of 1,000,000 users, ms',
    ...{ section: 'backup', table: 'Bulk', row: ['during a backup'], column: 'median' },
  },
  {
    what: 'The same call alone, ms',
    ...{ section: 'backup', table: 'Bulk', row: ['alone'], column: 'median' },
  },
];

function operation(saved: SavedSections): string {
  const rows = operations.flatMap(({ what, ...place }) => {
    const cell = savedCell(saved, place);
    return cell === undefined ? [] : [[what, cell]];
  });
  return rows.length === 0 ? '' : part('In operation', markdownTable([['', 'measured'], ...rows]));
}

function targets(saved: SavedSections): string {
  const all = Object.values(saved).flatMap(({ section }) => section.targets ?? []);
  if (all.length === 0) return '';
  const missed = Object.entries(saved).flatMap(([name, { section }]) => {
    const others = section.targets?.filter(({ met }) => met !== true) ?? [];
    const told = others.map(
      ({ target, measured, met }) => `${target}: **${met === false ? measured : 'not measured'}**`,
    );
    return told.length === 0 ? [] : [`- ${name}: ${told.join('; ')}`];
  });
  const metCount = all.filter(({ met }) => met === true).length;
  return part('Targets', `${metCount} of ${all.length} are met. The others:`, missed.join('\n'));
}

/** Sections can be measured separately. */
function machines(saved: SavedSections): string {
  const names = new Map<string, string[]>();
  for (const [name, { machine }] of Object.entries(saved)) {
    const text = machineText(machine);
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  const lines = [...names].map(([machine, measured]) => `- ${machine}: ${measured.join(', ')}`);
  return lines.length === 0 ? '' : part('Measured on', lines.join('\n'));
}
