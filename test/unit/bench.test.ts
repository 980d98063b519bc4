import { describe, expect, test } from 'vitest';
import { figuresOf, shown } from '../../bench/figures.js';
import { interleaved } from '../../bench/interleaved.js';
import type { Machine } from '../../bench/machine.js';
import { markdownOf } from '../../bench/markdown.js';
import { picturesOf } from '../../bench/pictures.js';
import { plotOf, ticksUpTo } from '../../bench/plot.js';
import type { Section } from '../../bench/section.js';
import { type User, Users } from '../../bench/users.js';

describe('figures', () => {
  test('are the median and quartiles, interpolated between two measurements if necessary', () => {
    expect(figuresOf([40, 10, 30, 20])).toEqual({ median: 25, p25: 17.5, p75: 32.5, rounds: 4 });
    expect(figuresOf([3, 1, 2]).median).toBe(2);
  });

  test('are shown with three significant digits', () => {
    expect([1_234.5, 123.4, 12.34, 1.234].map(shown)).toEqual(['1,235', '123', '12.3', '1.23']);
  });
});

describe('interleaved measurements', () => {
  test('start each round with a different variant, and omit variants that skip a round', async () => {
    const order: string[] = [];
    const variant = (name: string, rounds: readonly number[]) => async (round: number) => {
      order.push(name);
      return rounds.includes(round) ? round : undefined;
    };
    const figures = await interleaved(3, {
      a: variant('a', [0, 1, 2]),
      b: variant('b', [1]),
      c: variant('c', []),
    });
    expect(order.join('')).toBe('abcbcacab');
    expect(figures.a?.rounds).toBe(3);
    expect(figures.b?.rounds).toBe(1);
    expect(figures).not.toHaveProperty('c');
  });
});

describe('benchmark users', () => {
  const user = (number: number): User => ({
    employeeID: `E${number}`,
    name: 'Ada Lovelace',
    username: `user${number}`,
    phone: '+49 30 1000000',
    isActive: true,
    tagSerials: ['TAG1', 'TAG2'],
  });
  const crowd = () => Users.of(Array.from({ length: 3_000 }, (_, number) => user(number)));

  test('take over a name in a chain only after its holder has given it up', () => {
    const users = crowd();
    const held = new Set(Array.from({ length: 3_000 }, (_, number) => `E${number}`));
    for (const round of [1, 2]) {
      const changes = users.changes(2_500, 'chains');
      const tooEarly = changes.filter(({ before, after }) => {
        const isFree = held.delete(before.employeeID) && !held.has(after.employeeID);
        held.add(after.employeeID);
        return !isFree;
      });
      expect(tooEarly, `round ${round}`).toEqual([]);
      const left = new Set(changes.map(({ before }) => before.employeeID));
      const passedOn = changes.filter(({ after }) => left.has(after.employeeID));
      expect(passedOn).toHaveLength(2_497); // three chains; the first user of each takes a new name
    }
  });

  test.each(['phones', 'mixed', 'renames'] as const)('all change with workload %s', (workload) => {
    for (const { before, after } of crowd().changes(400, workload)) expect(after).not.toEqual(before);
  });

  test('change by a tenth, or not at all', () => {
    const changed = (workload: 'tenth' | 'nothing') =>
      crowd()
        .changes(400, workload)
        .filter(({ before, after }) => before !== after).length;
    expect(changed('tenth')).toBe(40);
    expect(changed('nothing')).toBe(0);
  });

  test('are unchanged by drafts, and restored when a change is taken back', () => {
    const users = Users.of([user(1)]);
    users.drafts(1, 'renames');
    const [change] = users.changes(1, 'renames');
    expect(change?.before).toEqual(user(1));
    users.takeBack(change ? [change] : []);
    expect(users.changes(1, 'phones')[0]?.before).toEqual(user(1));
  });
});

describe('plot', () => {
  test.each([0.3, 1, 7, 19.9, 20, 62, 99, 100, 640, 12_345])(
    'has round numbers up to %d on its axis',
    (greatest) => {
      const ticks = ticksUpTo(greatest);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest * 0.999);
      expect(ticks.at(-2)).toBeLessThan(greatest);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(6);
    },
  );

  test('spaces powers of ten evenly', () => {
    const points = [100, 1_000, 10_000].map((x) => ({ x, y: 1, from: 1, to: 1 }));
    const svg = plotOf([{ title: 'a < b', xLabel: 'items', yLabel: 'µs', lines: [{ name: 'one', points }] }]);
    const [first, second, third] = [...svg.matchAll(/<circle class="dot series0" cx="([\d.]+)"/g)].map(
      ([, x]) => Number(x),
    ) as [number, number, number];
    expect(third - second).toBeCloseTo(second - first, 0);
    expect(svg).toContain('a &lt; b');
  });
});

describe('report', () => {
  const machine: Machine = {
    processor: 'Some processor',
    cores: 2,
    memoryGb: 16,
    node: '20.20.0',
    postgres: '18.4',
    date: '2026-01-02',
  };
  const section: Section = {
    title: 'Create',
    intro: 'What it costs.',
    tables: [
      {
        caption: 'Bulk create',
        head: ['variant', 'ms'],
        rows: [
          ['HTTP', '1,500'],
          ['bare SQL', '1,000'],
        ],
      },
    ],
    notes: [],
    targets: [
      { target: 'fast', measured: '2 ×', met: false },
      { target: 'small', measured: '-', met: undefined },
      { target: 'nice', measured: 'yes', met: true },
    ],
    data: null,
  };

  test('compares with bare SQL in a table and a chart, and leaves out what was not measured', () => {
    const saved = { creates: { machine, section } };
    const markdown = markdownOf(saved);
    expect(markdown).toContain(
      '| --- | ---: | ---: | ---: |\n| create 10,000 users in one call | 1,500 ms | 1,000 ms | 1.50 × |\n\n',
    );
    expect(markdown).not.toMatch(/undefined|NaN|embedded/);
    const pictures = picturesOf(saved);
    expect(Object.keys(pictures)).toEqual(['next-to-sql.svg']);
    expect(pictures['next-to-sql.svg']).toMatch(/create 10,000 users in one call.*1\.50 ×/);
  });

  test('names each machine once, with the sections that were measured on it', () => {
    const other = { ...machine, processor: 'Another' };
    const markdown = markdownOf({
      bulk: { machine, section },
      creates: { machine, section },
      sync: { machine: other, section },
    });
    expect(markdown).toContain('2026-01-02: bulk, creates\n');
    expect(markdown).toMatch(/Another, 2 cores.*: sync\n/);
  });

  test('lists the targets that are not met', () => {
    const markdown = markdownOf({ creates: { machine, section } });
    expect(markdown).toContain(
      '1 of 3 are met. The others:\n\n- creates: fast: **2 ×**; small: **not measured**\n',
    );
  });
});
