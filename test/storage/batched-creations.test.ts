import { describe, expect, test } from 'vitest';
import { batchedCreate } from '../../src/domain/users/batched-create.js';
import type { Creation } from '../../src/storage/users/insert-users.js';
import { aCreation, everythingOf } from '../support/creations.js';
import { aUser, newId, useService } from '../support/service.js';

const service = useService();

const creation = (overrides: Record<string, unknown> = {}): Creation =>
  aCreation(service.context.cipher, aUser(overrides));
const creations = (count: number) => Array.from({ length: count }, () => creation());

/** A user that passes the field rules, but that the database rejects for lack of contact details. */
function withoutContact(): Creation {
  const { user, ...rest } = creation();
  return { ...rest, user: { ...user, email: null, phone: null } };
}

/** The users written by each statement. Rows carry the number of the transaction that wrote them. */
async function statementsOf(all: readonly Creation[]): Promise<string[][]> {
  const { rows } = await service.database.pool.query<{ ids: string[] }>(
    `SELECT array_agg(employee_id ORDER BY serial) AS ids FROM users WHERE serial = ANY ($1)
     GROUP BY xmin::text ORDER BY min(serial::text)`,
    [all.map(({ user }) => user.serial)],
  );
  return rows.map(({ ids }) => ids);
}

const idsOf = (some: readonly Creation[]) => some.map(({ user }) => user.employeeID);

describe('concurrent creates', () => {
  test.each([
    ['in one statement once two are in progress', 100, [[0], [1], [2, 3, 4, 5, 6, 7]]],
    ['in statements of at most three users', 3, [[0], [1], [2, 3, 4], [5, 6, 7]]],
    ['in one statement each if the maximum is 1', 1, [[0], [1], [2], [3], [4], [5], [6], [7]]],
  ])('are written %s', async (_, createsTogetherMax, statements) => {
    const create = batchedCreate(service.database, { createsTogetherMax });
    const all = creations(8);
    expect(await Promise.all(all.map(create))).toEqual(all.map(() => true));
    expect(await statementsOf(all)).toEqual(
      statements.map((some) => idsOf(some.map((index) => all[index] as Creation))),
    );
  });

  test.each([100, 1])('each report whether the user was created (at most %i together)', async (most) => {
    const create = batchedCreate(service.database, { createsTogetherMax: most });
    const [employeeID, username] = [newId('A'), newId('u')];
    const all = [
      ...creations(3),
      creation({ employeeID }),
      creation({ employeeID: newId('B'), username }),
      creation(),
      creation({ employeeID }),
      creation({ employeeID: newId('C'), username: username.toUpperCase() }),
      creation(),
    ];
    const created = await Promise.all(all.map(create));
    // With a statement each, either of the two can win.
    for (const rivals of [
      [3, 6],
      [4, 7],
    ])
      expect(rivals.map((index) => created[index]).toSorted()).toEqual([false, true]);
    for (const index of [0, 1, 2, 5, 8]) expect(created[index]).toBe(true);
    const stored = await everythingOf(service.database.pool, all);
    for (const [index, { user }] of all.entries()) {
      expect(stored.filter((row) => row.includes(user.serial))).toHaveLength(created[index] ? 3 : 0);
    }
  });

  test('are all stored except the one that the database rejects', async () => {
    const create = batchedCreate(service.database, { createsTogetherMax: 100 });
    const [before, broken, after] = [creations(4), withoutContact(), creations(3)];
    const outcomes = await Promise.allSettled([...before, broken, ...after].map(create));
    const good = { status: 'fulfilled', value: true };
    expect(outcomes).toEqual([
      ...before.map(() => good),
      { status: 'rejected', reason: expect.objectContaining({ constraint: 'users__contact' }) },
      ...after.map(() => good),
    ]);
    expect(await everythingOf(service.database.pool, [broken])).toEqual([]);
    expect(await everythingOf(service.database.pool, [...before, ...after])).toHaveLength(21);
  });
});
