import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PositionQueue } from '../../src/domain/users/plans/position-queue.js';

interface Entry {
  readonly position: number;
  readonly label: number;
}

function drained(queue: PositionQueue<Entry>): Entry[] {
  const entries: Entry[] = [];
  for (let entry = queue.next(); entry; entry = queue.next()) entries.push(entry);
  return entries;
}

const positions = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60, size: 'max' });
const entriesOf = (list: readonly number[]) => list.map((position, label): Entry => ({ position, label }));
const byLabel = (entries: readonly Entry[]) => entries.toSorted((a, b) => a.label - b.label);

describe('position queue', () => {
  test('an empty queue returns undefined, repeatedly', () => {
    const queue = new PositionQueue<Entry>();
    expect([queue.next(), queue.next()]).toEqual([undefined, undefined]);
  });

  test('returns every entry once, sorted, including duplicates', () => {
    fc.assert(
      fc.property(positions, (list) => {
        const queue = new PositionQueue<Entry>();
        for (const entry of entriesOf(list)) queue.add(entry);
        const out = drained(queue);
        expect(out.map(({ position }) => position)).toEqual(list.toSorted((a, b) => a - b));
        expect(byLabel(out)).toEqual(entriesOf(list));
      }),
      { numRuns: 200 },
    );
  });

  test('stays sorted while entries are added in between', () => {
    const steps = fc.array(fc.option(fc.integer({ min: 0, max: 40 }), { freq: 2 }), {
      maxLength: 80,
      size: 'max',
    });
    fc.assert(
      fc.property(steps, (list) => {
        const queue = new PositionQueue<Entry>();
        let inside: number[] = [];
        for (const [label, position] of list.entries()) {
          if (position === null) {
            expect(queue.next()?.position).toBe(inside[0]);
            inside = inside.slice(1);
          } else {
            queue.add({ position, label });
            inside = [...inside, position].sort((a, b) => a - b);
          }
        }
        expect(drained(queue).map(({ position }) => position)).toEqual(inside);
      }),
      { numRuns: 200 },
    );
  });

  test('can be refilled after running empty', () => {
    const queue = new PositionQueue<Entry>();
    queue.add({ position: 3, label: 0 });
    drained(queue);
    queue.add({ position: 2, label: 1 });
    queue.add({ position: 1, label: 2 });
    expect(drained(queue).map(({ label }) => label)).toEqual([2, 1]);
  });
});
