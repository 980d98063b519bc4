import { table } from '../../src/cli/terminal/table.js';
import { simulate, type Tallies, type Tally } from './simulate.js';

const sizes = [60, 800, 12_000];
for (const seed of (process.argv[2] ?? '1').split(',').map(Number)) {
  for (const employees of process.argv[3]?.split(',').map(Number) ?? sizes) {
    const start = performance.now();
    const tallies: Tallies = { nights: new Map(), faults: new Map() };
    simulate({ employees, nights: 400, seed, faultsPerNight: employees > 1000 ? 0.05 : 0.2 }, tallies);
    const rows = (map: ReadonlyMap<string, Tally>) =>
      [...map].map(([name, { runs, stopped, by }]) => [
        name,
        String(runs),
        String(stopped),
        [...by]
          .sort((a, b) => b[1] - a[1])
          .map(([c, n]) => `${c} ${n}`)
          .join(', '),
      ]);
    console.log(
      `\nseed ${seed}, ${employees} employees, ${((performance.now() - start) / 1000).toFixed(1)} s`,
    );
    console.log(table([['what', 'runs', 'stopped', 'by'], ...rows(tallies.nights), ...rows(tallies.faults)]));
  }
}
