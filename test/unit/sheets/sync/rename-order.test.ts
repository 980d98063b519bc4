import { describe, expect, test } from 'vitest';
import { renameOrder } from '../../../../sheets/src/sync/rename-order.js';

const order = (waits: Record<number, number>) =>
  renameOrder(new Map(Object.entries(waits).map(([row, other]) => [Number(row), other])));

describe('rows that depend on other rows', () => {
  test('come after the row they depend on, in whatever order the chain is written', () => {
    const { roundOf, rounds, cycles, awaited } = order({ 4: 3, 3: 2, 9: 8, 2: 7 });
    expect(Object.fromEntries(roundOf)).toEqual({ 2: 1, 3: 2, 4: 3, 9: 1 });
    expect({ rounds, cycles }).toEqual({ rounds: 3, cycles: [] });
    expect([...awaited].sort()).toEqual([2, 3, 7, 8]);
  });

  test('are reported as cycles if they depend on each other', () => {
    expect(order({ 2: 3, 3: 2 }).cycles).toEqual([[2, 3]]);
    expect(order({ 2: 3, 3: 4, 4: 2, 7: 8 }).cycles).toEqual([[2, 3, 4]]);
  });

  test('can form a chain of 100,000', () => {
    const waits = new Map(Array.from({ length: 100_000 }, (_, row) => [row, row + 1] as const));
    const { roundOf, rounds } = renameOrder(waits);
    expect({ rounds, first: roundOf.get(0), end: roundOf.get(99_999) }).toEqual({
      rounds: 100_000,
      first: 100_000,
      end: 1,
    });
  });
});
