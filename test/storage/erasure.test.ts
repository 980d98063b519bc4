import { describe, expect, test } from 'vitest';
import { eraseWithin } from '../../src/domain/erasure/erase-user.js';
import { type Executor, transaction } from '../../src/storage/database.js';
import { callIdOf } from '../support/calls.js';
import { erased } from '../support/erasure.js';
import { indexNow } from '../support/index-checks.js';
import { givenPlan } from '../support/planned-calls.js';
import { enterprise, givenScimProvider } from '../support/scim.js';
import { anItem, aUser, type GivenUser, newId, useOwnService } from '../support/service.js';
import { tablesHolding } from '../support/stored-text.js';

const service = useOwnService({
  ROLLCALL_BULK_CHUNK_ITEMS: '50',
  ROLLCALL_EMPLOYEE_ID_QUARANTINE_DAYS: '10',
});

const keyed = () => ({ headers: { 'idempotency-key': newId('key') } });
const many = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index));

interface PlanNode {
  readonly Plans?: readonly PlanNode[];
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly [removed: `Rows Removed by ${string}`]: number | undefined;
}

/** How many rows the scans of a plan read, whether they match or not. */
function rowsRead(node: PlanNode): number {
  const rows =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
  return below + (/Scan$/.test(node['Node Type']) ? rows * node['Actual Loops'] : 0);
}

/** Runs each statement a first time to see what it reads. */
function explained(tx: Executor, read: (rows: number) => void): Executor {
  const query = async (statement: string | { text: string; values?: unknown[] }, given?: unknown[]) => {
    const { text, values } = typeof statement === 'string' ? { text: statement, values: given } : statement;
    if (/^\s*(?:SELECT|WITH|UPDATE|DELETE|INSERT)/.test(text)) {
      await tx.query('SAVEPOINT explained');
      const { rows } = await tx.query(`EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ${text}`, values);
      await tx.query('ROLLBACK TO explained');
      read(rowsRead(rows[0]['QUERY PLAN'][0].Plan));
    }
    return tx.query(statement as string, given);
  };
  return { query } as Executor;
}

async function rowsReadByErasing({ serial }: GivenUser): Promise<number> {
  let sum = 0;
  await transaction(service.database, (tx) =>
    eraseWithin(
      explained(tx, (rows) => {
        sum += rows;
      }),
      [{ serial }],
      { origin: { actor: null, requestId: null, callId: null } },
    ),
  );
  return sum;
}

/** A user with a name before, a failure, a planned change and an answer that mention them. */
async function givenInvolved(): Promise<GivenUser> {
  const user = await service.givenUser();
  const renamed = { ...user, employeeID: newId() };
  const items = [anItem(user, { newEmployeeID: renamed.employeeID }), anItem(user)];
  const update = await service.post('/service/users/update-bulk?effects=true', { items }, keyed());
  expect(update.json.data).toMatchObject({ successItems: [{}], failedItems: [{}] });
  await givenPlan(service, [anItem(renamed, { name: newId('Planned') }), anItem(user)]);
  expect((await service.post('/service/users', aUser(renamed), keyed())).status).toBe(409);
  return renamed;
}

describe('the erasure of a user', () => {
  test('reads what there is about the user, however much is stored about others', async () => {
    const [first, second] = [await givenInvolved(), await givenInvolved()];
    await indexNow(service);
    const alone = await rowsReadByErasing(first);
    const others = many(200, () => anItem({ employeeID: newId(), name: 'Nobody' }));
    for (const options of many(6, keyed)) {
      const reply = await service.post('/service/users/update-bulk', { items: others }, options);
      expect(reply.json.data.failedItems).toHaveLength(others.length);
    }
    await givenPlan(service, others);
    await service.createBulk(many(100, () => aUser()));
    await indexNow(service);
    // A handful more, for the places that are kept per block of users.
    expect(await rowsReadByErasing(second)).toBeLessThan(alone + 30);
  });

  test.each([
    ['with a key', keyed, ['call_items', 'call_parts']],
    ['without', () => ({}), ['call_items']],
  ])('covers names that the user had only within a transaction, of a call %s', async (_, options, tables) => {
    const user = await service.givenUser();
    const last = newId('Chain');
    const ids = [user.employeeID, ...many(3, () => newId('Chain')), last];
    const usernames = many(2, () => newId('chain'));
    const items = (taker: GivenUser) => [
      ...ids
        .slice(1)
        .map((newEmployeeID, index) => anItem({ ...user, employeeID: ids[index] ?? '' }, { newEmployeeID })),
      anItem({ ...user, employeeID: last }, { username: usernames[0] }),
      anItem(taker, { username: usernames[0] }),
      anItem({ ...user, employeeID: last }, { username: usernames[1] }),
      anItem({ ...user, employeeID: ids[2] ?? '' }),
      anItem(taker, { newEmployeeID: ids[3] }),
    ];
    const taker = await service.givenUser();
    const reply = await service.post('/service/users/update-bulk', { items: items(taker) }, options());
    expect(reply.json.data.successItems).toHaveLength(6);
    expect(await tablesHolding(service, ids[2] ?? '')).toEqual(tables);
    await erased(service, user.serial);
    for (const name of [...ids, ...usernames]) {
      expect([name, await tablesHolding(service, name)]).toEqual([name, []]);
    }
  });

  test('covers what a node of the last release has stored', async () => {
    const user = await givenInvolved();
    for (const table of ['call_items', 'call_parts', 'planned_items', 'idempotency_keys']) {
      await service.database.pool.query(`UPDATE ${table} SET mentions = DEFAULT`);
    }
    expect(await tablesHolding(service, user.employeeID)).toEqual(
      expect.arrayContaining(['call_parts', 'idempotency_keys', 'planned_items']),
    );
    await erased(service, user.serial);
    expect(await tablesHolding(service, user.employeeID)).toEqual([]);
  });
});

describe('the erasure of a user whom identity providers know', () => {
  const [formerEmail, email, externalId] = many(3, () => `${newId('Canary')}@Example.com`) as [
    string,
    string,
    string,
  ];

  test('covers whatever they have ever been called, also as a manager who was unknown', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser({ emails: [{ value: formerEmail }], externalId });
    const change = { op: 'replace', path: 'emails', value: [{ value: email }] };
    expect((await provider.patch(`/Users/${user.id}`, change)).status).toBe(204);
    const { employeeID } = await service.readUser(user.id);
    const group = await provider.post('/Groups', {
      displayName: newId('Group '),
      members: [formerEmail.toUpperCase(), externalId, 'nobody'].map((value) => ({ value })),
    });
    const other = await givenScimProvider(service);
    const unresolved = await other.givenUser({
      [enterprise]: { manager: { value: externalId.toUpperCase() } },
    });
    const resolved = await other.givenUser({
      [enterprise]: { department: 'Sales', manager: { value: formerEmail } },
    });
    await service.request('PATCH', `/service/users/${resolved.id}`, {
      body: { managerEmployeeID: employeeID },
    });
    const later = { op: 'replace', path: `${enterprise}:manager`, value: { value: employeeID } };
    expect(
      (await other.patch(`/Users/${resolved.id}`, { ...later, value: { value: 'someone' } })).status,
    ).toBe(204);
    expect((await other.patch(`/Users/${resolved.id}`, later)).status).toBe(204);
    await indexNow(service);

    await erased(service, user.id);
    for (const text of [formerEmail, email, externalId, String(employeeID)]) {
      for (const spelled of [text, text.toUpperCase(), text.toLowerCase()]) {
        expect([spelled, await tablesHolding(service, spelled)]).toEqual([spelled, []]);
      }
    }
    const read = await other.get(`/Users/${unresolved.id}`);
    expect(read.json[enterprise]).not.toHaveProperty('manager');
    expect(read.json.meta.version).toBe('W/"2"');
    expect((await other.get(`/Users/${resolved.id}`)).json[enterprise]).toMatchObject({
      department: 'Sales',
    });
    expect((await provider.get(`/Groups/${group.json.id}`)).json.members).toEqual([{ value: 'nobody' }]);
  });
});

describe('the items of a call', () => {
  const idsOf = async (callId: string) =>
    (await service.get(`/service/calls/${callId}/items`)).json.data.items.map(
      ({ employeeID }: { employeeID: string | null }) => employeeID,
    );

  test('have the employee IDs that were sent, whatever happened since, until the user is erased', async () => {
    const users = await Promise.all(many(3, () => service.givenUser()));
    const [renamed, updated, unchanged] = users as [GivenUser, GivenUser, GivenUser];
    const created = newId();
    const reply = await service.upsertBulk([
      anItem(renamed, { newEmployeeID: newId() }),
      anItem(updated, { phone: '+49 30 1234567' }),
      anItem(unchanged),
      aUser({ employeeID: created }),
      anItem(updated, { employeeID: newId(), newEmployeeID: newId() }),
    ]);
    const sent = reply.json.data.failedItems[0].payload.employeeID;
    const callId = callIdOf(reply);
    const expected = [...users.map(({ employeeID }) => employeeID), created, sent];
    expect(await idsOf(callId)).toEqual(expected);
    expect(await tablesHolding(service, unchanged.employeeID)).not.toContain('call_items');

    const later = users.slice(1).map((user) => anItem(user, { newEmployeeID: newId() }));
    expect((await service.updateBulk(later)).json.data.failedItems).toEqual([]);
    expect(await idsOf(callId)).toEqual(expected);
    await indexNow(service);
    expect(await idsOf(callId)).toEqual(expected);

    for (const { serial } of users) await erased(service, serial);
    expect(await idsOf(callId)).toEqual([null, null, null, created, sent]);
  });
});
