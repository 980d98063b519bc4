import { describe, expect, test } from 'vitest';
import { createAttribute, updateAttribute } from '../../src/domain/attributes/attributes.js';
import { completed } from '../../src/domain/bulk/run-call.js';
import { undoCall } from '../../src/domain/calls/undo-call.js';
import { createUsersBulk } from '../../src/domain/users/create-users-bulk.js';
import { deleteAttribute } from '../../src/domain/users/delete-attribute.js';
import { parseNewUser } from '../../src/domain/users/user-rules.js';
import type { Database } from '../../src/storage/database.js';
import { standIn } from '../support/faulty-database.js';
import { knownAttributes } from '../support/few-attributes.js';
import { expectGuarded } from '../support/few-users.js';
import { aUser, newId, useService } from '../support/service.js';
import { callerOf, runUpdates, verdictsOf } from '../support/update-runs.js';

/** Attributes that change while a call is running: after its first chunk is committed, and before the next one is written. */
const service = useService();
const caller = callerOf();

async function givenAttribute(isUnique: boolean) {
  const key = newId('a').replace(/[^A-Za-z0-9]/g, '');
  const created = await createAttribute(service.database, { key, type: 'text', isUnique }, caller);
  if (!created.ok) throw new Error(created.failure.detail);
  return { key, id: created.attribute.id, read: knownAttributes([created.attribute]).read };
}

const storedOf = async (employeeID: string, id: number) => {
  const { rows } = await service.database.pool.query(
    'SELECT attributes ->> $2::text AS value, phone FROM users WHERE employee_id = $1',
    [employeeID, String(id)],
  );
  return rows[0];
};

/** The service's database, in which something happens once, as soon as a user has the attribute. */
function databaseWith(id: number, meanwhile: () => Promise<unknown>): Database {
  const { pool } = service.database;
  let happened: Promise<unknown> | undefined;
  const connect = async () => {
    const { rowCount } = await pool.query('SELECT FROM users WHERE attributes ? $1::text', [String(id)]);
    if (rowCount) happened ??= meanwhile();
    await happened;
    return pool.connect();
  };
  return { ...service.database, pool: standIn(pool, { connect }) };
}

type Changed = Awaited<ReturnType<typeof givenAttribute>>;

const retire = async ({ key }: Changed) => {
  await updateAttribute(service.database, key, { isRetired: true }, caller);
};
const tighten = async ({ key }: Changed) => {
  await updateAttribute(service.database, key, { pattern: 'first' }, caller);
};
/** Returns the ID of the call that deletes the values. */
const remove = async ({ key }: Changed) => {
  const deleted = await deleteAttribute(service.context, key, 1, caller);
  return deleted.ok ? deleted.deleted.callId : undefined;
};

describe.each([
  ['retired', retire, 'USER_FIELD_NOT_ACCEPTED'],
  ['tightened', tighten, 'USER_FIELD_INVALID'],
  ['deleted', remove, 'USER_FIELD_NOT_ACCEPTED'],
] as const)('an attribute that is %s meanwhile', (_, change, error) => {
  /** The later items fail as a whole, and the first value is kept, or comes back if the deletion is undone. */
  async function expectKept(
    { id }: Changed,
    [first, ...later]: readonly string[],
    deletion: string | undefined,
  ): Promise<void> {
    if (deletion) {
      expect(await storedOf(first as string, id)).toMatchObject({ value: null });
      const undone = await undoCall(service.context, deletion, { caller, confirmed: undefined });
      expect(undone.ok && undone.outcomes.map(({ ok }) => ok)).toEqual([true]);
    }
    expect(await storedOf(first as string, id)).toEqual({ value: 'first', phone: '1' });
    for (const employeeID of later) expect((await storedOf(employeeID, id))?.phone ?? null).toBeNull();
    await expectGuarded(service.database.pool);
  }

  test.each([
    ['in lock-free updates', false],
    ['in updates of a unique attribute', true],
  ])('%s', async (_, isUnique) => {
    const attribute = await givenAttribute(isUnique);
    const users = await Promise.all(Array.from({ length: 3 }, () => service.givenUser()));
    const items = users.map(({ employeeID, name }, at) => {
      const attributes = { [attribute.key]: ['first', 'second', 'third'][at] };
      return { employeeID, name, isActive: true, phone: '1', attributes };
    });
    let deletion: string | undefined;
    const database = databaseWith(attribute.id, async () => {
      deletion = (await change(attribute)) ?? undefined;
    });
    const settings = { chunkItems: 1, connectionsMax: 1, read: attribute.read, database };
    expect(verdictsOf(await runUpdates(service, items, settings))).toEqual([true, error, error]);
    await expectKept(
      attribute,
      users.map(({ employeeID }) => employeeID),
      deletion,
    );
  });

  test('in creates', async () => {
    const attribute = await givenAttribute(true);
    const sent = ['first', 'second'].map((value) =>
      aUser({ phone: '1', attributes: { [attribute.key]: value } }),
    );
    let deletion: string | undefined;
    const database = databaseWith(attribute.id, async () => {
      deletion = (await change(attribute)) ?? undefined;
    });
    const context = {
      ...service.context,
      database,
      limits: { ...service.context.limits, bulkChunkItems: 1 },
    };
    const parsed = sent.map((user, position) => parseNewUser(user, { position }, undefined, attribute.read));
    const call = createUsersBulk(context, [parsed], { caller, effects: true, hold: false });
    expect(verdictsOf(await completed(call))).toEqual([true, error]);
    await expectKept(
      attribute,
      sent.map(({ employeeID }) => employeeID),
      deletion,
    );
  });
});
