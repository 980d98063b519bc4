import { expect, test } from 'vitest';
import { totalsOf } from '../../bench/feeds/report.js';
import { simulate, sumOf } from '../../bench/feeds/simulate.js';

test('limits catch 99% of faults, and stop at most one good night in 200', () => {
  const companies = [60, 60, 300, 500].map((employees, index) =>
    simulate({ employees, nights: 140, seed: 11 + index, faultsPerNight: 0.02 }),
  );
  const { good, stopped, faults, caught } = totalsOf(sumOf(companies));
  expect(good).toBeGreaterThan(500);
  expect(stopped / good).toBeLessThanOrEqual(1 / 200);
  expect(faults).toBeGreaterThan(100);
  expect(caught / faults).toBeGreaterThanOrEqual(0.99);
});

test('a simulation repeats with its seed', () => {
  const simulation = { employees: 60, nights: 30, seed: 3, faultsPerNight: 0.1 };
  expect(simulate(simulation)).toEqual(simulate(simulation));
});
