import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileCosts, SetUp } from './setup-costs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Everything that was measured, for closer inspection. */
const details = join(root, 'node_modules/.cache/rollcall-tests/costs.json');
const slowestShown = 10;

interface Row extends FileCosts {
  readonly file: string;
  readonly project: string;
  readonly tests: number;
  readonly ms: number;
}

/** Prints what a run spent its time on: the slowest files, the projects, and the kinds of set-up. */
export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(rowOf).filter(({ tests }) => tests > 0);
    if (rows.length <= slowestShown) return; // somebody is working on these files
    mkdirSync(dirname(details), { recursive: true });
    writeFileSync(details, JSON.stringify(rows, null, 1));
    const slowest = rows.toSorted((a, b) => b.ms - a.ms).slice(0, slowestShown);
    console.log(
      [
        '',
        'Slowest files',
        ...slowest.map(({ ms, project, file }) => `${seconds(ms)}  ${project.padEnd(11)} ${file}`),
        '',
        'Projects: time of all workers, processor time, tests',
        ...totalsOfProjects(rows),
        '',
        'Set-up: time of all workers, how often',
        ...totalsOfSetUps(rows),
        '',
        ...leftForReleases(modules),
      ].join('\n'),
    );
  }
}

/** Vitest counts them as skipped. */
function leftForReleases(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests('skipped')]);
  const count = tests.filter(({ tags }) => tags.includes('release')).length;
  return count === 0 ? [] : [`Left out: ${count} tests that only npm run test:release runs.`, ''];
}

function rowOf(module: TestModule): Row {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return {
    file: relative(root, module.moduleId),
    project: module.project.name,
    tests: [...module.children.allTests()].filter((test) => test.result().state !== 'skipped').length,
    ms: Math.round(duration + collectDuration + setupDuration),
    ...(module.meta().costs ?? { cpuMs: 0, setUps: {} }),
  };
}

function totalsOfProjects(rows: readonly Row[]): string[] {
  const projects = groupBy(rows, ({ project }) => project);
  return [...projects]
    .map(([project, its]) => ({
      project,
      ms: sum(its.map((row) => row.ms)),
      cpuMs: sum(its.map((row) => row.cpuMs)),
      tests: sum(its.map((row) => row.tests)),
    }))
    .toSorted((a, b) => b.ms - a.ms)
    .map(
      ({ project, ms, cpuMs, tests }) =>
        `${seconds(ms)} ${seconds(cpuMs)}  ${project.padEnd(11)} ${tests.toLocaleString('en')}`,
    );
}

function totalsOfSetUps(rows: readonly Row[]): string[] {
  const totals = new Map<SetUp, { ms: number; count: number }>();
  for (const { setUps } of rows) {
    for (const [setUp, { ms, count }] of Object.entries(setUps) as [SetUp, { ms: number; count: number }][]) {
      const total = totals.get(setUp) ?? { ms: 0, count: 0 };
      totals.set(setUp, { ms: total.ms + ms, count: total.count + count });
    }
  }
  return [...totals]
    .toSorted(([, a], [, b]) => b.ms - a.ms)
    .map(([setUp, { ms, count }]) => `${seconds(ms)}  ${setUp.padEnd(14)} ${count.toLocaleString('en')}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(7)} s`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
