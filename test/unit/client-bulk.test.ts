import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, type Slice } from '../../client/src/cut.js';
import type { Schemas } from '../../client/src/index.js';
import { type Placed, placed } from '../../client/src/positions.js';
import { bulkUpdateEcho } from '../../src/contract/users.js';

async function slicesOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  itemsPerCall: number,
  bytesPerCall: number,
) {
  const slices: Slice<T>[] = [];
  for await (const slice of cut(items, { itemsPerCall, bytesPerCall })) slices.push(slice);
  return slices;
}

const bodyBytes = (items: readonly unknown[]) => Buffer.byteLength(JSON.stringify({ items }));

describe('a list is cut into calls', () => {
  test('none is lost or moved, each call is within its limits, and none could have had one item more', async () => {
    const item = fc.record({ name: fc.string({ unit: 'binary', maxLength: 40 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 300, max: 900 }),
        async (items, itemsPerCall, bytesPerCall) => {
          const slices = await slicesOf(items, itemsPerCall, bytesPerCall);
          expect(slices.flatMap((slice) => slice.items)).toEqual(items);
          let first = 0;
          for (const [at, slice] of slices.entries()) {
            expect([slice.first, slice.isLast]).toEqual([first, at === slices.length - 1]);
            first += slice.items.length;
            expect(slice.items.length).toBeLessThanOrEqual(itemsPerCall);
            expect(bodyBytes(slice.items)).toBeLessThanOrEqual(bytesPerCall);
            const next = slices[at + 1]?.items[0];
            if (next === undefined) continue;
            const isFull = slice.items.length === itemsPerCall;
            // One byte of grace: every item is counted with its comma.
            expect(isFull || bodyBytes([...slice.items, next]) >= bytesPerCall).toBe(true);
          }
        },
      ),
    );
  });

  test('an item that is too large for any call is named before it is sent', async () => {
    const items = [{ name: 'a' }, { name: 'b'.repeat(100) }];
    await expect(slicesOf(items, 10, 60)).rejects.toThrow('The item at position 1 is too large');
  });

  test('an empty list is no call', async () => {
    expect(await slicesOf([], 10, 100)).toEqual([]);
  });
});

type Report = Schemas['BulkReport']['data'];

/** The report as the service writes it; `wrong` are the positions that failed. */
function reportOf(
  items: readonly unknown[],
  wrong: readonly boolean[],
  detail = (at: number) => `items[${at}]: no.`,
) {
  const report: Report = { successItems: [], failedItems: [] };
  for (const [position, item] of items.entries()) {
    const sent = Object(JSON.parse(JSON.stringify(item))) as Record<string, unknown>;
    const echoed = bulkUpdateEcho.filter((field) => Object.hasOwn(sent, field));
    const payload = Object.fromEntries(echoed.map((field) => [field, sent[field]]));
    if (wrong[position]) {
      const error = { errorCode: 10102, message: 'USER_NOT_FOUND', detail: detail(position) };
      report.failedItems.push({ payload, error });
    } else report.successItems.push({ payload, response: { serial: `serial of ${position}` } });
  }
  return report;
}

const positionsOf = (outcomes: readonly Placed[] | undefined) =>
  outcomes?.map((outcome) =>
    'success' in outcome ? outcome.success.response.serial : outcome.failed.error.detail,
  );

describe('a report is told apart by positions', () => {
  const field = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const item = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        employeeID: fc.constantFrom('A', 'B'),
        phone: field('1', null),
        tagSerials: field(['T1'], ['T1', 'T2']),
        organizationSerial: field('O1', 'O2'),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom(null, 7, 'A', []) },
  );

  test('whatever is sent twice, with or without the fields that the report leaves out', () => {
    const cases = fc.array(fc.tuple(item, fc.boolean()), { maxLength: 30 });
    fc.assert(
      fc.property(cases, (given) => {
        const items = given.map(([each]) => each);
        const wrong = given.map(([, isWrong]) => isWrong);
        const expected = wrong.map((isWrong, at) => (isWrong ? `items[${at}]: no.` : `serial of ${at}`));
        expect(positionsOf(placed(items, reportOf(items, wrong)))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('by the order alone where no two items are the same, however details are worded', () => {
    const items = ['A', 'B', 'C', 'D'].map((employeeID) => ({ employeeID }));
    const report = reportOf(items, [true, false, true, false], (at) => `Number ${at}.`);
    expect(positionsOf(placed(items, report))).toEqual([
      'Number 0.',
      'serial of 1',
      'Number 2.',
      'serial of 3',
    ]);
  });

  test('and never by a guess: the same item twice, and a detail that names none', () => {
    const items = [{ employeeID: 'A' }, { employeeID: 'A' }];
    expect(
      placed(
        items,
        reportOf(items, [true, false], () => 'No.'),
      ),
    ).toBeUndefined();
    expect(
      placed(
        items,
        reportOf(items, [true, false], () => 'items[7]: no.'),
      ),
    ).toBeUndefined();
  });

  test('not at all where it is the report of other items', () => {
    const report = reportOf([{ employeeID: 'A' }, { employeeID: 'B' }], [true, false]);
    expect(placed([{ employeeID: 'B' }, { employeeID: 'A' }], report)).toBeUndefined();
    expect(placed([{ employeeID: 'A' }], report)).toBeUndefined();
  });
});
