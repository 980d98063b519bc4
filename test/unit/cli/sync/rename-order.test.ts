import { describe, expect, test } from 'vitest';
import { renameOrder } from '../../../../src/cli/sync/file/rename-order.js';

const turns = (waits: Record<number, number>) =>
  renameOrder(new Map(Object.entries(waits).map(([row, other]) => [Number(row), other])));

describe('rows that wait for others', () => {
  test('come after the row that they wait for, however the chain is written', () => {
    const { turnOf, last, circles, awaited } = turns({ 4: 3, 3: 2, 9: 8, 2: 7 });
    expect(Object.fromEntries(turnOf)).toEqual({ 2: 1, 3: 2, 4: 3, 9: 1 });
    expect({ last, circles }).toEqual({ last: 3, circles: [] });
    expect([...awaited].sort()).toEqual([2, 3, 7, 8]);
  });

  test('are told of where they wait for each other', () => {
    expect(turns({ 2: 3, 3: 2 }).circles).toEqual([[2, 3]]);
    expect(turns({ 2: 3, 3: 4, 4: 2, 7: 8 }).circles).toEqual([[2, 3, 4]]);
  });

  test('a chain of 100,000 is ordered at once', () => {
    const waits = new Map(Array.from({ length: 100_000 }, (_, row) => [row, row + 1] as const));
    const { turnOf, last } = renameOrder(waits);
    expect({ last, first: turnOf.get(0), end: turnOf.get(99_999) }).toEqual({
      last: 100_000,
      first: 100_000,
      end: 1,
    });
  });
});
