import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathBases, readOperation, sentOperation } from '../../../src/scim/bulk/operation.js';
import {
  creatorsOf,
  dataFacts,
  type LinkedOperation,
  orderOf,
  referredBulkId,
  withIds,
} from '../../../src/scim/bulk/references.js';

const base = 'https://people.example.com/scim/v2';
const bases = pathBases(base);

describe('an operation', () => {
  const data = { userName: 'ada' };

  test.each([
    [
      { method: 'post', path: '/Users', bulkId: 'a', data },
      { method: 'POST', resourceType: 'User', bulkId: 'a', data },
    ],
    [
      { METHOD: 'PUT', Path: 'groups/T1', Data: data },
      { method: 'PUT', resourceType: 'Group', id: 'T1' },
    ],
    [
      { method: 'PATCH', path: `${base}/Groups/a%20b`, data, version: 'W/"1"' },
      { id: 'a b', version: 'W/"1"' },
    ],
    [
      { method: 'DELETE', path: '/scim/v2/Users/bulkId:a?x=1' },
      { method: 'DELETE', id: 'bulkId:a' },
    ],
    [{ method: 'DELETE', path: '/Users/%' }, { id: '%' }],
  ])('is read: %j', (sent, expected) => {
    expect(readOperation(sent, bases)).toMatchObject({ ok: true, value: expected });
  });

  test.each([
    ['no object', 7],
    ['another method', { method: 'GET', path: '/Users' }],
    ['no path', { method: 'POST', bulkId: 'a', data }],
    ['another endpoint', { method: 'DELETE', path: '/Schemas/x' }],
    ['another host', { method: 'DELETE', path: 'https://elsewhere.example/Users/x' }],
    ['an ID of what is to be created', { method: 'POST', path: '/Users/x', bulkId: 'a', data }],
    ['no ID of what is to be changed', { method: 'PATCH', path: '/Users', data }],
    ['no bulkId', { method: 'POST', path: '/Users', data }],
    ['no data', { method: 'PUT', path: '/Users/x' }],
    ['data that is no object', { method: 'PATCH', path: '/Users/x', data: [] }],
  ])('with %s is rejected', (_, sent) => {
    expect(readOperation(sent, bases)).toMatchObject({ ok: false, scimType: 'invalidSyntax' });
  });

  test('is repeated in the response as far as it makes sense', () => {
    expect(sentOperation({ Method: 'post', BULKID: 'a' })).toEqual({ method: 'POST', bulkId: 'a' });
    for (const sent of [7, {}, { method: 1, bulkId: 'x'.repeat(1_001) }]) {
      expect(sentOperation(sent)).toEqual({ method: undefined, bulkId: undefined });
    }
  });
});

describe('references', () => {
  const data = {
    manager: { value: 'BULKID:a' },
    Operations: [{ op: 'remove', path: 'members[value eq "bulkId:b" or value eq "bulkId:b"]' }, 'bulkId:c'],
    note: 'see bulkId:d',
  };

  test('are found in values and paths', () => {
    expect(referredBulkId('bulkid:x y')).toBe('x y');
    expect(['bulkId:', 'x bulkId:y', 7].map(referredBulkId)).toEqual([undefined, undefined, undefined]);
    expect(dataFacts(data)).toEqual({ bulkIds: ['a', 'b', 'c'], mentionsPassword: false });
    for (const each of [{ Password: 'x' }, { Operations: [{ path: 'PASSWORD', value: 'x' }] }]) {
      expect(dataFacts(each).mentionsPassword).toBe(true);
    }
  });

  test('become IDs, except those to nothing', () => {
    const known = new Map([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(withIds(data, (bulkId) => known.get(bulkId))).toEqual({
      manager: { value: '1' },
      Operations: [{ op: 'remove', path: 'members[value eq "2" or value eq "2"]' }, 'bulkId:c'],
      note: 'see bulkId:d',
    });
  });

  test('lead to the first operation with a bulkId', () => {
    expect(creatorsOf(linked([[], [], []], ['a', 'a', 'b']))).toEqual(
      new Map([
        ['a', 0],
        ['b', 2],
      ]),
    );
  });
});

/** POSTs that refer to each other by position. */
function linked(
  needs: readonly (readonly number[])[],
  names = needs.map((_, at) => `${at}`),
): LinkedOperation[] {
  return needs.map((needed, position) => ({
    ...{ method: 'POST', resourceType: 'User', id: undefined, version: undefined, data: {} },
    ...{
      bulkId: names[position],
      position,
      mentionsPassword: false,
      bulkIds: needed.map((each) => `${each}`),
    },
  }));
}

describe('the order of operations', () => {
  test('is the one they were sent in, except that what they need goes first', () => {
    expect(orderOf(linked([[], [3], [], [], [1]])).order).toEqual([0, 3, 1, 2, 4]);
    expect(orderOf([...linked([[7]]), undefined])).toEqual({ order: [0, 1], circular: new Set() });
  });

  /** Whether a position leads to another one, by a search without shortcuts. */
  const leads = (needs: readonly (readonly number[])[], from: number, to: number): boolean => {
    const seen = new Set<number>();
    const open = [...(needs[from] ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === to) return true;
      if (!seen.has(at)) open.push(...(needs[at] ?? []));
      seen.add(at);
    }
    return false;
  };

  const graphs = fc
    .integer({ min: 1, max: 9 })
    .chain((size) =>
      fc.array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 2 }), { minLength: size, maxLength: size }),
    );

  test('circles are found, however operations are linked', () => {
    fc.assert(
      fc.property(graphs, (needs) => {
        const { order, circular } = orderOf(linked(needs));
        const all = [...needs.keys()];
        const inCircle = new Set(all.filter((at) => leads(needs, at, at)));
        // Those between two circles wait for one and are waited for by the other.
        const between = all.filter(
          (at) =>
            [...inCircle].some((one) => leads(needs, at, one)) &&
            [...inCircle].some((one) => leads(needs, one, at)),
        );
        expect([...circular].sort()).toEqual([...new Set([...inCircle, ...between])].sort());
        expect([...order].sort()).toEqual(all);
        for (const [position, needed] of needs.entries()) {
          if (circular.has(position)) continue;
          for (const each of needed) {
            if (!circular.has(each)) expect(order.indexOf(each)).toBeLessThan(order.indexOf(position));
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
