import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takenByOf } from '../../src/contract/errors.js';
import type { StoredUser } from '../../src/contract/users.js';
import {
  type NameResolution,
  type RequestedChange,
  resolveNames,
} from '../../src/domain/users/plans/resolve-names.js';
import { endOf, nameVerdict, type User, whoMoves } from '../support/final-state.js';
import { runToEnd } from '../support/steps.js';
import { storedUser } from '../support/stored-user.js';

const settleNames = runToEnd(resolveNames);

function user(serial: string, employeeID: string, username: string | null = null): StoredUser {
  return storedUser(employeeID, { serial, username });
}

type Names = readonly [employeeID: string, username?: string | null];

/** A requested change at this position. The serial is derived from it. */
function mover(position: number, before: Names | null, after: Names | null): RequestedChange {
  const serial = `m${position}`;
  return {
    serial,
    position,
    before: before && user(serial, ...before),
    after: after && user(serial, ...after),
  };
}

/** For each rejected change: who holds the name, and the item by which they took it. */
function blamed(settled: NameResolution): Record<string, string> {
  return Object.fromEntries(
    [...settled.rejections()].map(([serial, refusal]) => {
      const takenBy = takenByOf(refusal(0));
      return [serial, `${takenBy?.field} ${takenBy?.value}: ${takenBy?.serial} at ${takenBy?.position}`];
    }),
  );
}

describe('restored users', () => {
  test('return if their names are free', () => {
    expect(blamed(settleNames([mover(0, null, ['A', 'ada'])], [user('s', 'B', 'bob')]))).toEqual({});
  });

  test('are rejected if another user has their employee ID, or their username in any case', () => {
    const movers = [mover(0, null, ['A']), mover(1, null, ['B', 'ada'])];
    expect(blamed(settleNames(movers, [user('s', 'A', 'ADA')]))).toEqual({
      m0: 'employeeID A: s at null',
      m1: 'username ada: s at null',
    });
  });

  test('can take a name that another user gives up', () => {
    expect(blamed(settleNames([mover(0, null, ['A']), mover(1, ['A'], ['B'])], []))).toEqual({});
  });

  test('do not block names if they are rejected', () => {
    const movers = [mover(0, null, ['A', 'ada']), mover(1, ['B'], ['A'])];
    expect(blamed(settleNames(movers, [user('s', 'C', 'ada')]))).toEqual({ m0: 'employeeID A: m1 at 1' });
  });

  test('conflict over a name: the earlier one gets it', () => {
    const movers = [mover(1, null, ['A']), mover(0, null, ['A'])];
    expect(blamed(settleNames(movers, []))).toEqual({ m1: 'employeeID A: m0 at 0' });
  });
});

describe('removed users', () => {
  test('are never rejected, and release both names', () => {
    const movers = [mover(0, ['B'], ['A']), mover(1, ['C'], ['D', 'ADA']), mover(2, ['A', 'ada'], null)];
    expect(blamed(settleNames(movers, []))).toEqual({});
  });

  test('unblock a chain', () => {
    const movers = [mover(0, ['A'], ['B']), mover(1, ['B'], ['C'])];
    const last = mover(2, ['C'], null);
    expect(blamed(settleNames([...movers, last], []))).toEqual({});
    expect(blamed(settleNames(movers, [user('m2', 'C')]))).toEqual({
      m0: 'employeeID B: m1 at null',
      m1: 'employeeID C: m2 at null',
    });
  });

  test('can be replaced by a restored user, as in an undo of create and remove', () => {
    const movers = [mover(0, ['A', 'ada'], null), mover(1, null, ['A', 'Ada'])];
    expect(blamed(settleNames(movers, []))).toEqual({});
  });
});

describe('name comparison', () => {
  test('a username and an employee ID with the same text do not conflict', () => {
    expect(blamed(settleNames([mover(0, ['X'], ['ada'])], [user('s', 'S', 'ada')]))).toEqual({});
  });

  test('employee IDs are case-sensitive', () => {
    expect(blamed(settleNames([mover(0, ['X'], ['a'])], [user('s', 'A')]))).toEqual({});
  });

  test('positions decide, not the order of the arguments', () => {
    const movers = [mover(2, ['C'], ['X']), mover(0, ['A'], ['X']), mover(1, ['B'], ['X'])];
    expect(blamed(settleNames(movers, []))).toEqual({
      m1: 'employeeID X: m0 at 0',
      m2: 'employeeID X: m0 at 0',
    });
  });
});

describe('rejected changes are reconsidered', () => {
  test('a later change gets the name if the earlier one is rejected afterwards', () => {
    // m1 is too late for X, but then m3 is too late for Y and keeps the username that m0 needs.
    const movers = [
      mover(0, ['A'], ['X', 'v']),
      mover(1, ['B'], ['X']),
      mover(2, ['C'], ['Y']),
      mover(3, ['D', 'v'], ['Y']),
    ];
    expect(blamed(settleNames(movers, []))).toEqual({
      m0: 'employeeID X: m1 at 1',
      m3: 'employeeID Y: m2 at 2',
    });
  });

  test('in sequence, each one unblocking the next', () => {
    // m3 is too late for X, which blocks m2, m1 and m4; and m4 keeps the username that m0 needs.
    const movers = [
      mover(0, ['A'], ['X', 'v']),
      mover(1, ['P'], ['Q']),
      mover(2, ['Q'], ['R']),
      mover(3, ['R'], ['X']),
      mover(4, ['C', 'v'], ['Q']),
    ];
    expect(blamed(settleNames(movers, []))).toEqual({
      m0: 'employeeID X: m3 at 3',
      m4: 'employeeID Q: m1 at 1',
    });
  });

  test('in order of position, even if a later one was unblocked first', () => {
    // m8 is too late for Z, so m1 and m0 are blocked, and M is free for m6. That unblocks m5 and then m4, which unblock
    // m3 and m2, and those want the same name.
    const movers = [
      mover(0, ['A'], ['N', 's']),
      mover(1, ['B', 's'], ['M', 'y']),
      mover(2, ['C'], ['N', 'r']),
      mover(3, ['D'], ['N', 't']),
      mover(4, ['E', 'r'], ['E', 'v']),
      mover(5, ['F', 't'], ['G', 'w']),
      mover(6, ['G', 'v'], ['M', 'x']),
      mover(7, ['H'], ['Z']),
      mover(8, ['I', 'y'], ['Z']),
    ];
    expect(blamed(settleNames(movers, []))).toEqual({
      m0: 'employeeID N: m2 at 2',
      m1: 'employeeID M: m6 at 6',
      m3: 'employeeID N: m2 at 2',
      m8: 'employeeID Z: m7 at 7',
    });
  });
});

describe('hypothetical changes', () => {
  const settled = settleNames(
    [mover(0, ['A'], ['X', 'xia']), mover(1, ['B'], ['S'])],
    [user('s', 'S', 'sam')],
  );
  const answer = (before: Names | null, after: Names | null) =>
    settled.rejectionOf(mover(7, before, after))?.(7).detail;

  test('are checked for taken names', () => {
    expect(answer(['K', 'kim'], ['X', 'sam'])).toBe(
      'items[7]: the employee ID "X" is already taken by items[0] of this call.',
    );
    expect(answer(['K', 'kim'], ['A', 'SAM'])).toBe(
      'items[7]: the username "SAM" is already taken by another user with the serial s.',
    );
    expect(answer(['K', 'kim'], ['B', 'kim'])).toBe(
      'items[7]: the employee ID "B" is already taken by another user with the serial m1.',
    );
    expect(answer(['K', 'kim'], ['A', 'sammy'])).toBeUndefined();
    expect(answer(['K', 'kim'], null)).toBeUndefined();
  });

  test('name the holder by serial if there are no items', () => {
    expect(settled.rejectionOf(mover(7, null, ['X']))?.(undefined)).toEqual({
      error: 'USER_EMPLOYEE_ID_EXISTS',
      detail: 'The employee ID "X" is already taken by another user with the serial m0.',
      data: { takenBy: { field: 'employeeID', value: 'X', position: null, serial: 'm0' } },
    });
  });
});

/** Few names, so that there are many conflicts. */
const employeeID = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F');
const username = fc.option(fc.constantFrom('u', 'U', 'v', 'w', 'W', 'x'), { freq: 3 });
const names: fc.Arbitrary<Names> = fc.tuple(employeeID, username);
const wish = fc.record({
  before: fc.option(names, { freq: 4 }),
  after: fc.option(names, { freq: 6 }),
  moves: fc.constantFrom(true, true, true, false),
  keepsId: fc.boolean(),
});

/** Users whose initial username is taken start without one. If the employee ID is taken, they don't exist yet. */
const crowd = fc.array(wish, { maxLength: 9, size: 'max' }).chain((wishes) => {
  const taken = new Set<string>();
  const users = wishes.map(({ before, after, moves, keepsId }, index): User => {
    const serial = `p${index}`;
    const isThere = before !== null && !taken.has(before[0]);
    const key = before?.[1]?.toLowerCase() ?? '';
    const had = isThere ? user(serial, before[0], taken.has(`u${key}`) ? null : before[1]) : null;
    if (had) taken.add(had.employeeID).add(`u${had.username?.toLowerCase()}`);
    const wanted = after && user(serial, had && keepsId ? had.employeeID : after[0], after[1]);
    return { serial, position: moves ? index : null, before: had, after: moves ? wanted : had };
  });
  return fc.shuffledSubarray(users, { minLength: users.length });
});

function settle(users: readonly User[]) {
  const movers = users.flatMap((user) =>
    user.position === null ? [] : [{ ...user, position: user.position }],
  );
  const stayers = users.flatMap(({ position, before }) => (position === null && before ? [before] : []));
  const settled = settleNames(movers, stayers);
  const refusals = settled.rejections();
  return {
    settled,
    refusals,
    moved: new Set(users.filter(({ serial, position }) => position !== null && !refusals.has(serial))),
  };
}

describe('any set of users', () => {
  test('gives the same result as the step-by-step reference, and names the holder in every rejection', () => {
    fc.assert(
      fc.property(crowd, (users) => {
        const { refusals, moved } = settle(users);
        expect(moved).toEqual(whoMoves(users, new Set()));
        for (const user of users) {
          const told = refusals.get(user.serial)?.(0);
          const expected = moved.has(user) ? undefined : nameVerdict(user, users, moved);
          expect(told && { error: told.error, takenBy: takenByOf(told) }).toEqual(expected);
        }
      }),
      { numRuns: 250 },
    );
  });

  test('ends with unique names, and rejects no change that would still be possible', () => {
    fc.assert(
      fc.property(crowd, (users) => {
        const { moved, settled } = settle(users);
        const ends = users.flatMap((user) => endOf(user, moved) ?? []);
        const usernames = ends.flatMap(({ username }) => username?.toLowerCase() ?? []);
        expect(new Set(ends.map(({ employeeID }) => employeeID)).size).toBe(ends.length);
        expect(new Set(usernames).size).toBe(usernames.length);
        for (const user of users) {
          if (user.position === null) continue;
          const isFree = settled.rejectionOf({ ...user, position: user.position }) === undefined;
          expect(isFree).toBe(moved.has(user));
        }
      }),
      { numRuns: 250 },
    );
  });
});

/** As many as one call can have. All of these must run in linear time. */
describe('10,000 users', () => {
  const count = 10_000;
  const crowdOf = (each: (index: number) => RequestedChange) =>
    Array.from({ length: count }, (_, index) => each(index));

  test('who want the same name: the first gets it', () => {
    const settled = settleNames(
      crowdOf((index) => mover(index, [`A${index}`], ['X'])),
      [],
    );
    expect(settled.rejections().size).toBe(count - 1);
    expect(settled.rejections().has('m0')).toBe(false);
  });

  test('in a chain that fails at its end: all are rejected', () => {
    const chain = crowdOf((index) => mover(index, [`A${index}`], [`A${index + 1}`]));
    expect(settleNames(chain, [user('s', `A${count}`)]).rejections().size).toBe(count);
  });

  test('in a cycle: all succeed', () => {
    const circle = crowdOf((index) => mover(index, [`A${index}`], [`A${(index + 1) % count}`]));
    expect(settleNames(circle, []).rejections().size).toBe(0);
  });

  test('who are rejected at first and succeed later, starting with the last', () => {
    // The chain m1, m2, … ends at X, for which m0 is earlier, until a later change blocks m0.
    const chain = crowdOf((index) =>
      mover(index + 1, [`A${index}`], [index === count - 1 ? 'X' : `A${index + 1}`]),
    );
    const settled = settleNames(
      [
        mover(0, ['B'], ['X', 'v']),
        ...chain,
        mover(count + 1, ['C'], ['Y']),
        mover(count + 2, ['D', 'v'], ['Y']),
      ],
      [],
    );
    expect([...settled.rejections().keys()].sort()).toEqual(['m0', `m${count + 2}`]);
  });
});

describe('a chain whose members compete for names with its end', () => {
  /**
   * The first half of the chain passes on employee IDs, and each member has its own username. The second half passes on
   * usernames. Each member of the first half has a rival, who wants the same username and waits for the second half.
   */
  function chainWithRivals(half: number): RequestedChange[] {
    let position = 0;
    const rivals = Array.from({ length: half }, (_, at) =>
      mover(position++, [`R${at}`, `r${at}`], [`Q${half - at}`, `wanted${at}`]),
    );
    const first = Array.from({ length: half }, (_, at) =>
      mover(position++, [`P${at + 1}`, `p${at + 1}`], [`P${at}`, `wanted${at}`]),
    );
    const second = Array.from({ length: half }, (_, at) =>
      mover(position++, [`Q${at + 1}`, `q${at + 1}`], [`S${at + 1}`, at === 0 ? `p${half}` : `q${at}`]),
    );
    return [...rivals, ...first, ...second];
  }

  test('is resolved in steps, to yield to the event loop', () => {
    const steps = resolveNames(chainWithRivals(500), []);
    let turns = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) turns++;
    expect(turns).toBeGreaterThan(20);
    expect(step.value.rejections().size).toBe(500);
  });
});
