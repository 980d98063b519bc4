import { announcedNights, goodNights } from './company.js';
import { faultNames } from './faults.js';
import type { Tallies, Tally } from './simulate.js';

const english = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const nothing: Tally = { runs: 0, stopped: 0, by: {} };

export interface Totals {
  readonly good: number;
  readonly stopped: number;
  readonly faults: number;
  readonly caught: number;
}

export function totalsOf(tallies: Tallies): Totals {
  const sum = (kinds: readonly Parameters<Tallies['get']>[0][], count: 'runs' | 'stopped') =>
    kinds.reduce((total, kind) => total + (tallies.get(kind) ?? nothing)[count], 0);
  return {
    good: sum(goodNights, 'runs'),
    stopped: sum(goodNights, 'stopped'),
    faults: sum(faultNames, 'runs'),
    caught: sum(faultNames, 'stopped'),
  };
}

export function nightTable(tallies: Tallies): string[][] {
  return [
    ['night', 'runs', 'stopped', 'by'],
    ...goodNights.map((kind) => row(kind, tallies.get(kind))),
    ...announcedNights.map((kind) => row(`${kind} (announced)`, tallies.get(kind))),
  ];
}

export function faultTable(tallies: Tallies): string[][] {
  return [['fault', 'injected', 'caught', 'by'], ...faultNames.map((name) => row(name, tallies.get(name)))];
}

export function totalText(tallies: Tallies): string {
  const { good, stopped, faults, caught } = totalsOf(tallies);
  const share = `${english.format((caught / faults) * 100)}%`;
  const [goodCount, stoppedCount, faultCount, caughtCount] = [good, stopped, faults, caught].map((count) =>
    english.format(count),
  );
  return `Of ${goodCount} good nights, ${stoppedCount} were stopped; of ${faultCount} faults, ${caughtCount} were caught (${share}).`;
}

function row(name: string, { runs, stopped, by }: Tally = nothing): string[] {
  const codes = Object.entries(by)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([code]) => code);
  return [name, english.format(runs), english.format(stopped), codes.join(', ')];
}
