/**
 * Simulates feeds of companies, injects faults, and counts what the limits of src/domain/feeds/limits stop. Run it with
 * `npm run bench:feeds`. `--save` writes the tables to docs/feed-limits.md, and `--seeds 1,2` chooses the companies.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '../../src/cli/terminal/table.js';
import { markdownTable } from '../markdown-table.js';
import { faultTable, nightTable, totalText } from './report.js';
import { simulate, sumOf } from './simulate.js';

const { values: options } = parseArgs({
  options: {
    save: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '1,2,3,4,5' },
  },
});
const page = 'docs/feed-limits.md';
const tablesHeading = '## Simulation\n';
const nights = 400;
/** Each fault is injected so often. Large files take longer. */
const companies = [
  { employees: 60, faultsPerNight: 0.1 },
  { employees: 800, faultsPerNight: 0.1 },
  { employees: 12_000, faultsPerNight: 0.03 },
];

const seeds = options.seeds.split(',').map(Number);
const all = sumOf(
  seeds.flatMap((seed) => {
    process.stderr.write(`seed ${seed}\n`);
    return companies.map((company) => simulate({ ...company, nights, seed }));
  }),
);
const tables = [nightTable(all), faultTable(all)];
process.stdout.write(`${tables.map((rows) => table(rows)).join('\n\n')}\n\n${totalText(all)}\n`);

if (options.save) {
  const [text = ''] = readFileSync(page, 'utf8').split(tablesHeading);
  const sizes = companies.map(({ employees }) => employees.toLocaleString('en')).join(', ');
  const intro = `\`npm run bench:feeds -- --save\` simulates ${seeds.length} times three companies of ${sizes} employees over ${nights} nights, and
injects faults into copies of good nights from the eleventh on. A fault counts if the run would write wrong values to more than 10
users, or to more than 10% of a small company. ${totalText(all)}`;
  const parts = [`${text}${tablesHeading}`, intro, ...tables.map((rows) => markdownTable(rows))];
  writeFileSync(page, `${parts[0]}\n${parts.slice(1).join('\n\n')}\n`);
}
