import { describe, expect, test } from 'vitest';
import type { Row } from '#sheets';
import { setAside } from '../../../src/domain/feeds/planned-rows.js';

const table = (days: Iterable<string>) => ({
  rows: rowsOf(days),
  headings: [{ column: 0, letter: 'A', name: 'Day', isEmpty: false }],
  effectiveDate: 0,
});

async function* rowsOf(days: Iterable<string>): AsyncGenerator<Row> {
  let number = 1;
  for (const day of days) yield { number: ++number, line: number, cells: [day] };
}

async function yielded({ rows }: ReturnType<typeof setAside>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of rows) numbers.push(number);
  return numbers;
}

describe('rows of later days', () => {
  const days = ['', '2099-01-01', '2020-01-01', 'someday'];

  test('are kept back from a run that writes', async () => {
    const later = setAside(table(days), { timeZone: 'UTC', yieldsLater: false });
    expect(await yielded(later)).toEqual([2, 4, 5]);
    expect([...later.byDay.keys()]).toEqual(['2099-01-01']);
  });

  test('are set aside and measured by a run that has not written yet', async () => {
    const later = setAside(table(days), { timeZone: 'UTC', yieldsLater: true });
    expect(await yielded(later)).toEqual([2, 3, 4, 5]);
    expect([...later.byDay.keys()]).toEqual(['2099-01-01']);
  });

  test('beyond 50,000 fail the run before it writes', async () => {
    const many = Array<string>(50_001).fill('2099-01-01');
    const later = setAside(table(many), { timeZone: 'UTC', yieldsLater: true });
    await expect(yielded(later)).rejects.toMatchObject({ problem: { code: 'TOO_MANY_LATER_ROWS' } });
  });
});
