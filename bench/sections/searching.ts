import { quantile, shown } from '../figures.js';
import { seededRandom } from '../people.js';
import type { Section } from '../report.js';
import { progress, type Stage } from '../stage.js';

const sorts = ['createdAt', '-createdAt', 'name', '-name', 'employeeID'] as const;
const p95Max = 30;
const worstMax = 150;
const timesEach = 3;

interface Kind {
  readonly name: string;
  readonly searches: readonly string[];
}

/** Searches of all kinds over a large table, one at a time, each in every sort order. */
export async function searching(stage: Stage): Promise<Section> {
  const users = stage.options.quick ? 50_000 : 1_000_000;
  const databaseUrl = await stage.users(users);
  const service = await stage.startService({ databaseUrl });
  const [reader] = await service.lightClients(1);
  if (!reader) throw new Error('no connection');
  progress('searching');
  const all: number[] = [];
  const rows: string[][] = [];
  for (const { name, searches } of kindsOf(users)) {
    const times: number[] = [];
    for (const search of searches) {
      for (const sort of sorts) {
        const path = `/service/users?sort=${sort}&search=${encodeURIComponent(search)}`;
        for (let time = 0; time < timesEach; time++) {
          const start = performance.now();
          const { status, text } = await reader.get(path, service.token);
          if (status !== 200) throw new Error(`${path} failed: ${text}`);
          times.push(performance.now() - start);
        }
      }
    }
    all.push(...times);
    rows.push([name, ...figures(times)]);
  }
  reader.close();
  await service.stop();
  const sorted = all.toSorted((a, b) => a - b);
  const p95 = quantile(sorted, 0.95);
  const worst = sorted.at(-1) ?? Number.NaN;
  return {
    title: 'Searching',
    intro: `${users.toLocaleString('en')} users, pages of 50, one request at a time over HTTP, each search in ${sorts.length} sort orders and ${timesEach} times.`,
    tables: [
      {
        caption: 'Searches, ms',
        head: ['', 'searches', 'median', 'p95', 'worst'],
        rows: [...rows, ['all', ...figures(all)]],
      },
    ],
    notes: [],
    targets: [
      {
        target: `searches of ${users.toLocaleString('en')} users: p95 within ${p95Max} ms`,
        measured: `${shown(p95)} ms`,
        met: p95 <= p95Max,
      },
      {
        target: `searches of ${users.toLocaleString('en')} users: worst within ${worstMax} ms`,
        measured: `${shown(worst)} ms`,
        met: worst <= worstMax,
      },
    ],
    data: rows,
  };
}

function figures(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  return [
    String(sorted.length),
    shown(quantile(sorted, 0.5)),
    shown(quantile(sorted, 0.95)),
    shown(sorted.at(-1) ?? Number.NaN),
  ];
}

/** Of users from `fillUsers`. */
function kindsOf(users: number): Kind[] {
  const random = seededRandom(7);
  const numbers = Array.from({ length: 12 }, () => 1 + Math.floor(random() * users));
  return [
    { name: 'a name', searches: ['ada', 'Grace', 'TURING', 'Dijkstra', 'per', 'oare'] },
    { name: 'two words', searches: ['ada lovelace', 'hopper grace', 'alan org', 'knuth e77'] },
    { name: 'an employee ID', searches: numbers.map((number) => `E${number}`) },
    { name: 'part of a number', searches: numbers.map((number) => String(number).slice(0, 4)) },
    { name: 'a phone number', searches: numbers.map((number) => `+49 30 ${1_000_000 + number}`) },
    { name: 'an email address', searches: numbers.map((number) => `user${number}@example`) },
    { name: 'one or two letters', searches: ['a', 'u', 'e1', 'us', 'zz', '4'] },
    { name: 'nothing', searches: ['zebra', 'qqq', 'ada zebra', 'xyzzy123'] },
    { name: 'what only the newest 40% have', searches: ['org', 'example.org'] },
  ];
}
