import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdIndex } from '../../../../sheets/src/sync/id-index.js';

const id = fc.stringMatching(/^[A-Za-z0-9]{1,64}$/);

describe('employee ID index', () => {
  test('behaves like a Map that keeps the first number', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.nat())), fc.array(id), (entries, others) => {
        const index = new IdIndex();
        const map = new Map<string, number>();
        for (const [key, number] of entries) {
          expect(index.add(key, number)).toBe(map.get(key));
          if (!map.has(key)) map.set(key, number);
        }
        expect(index.size).toBe(map.size);
        expect([...index]).toEqual([...map]);
        for (const key of [...map.keys(), ...others]) {
          expect(index.get(key)).toBe(map.get(key));
          expect(index.has(key)).toBe(map.has(key));
        }
      }),
    );
  });

  test('distinguishes 300,000 similar IDs and is case-sensitive', () => {
    const index = new IdIndex();
    for (let number = 0; number < 300_000; number++) index.add(`E${number}`, number);
    expect(index.size).toBe(300_000);
    for (const number of [0, 1, 99_999, 123_456, 299_999]) expect(index.get(`E${number}`)).toBe(number);
    for (const other of ['E300000', 'e1', 'E', 'E01', '1']) expect(index.has(other)).toBe(false);
  });
});
