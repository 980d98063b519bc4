import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { eraseUser } from '../../src/domain/erasure/erase-user.js';
import { indexNext } from '../../src/domain/indexing/index-next.js';
import { searchTerms } from '../../src/domain/indexing/search-terms.js';
import { createUsersBulk } from '../../src/domain/users/create-users-bulk.js';
import { listUsers, type SortKey } from '../../src/domain/users/list-users.js';
import { updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange, parseNewUser } from '../../src/domain/users/user-rules.js';
import { rebuildIndex } from '../../src/storage/indexing/index-state.js';
import { collationFor, ensureNameOrder } from '../../src/storage/indexing/name-order.js';
import { strategyLimits } from '../../src/storage/users/page-order.js';
import { expectExactBlocks } from '../support/index-checks.js';
import { useUnindexedPlayground } from '../support/playground.js';
import { callerOf } from '../support/update-runs.js';

/** Searches by name and employee ID skip blocks of users. What they find is in indexed-reads.test.ts. */
const service = useUnindexedPlayground();
const caller = callerOf();
const sizes = { usersMin: 1, blockUsers: 4, frequentShare: 0.05 };
/** No search has few matches, and two blocks are looked at before the matches are sorted. */
const strategies = {
  ...strategyLimits,
  matchesMax: 0,
  sortedMax: 0,
  walkedUsersMax: 12,
  walkedBlocksMax: 2,
  walkedUsersSafe: 4,
};

const people = Array.from({ length: 40 }, (_, n) => ({
  employeeID: `E${10 + n}`,
  name: `${n < 20 ? 'Ada' : 'Zoe'} ${n % 2 === 0 ? 'Turing' : 'Hopper'}`,
  email: `p${n}@example.com`,
  isActive: true,
}));

beforeEach(async () => {
  const { pool } = service.database;
  for (const table of ['users', 'deliveries', 'changes', 'calls']) await pool.query(`DELETE FROM ${table}`);
  await rebuildIndex(pool);
  const created = await createUsersBulk(
    service.context,
    people.map((person) => parseNewUser(person, {})),
    { caller, effects: false, hold: false },
  );
  expect(created.ok).toBe(true);
});

async function indexed(stepsMax = Number.POSITIVE_INFINITY): Promise<void> {
  const settled = await service.context.changes.refresh();
  let steps = 0;
  while (steps++ < stepsMax && (await indexNext(service.database, settled, { blocks: sizes })) === 'more');
}

async function rename(employeeID: string, newEmployeeID: string): Promise<void> {
  const item = { employeeID, newEmployeeID, isActive: true };
  const name = people.find((person) => [employeeID, newEmployeeID].includes(person.employeeID))?.name;
  const renamed = await updateUsersBulk(
    { ...service.context, safetyLimitPercent: 0 },
    [parseBulkChange({ ...item, name }, {})],
    { caller, effects: false, mode: 'oneByOne', confirmed: undefined },
  );
  expect(renamed.ok).toBe(true);
}

async function found(
  search: string,
  sort: SortKey,
  descending = false,
  context = service.context,
): Promise<string[]> {
  const request = { filters: { search }, sort, descending, exactFirst: false, limit: 5, cursor: undefined };
  const page = await listUsers(context, request, strategies);
  if (!page.ok) throw new Error(page.failure.detail);
  return page.items.map(({ employeeID }) => employeeID);
}

interface Block {
  readonly sort: string;
  readonly first: string;
  readonly users: number | null;
}

async function blocks(): Promise<Block[]> {
  const { rows } = await service.database.pool.query<Block>(
    'SELECT sort, first_key AS first, users FROM search_blocks ORDER BY sort, first_key, first_serial',
  );
  return rows;
}

async function blocksWith(sort: string, term: string): Promise<number> {
  const [, , sequence] = searchTerms(` ${term} `);
  const { rows } = await service.database.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM search_blocks
     WHERE sort = $1 AND get_bit(terms, (SELECT bit FROM frequent_terms WHERE term = $2)) = 1`,
    [sort, sequence],
  );
  return rows[0]?.count ?? 0;
}

test('blocks are split until none is large, and know which frequent terms their users have', async () => {
  await indexed();
  for (const sort of ['name', 'employeeID']) {
    const sizesOf = (await blocks()).filter((block) => block.sort === sort).map(({ users }) => users ?? 0);
    expect(sizesOf.reduce((sum, users) => sum + users, 0)).toBe(people.length);
    expect(Math.max(...sizesOf)).toBeLessThanOrEqual(6);
    expect(await blocksWith(sort, 'ada')).toBe(5);
    expect(await blocksWith(sort, 'zoe')).toBe(5);
  }
  expect(await found('zoe', 'name')).toEqual(['E31', 'E33', 'E35', 'E37', 'E39']);
  expect(await found('ada', 'name', true)).toEqual(['E28', 'E26', 'E24', 'E22', 'E20']);
  expect(await found('zoe', 'employeeID')).toEqual(['E30', 'E31', 'E32', 'E33', 'E34']);
});

test('users who are written later add their terms, and a block that has grown is split', async () => {
  await indexed();
  const { length } = await blocks();
  const item = (n: number) => ({ ...people[0], employeeID: `E100${n}`, name: `Ada Nakamura ${n}` });
  await createUsersBulk(
    service.context,
    Array.from({ length: 8 }, (_, n) => parseNewUser(item(n), {})),
    { caller, effects: false, hold: false },
  );
  await rename('E45', 'A45');
  expect(await found('zoe', 'employeeID')).toEqual(['A45', 'E30', 'E31', 'E32', 'E33']);
  await indexed(1);
  expect(await found('zoe', 'employeeID')).toEqual(['A45', 'E30', 'E31', 'E32', 'E33']);
  await indexed();
  expect((await blocks()).length).toBeGreaterThan(length);
  expect(await found('nakamura', 'name', true)).toEqual(['E1007', 'E1006', 'E1005', 'E1004', 'E1003']);
  expect(await found('zoe', 'employeeID')).toEqual(['A45', 'E30', 'E31', 'E32', 'E33']);
});

test('a rename that is taken back while the blocks are built leaves the user in the right one', async () => {
  await indexed(2);
  await rename('E30', 'Z30');
  const { position } = (await service.database.pool.query('SELECT position FROM index_state')).rows[0];
  while ((await indexNext(service.database, Number(position), { blocks: sizes })) === 'more');
  expect((await blocks()).every(({ users }) => users !== null)).toBe(true);
  await rename('Z30', 'E30');
  await indexed();
  expect(await found('zoe', 'employeeID')).toEqual(['E30', 'E31', 'E32', 'E33', 'E34']);
});

test('blocks that a node of the previous version has not updated are ignored, and built anew', async () => {
  await indexed();
  await rename('E45', 'A45');
  await indexed(1);
  const { pool } = service.database;
  await pool.query('UPDATE search_blocks SET terms = terms # terms');
  expect(await found('zoe', 'employeeID')).toEqual([]);
  await pool.query('UPDATE index_state SET blocks_position = blocks_position - 1');
  expect(await found('zoe', 'employeeID')).toEqual(['A45', 'E30', 'E31', 'E32', 'E33']);
  await indexed();
  expect(await blocksWith('employeeID', 'zoe')).toBe(6);
  expect(await found('zoe', 'employeeID')).toEqual(['A45', 'E30', 'E31', 'E32', 'E33']);
});

test('blocks are built anew, with other frequent terms, after every user was written twice', async () => {
  await indexed();
  for (let round = 0; round < 2; round++) {
    const items = people.map(({ employeeID }, n) => ({
      employeeID,
      name: `Grace ${n} ${round}`,
      isActive: true,
    }));
    await updateUsersBulk(
      { ...service.context, safetyLimitPercent: 0 },
      items.map((item) => parseBulkChange(item, {})),
      { caller, effects: false, mode: 'oneByOne', confirmed: undefined },
    );
    await indexed();
  }
  expect(await blocksWith('name', 'grace')).toBe(10);
  expect(await found('grace', 'employeeID')).toEqual(['E10', 'E11', 'E12', 'E13', 'E14']);
});

test.runIf(inject('engine') === 'postgres')(
  'blocks are built anew for another collation, and nodes that still have the old one ignore them',
  async () => {
    const { database, context } = service;
    const inSwedish = { ...context, nameCollation: collationFor('sv') };
    const åsas = Array.from({ length: 6 }, (_, n) => ({
      ...people[0],
      employeeID: `S${n}`,
      name: `Åsa ${n}`,
    }));
    await createUsersBulk(
      context,
      åsas.map((person) => parseNewUser(person, {})),
      { caller, effects: false, hold: false },
    );
    await indexed();
    onTestFinished(() => ensureNameOrder(database, 'und'));
    await ensureNameOrder(database, 'sv');
    expect(await found('asa', 'name', true, inSwedish)).toEqual(['S5', 'S4', 'S3', 'S2', 'S1']);
    await indexed();
    await expectExactBlocks(database.pool);
    const { rows } = await database.pool.query('SELECT blocks_collation AS collation FROM index_state');
    expect(rows).toEqual([{ collation: 'sv-x-icu' }]);
    expect(await found('asa', 'name', true, inSwedish)).toEqual(['S5', 'S4', 'S3', 'S2', 'S1']);
    // In Swedish, Å comes after Z.
    expect(await found('p', 'name', true, inSwedish)).toEqual(['S5', 'S4', 'S3', 'S2', 'S1']);
    expect(await found('p', 'name', true)).toEqual(['E48', 'E46', 'E44', 'E42', 'E40']);
  },
);

test('blocks that begin with an erased user become part of the blocks before', async () => {
  await indexed();
  const { pool } = service.database;
  const borders = async () => {
    const { rows } = await pool.query<{ serial: string }>(
      `SELECT DISTINCT users.serial FROM search_blocks JOIN users
         ON sort = 'name' AND users.serial IN (first_serial, end_serial)
         OR sort = 'employeeID' AND users.employee_id IN (first_key, end_key)`,
    );
    return rows.map(({ serial }) => serial);
  };
  const all = await borders();
  expect(all.length).toBeGreaterThan(10);
  const bordering = all.slice(0, 6);
  const { rows: erasing } = await pool.query<{ serial: string; employeeID: string }>(
    'SELECT serial, employee_id AS "employeeID" FROM users WHERE serial = ANY ($1::uuid[])',
    [bordering],
  );
  for (const { serial } of erasing) {
    expect(await eraseUser(service.context, serial, caller)).toMatchObject({ ok: true });
    await expectExactBlocks(pool);
  }
  const { rows: left } = await pool.query(
    `SELECT FROM search_blocks WHERE first_serial = ANY ($1::uuid[]) OR end_serial = ANY ($1::uuid[])
       OR first_key = ANY ($2::text[]) OR end_key = ANY ($2::text[])`,
    [bordering, erasing.map(({ employeeID }) => employeeID)],
  );
  expect(left).toEqual([]);
  await indexed();
  await expectExactBlocks(pool);
  const { rows: users } = await pool.query<{ employeeID: string }>(
    `SELECT employee_id AS "employeeID" FROM users WHERE name LIKE 'Zoe %' ORDER BY 1 LIMIT 5`,
  );
  expect(await found('zoe', 'employeeID')).toEqual(users.map(({ employeeID }) => employeeID));
});
