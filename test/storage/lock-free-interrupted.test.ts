import { describe, expect, test } from 'vitest';
import type { CallResult } from '../../src/domain/bulk/run-call.js';
import { OutcomeUnknown } from '../../src/storage/errors.js';
import { itemFor } from '../support/bulk-items.js';
import { givenCreates, successesOf, undo } from '../support/calls.js';
import { type Fault, faultyDatabase, standIn } from '../support/faulty-database.js';
import { expectCompleted, logRows } from '../support/log-replay.js';
import { aUser, type GivenUser, newId, useService } from '../support/service.js';
import { type RunSettings, runUpdates, verdictsOf } from '../support/update-runs.js';

/** Calls that go the quick way and break off in one of their parts, while others wait. */
const service = useService();

async function people(count: number): Promise<GivenUser[]> {
  const users = Array.from({ length: count }, () => aUser());
  const { serials } = await givenCreates(service, users);
  return users.map((user, at) => ({ ...user, serial: serials[at] as string }));
}

/** On one connection, where parts are written in their order and it is known which is the second. */
const run = (items: readonly unknown[], settings: RunSettings = {}) =>
  runUpdates(service, items, { connectionsMax: 1, ...settings });

const phones = (users: readonly GivenUser[]) =>
  users.map(({ employeeID }) => itemFor(employeeID, { phone: '555' }));

/** The given transactions of the call fail, counted from 1; with a key there is one more before them. */
const failing = (which: Record<number, Fault>, isKeyed = true) =>
  faultyDatabase(service.database, (begun) => which[isKeyed ? begun : begun + 1]);

async function recordOf(key: string) {
  const { rows } = await service.database.pool.query(
    `SELECT calls.id, state, items, succeeded, failed, changes, claimed_until,
            ARRAY(SELECT first_item FROM call_parts WHERE call_id = calls.id ORDER BY 1) AS parts
     FROM calls JOIN idempotency_keys ON call_id = calls.id WHERE key = $1`,
    [key],
  );
  return rows[0];
}

/** Of each user: whether they have the phone, and how many rows the call left of them. */
async function doneTo(users: readonly GivenUser[], callId: string) {
  const log = await logRows(service.database.pool, callId);
  return Promise.all(
    users.map(async ({ serial }) => {
      const { phone } = await service.readUser(serial);
      return { isDone: phone === '555', rows: log.filter((row) => row.serial === serial).length };
    }),
  );
}

const nothing = { isDone: false, rows: 0 };
const once = { isDone: true, rows: 1 };

function detailsOf(result: CallResult): string[] {
  if (!result.ok) throw new Error(result.failure.detail);
  return result.outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.detail]));
}

describe('a part of a call that breaks off', () => {
  const isUnknown = { 'lost before the commit': true, 'lost after it': true } as Record<
    Fault,
    true | undefined
  >;

  test.each([
    ['no connection', 1],
    ['lost at once', 3],
    ['lost before the commit', 100],
    ['lost after it', 2],
  ] as const)(
    'by a connection, %s, is told apart, and done when the call is sent again in parts of %i',
    async (fault, size) => {
      const users = await people(9);
      const [items, key] = [phones(users), newId('key')];
      const broken = await run(items, { key, database: failing({ 2: fault }) });
      const error = isUnknown[fault] ? 'SERVICE_OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE';
      const verdicts = verdictsOf(broken);
      expect(verdicts.slice(0, 4)).toEqual([true, true, error, error]);
      const [third, fourth, ...others] = detailsOf(broken);
      const reason = isUnknown[fault]
        ? 'the database connection was lost during the commit. Read the user'
        : 'the database is unreachable. Nothing was changed';
      expect([third, fourth]).toEqual([2, 3].map((at) => expect.stringContaining(`items[${at}]: ${reason}`)));
      for (const detail of others) expect(detail).toContain('the database failed before this item');

      const record = await recordOf(key);
      const isDone = verdicts.map((verdict, at) => verdict === true || (fault === 'lost after it' && at < 4));
      const done = isDone.filter(Boolean).length;
      expect(await doneTo(users, record.id)).toEqual(isDone.map((each) => (each ? once : nothing)));
      // Where nobody can tell, all of it may be done.
      const state = done === 9 ? 'completed' : 'interrupted';
      expect(record).toMatchObject({
        ...{ state, claimed_until: null, items: 9, succeeded: done, failed: 0, changes: done },
        parts: [0, 2, 4, 6, 8].filter((first) => isDone[first]),
      });

      const goneOn = await run(items, { key, chunkItems: size });
      expect(verdictsOf(goneOn)).toEqual(users.map(() => true));
      expect(goneOn).toMatchObject({ callId: record.id, isReplay: state === 'completed' });
      expect(await doneTo(users, record.id)).toEqual(users.map(() => once));
      await expectCompleted(service.database.pool, record.id, { items: 9, succeeded: 9, failed: 0 });
      const again = await run(items, { key, database: failing({ 1: 'no connection' }) });
      expect(again, 'nothing is left to do').toEqual({ ...goneOn, isReplay: true });
    },
  );
});

describe('a call that broke off again and again', () => {
  test('is done with the rest each time, and nothing twice', async () => {
    const users = await people(8);
    const [items, key] = [phones(users), newId('key')];
    const attempts: [RunSettings, Record<number, Fault>][] = [
      [{ chunkItems: 1 }, { 2: 'no connection', 3: 'lost after it' }],
      [{ chunkItems: 2 }, { 1: 'lost at once' }],
      [{ chunkItems: 3 }, { 1: 'lost after it', 2: 'lost before the commit' }],
    ];
    for (const [settings, which] of attempts) {
      const broken = await run(items, { ...settings, key, database: failing(which) });
      expect(broken.ok && broken.interruption).toBeDefined();
      const told = verdictsOf(broken).map((verdict) => verdict === true);
      const done = (await doneTo(users, (await recordOf(key)).id)).map(({ isDone }) => isDone);
      // What is told as done is; what is not may be where nobody can tell.
      expect(told.filter((isTold, at) => isTold && !done[at])).toEqual([]);
    }
    const goneOn = await run(items, { key });
    const { id } = await recordOf(key);
    expect(verdictsOf(goneOn)).toEqual(users.map(() => true));
    expect(await doneTo(users, id)).toEqual(users.map(() => once));
    await expectCompleted(service.database.pool, id, { items: 8, succeeded: 8, failed: 0 });
  });

  test('and goes on over what others did meanwhile: the holes meet the new state, what is done stays told', async () => {
    const users = await people(5);
    const [first, second] = users as [GivenUser, GivenUser];
    const [items, key] = [phones(users), newId('key')];
    const broken = { key, chunkItems: 1, database: failing({ 2: 'no connection' }) };
    expect(verdictsOf(await run(items, broken)).slice(0, 2)).toEqual([true, 'SERVICE_UNAVAILABLE']);
    for (const { serial } of [first, second]) {
      await service.request('PATCH', `/service/users/${serial}`, { body: { employeeID: newId() } });
    }
    const goneOn = verdictsOf(await run(items, { key }));
    expect(goneOn).toEqual([true, 'USER_NOT_FOUND', true, true, true]);
  });

  test('remembers who took which name, whichever part comes after it', async () => {
    const users = await people(4);
    const [name, key] = [newId('u'), newId('key')];
    const items = users.map(({ employeeID }, at) =>
      itemFor(employeeID, [{ username: name }, { phone: '555' }, {}, { username: name.toUpperCase() }][at]),
    );
    const broken = { key, chunkItems: 1, database: failing({ 2: 'no connection' }) };
    expect(verdictsOf(await run(items, broken))[0]).toBe(true);
    const goneOn = await run(items, { key, chunkItems: 1 });
    expect(verdictsOf(goneOn)).toEqual([true, true, true, 'USER_USERNAME_EXISTS']);
    expect(detailsOf(goneOn)).toEqual([expect.stringContaining('is already taken by items[0] of this call')]);
  });

  test('without a key is on record as far as it came, and sent again is another call', async () => {
    const users = await people(5);
    const database = failing({ 2: 'no connection' }, false);
    const broken = await run(phones(users), { chunkItems: 1, database });
    if (!broken.ok) throw new Error(broken.failure.detail);
    const done = verdictsOf(broken).filter((verdict) => verdict === true).length;
    const { rows } = await service.database.pool.query(
      'SELECT state, succeeded, failed, changes, finished_at FROM calls WHERE id = $1',
      [broken.callId],
    );
    expect(rows).toEqual([
      { state: 'interrupted', succeeded: done, failed: 0, changes: done, finished_at: null },
    ]);
    const again = await run(phones(users));
    expect(again.ok && again.callId).not.toBe(broken.callId);
    const log = await logRows(service.database.pool, again.ok ? again.callId : '');
    expect(log.map(({ kind }) => kind)).toEqual([...Array(5 - done).fill('updated'), 'call']);
  });
});

describe('the safety limit, set after a call broke off', () => {
  const safetyLimitPercent = 1e-9;

  test('lets the rest through if a part was done: it is the same call, and went on before', async () => {
    const users = await people(3);
    const items = users.map(({ employeeID }) => itemFor(employeeID, { isActive: false }));
    const broken = { key: newId('key'), chunkItems: 1, database: failing({ 2: 'no connection' }) };
    expect(verdictsOf(await run(items, broken))[0]).toBe(true);
    const goneOn = await run(items, { key: broken.key, safetyLimitPercent });
    expect(verdictsOf(goneOn)).toEqual([true, true, true]);
  });

  test('holds it up if nothing was done', async () => {
    const users = await people(2);
    const items = users.map(({ employeeID }) => itemFor(employeeID, { isActive: false }));
    const broken = { key: newId('key'), database: failing({ 1: 'no connection' }) };
    await expect(run(items, broken)).rejects.toThrow(/was cut/);
    const goneOn = await run(items, { key: broken.key, safetyLimitPercent });
    expect(goneOn).toMatchObject({ ok: false, failure: { error: 'CALL_EXCEEDS_SAFETY_LIMIT' } });
    expect(await service.readUser(users[0]?.serial as string)).toMatchObject({ isActive: true });
  });
});

describe('a call that broke off before anything was done', () => {
  test('says so, is not on record, and is done when it is sent again', async () => {
    const users = await people(3);
    const [items, key] = [phones(users), newId('key')];
    const fault = 'no connection' as const;
    const database = failing({ 1: fault, 2: fault, 3: fault });
    await expect(run(items, { key, chunkItems: 1, database })).rejects.toThrow(/was cut/);
    expect(await recordOf(key)).toMatchObject({ state: 'interrupted', succeeded: 0, failed: 0, parts: [] });
    expect(verdictsOf(await run(items, { key }))).toEqual([true, true, true]);
  });

  test('and may have been done in part does not say that nothing was changed', async () => {
    const users = await people(2);
    const database = failing({ 1: 'lost after it', 2: 'no connection' }, false);
    const error = await run(phones(users), { chunkItems: 1, database }).catch((each) => each);
    expect(
      await Promise.all(users.map(async ({ serial }) => (await service.readUser(serial)).phone)),
    ).toEqual(['555', null]);
    expect(error).toBeInstanceOf(OutcomeUnknown);
  });
});

describe('two nodes at one call', () => {
  /** The database of a node that is held up before the transaction of its third part until the test lets it go. */
  function heldUp() {
    let letGo: () => void = () => {};
    let isHeld: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    let begun = 0;
    const { pool } = service.database;
    const connect = async () => {
      if (++begun === 4) {
        isHeld();
        await gate;
      }
      return pool.connect();
    };
    return { database: { ...service.database, pool: standIn(pool, { connect }) }, held, letGo };
  }

  const abandon = (key: string) =>
    service.database.pool.query(
      `UPDATE calls SET claimed_until = now() WHERE id = (SELECT call_id FROM idempotency_keys WHERE key = $1)`,
      [key],
    );

  test('the second is told to wait as long as the first is at it', async () => {
    const users = await people(5);
    const [items, key] = [phones(users), newId('key')];
    const { database, held, letGo } = heldUp();
    const first = run(items, { key, chunkItems: 1, database });
    await held;
    const early = await run(items, { key });
    expect(early).toMatchObject({ ok: false, failure: { error: 'IDEMPOTENCY_KEY_IN_USE' } });
    letGo();
    expect(verdictsOf(await first)).toEqual(users.map(() => true));
  });

  test('the second goes on with what is left once the first is taken for dead; the first writes nothing more', async () => {
    const users = await people(5);
    const [items, key] = [phones(users), newId('key')];
    const { database, held, letGo } = heldUp();
    const first = run(items, { key, chunkItems: 1, database });
    await held;
    await abandon(key);
    const second = await run(items, { key });
    expect(verdictsOf(second)).toEqual(users.map(() => true));
    letGo();
    // Sent again, it gets the answer: it was not undone, and has not to be sent anew.
    expect(await first).toMatchObject({ ok: false, failure: { error: 'IDEMPOTENCY_KEY_IN_USE' } });
    const { id } = await recordOf(key);
    expect(await doneTo(users, id)).toEqual(users.map(() => once));
    await expectCompleted(service.database.pool, id, { items: 5, succeeded: 5, failed: 0 });
  });

  test('the first leaves nothing behind of a part that is rolled back: who stays active stays signed in', async () => {
    const users = await people(5);
    const [third] = users.slice(2) as [GivenUser];
    const { pool } = service.database;
    const signedIn = async () =>
      (await pool.query('SELECT FROM sessions WHERE user_serial = $1', [third.serial])).rowCount;
    await pool.query(
      `INSERT INTO sessions (token_hash, user_serial, expires_at) VALUES ($1, $2, 'infinity')`,
      [newId('session'), third.serial],
    );
    const [items, key] = [
      users.map(({ employeeID }) => itemFor(employeeID, { isActive: false })),
      newId('key'),
    ];
    const { database, held, letGo } = heldUp();
    const first = run(items, { key, chunkItems: 1, database });
    await held;
    await abandon(key);
    const undone = await undo(service, (await recordOf(key)).id);
    expect(successesOf(undone)).toHaveLength(2);
    letGo();
    expect(await first).toMatchObject({ ok: false, failure: { error: 'CALL_UNDONE' } });
    // Behind whatever is still under way on any connection.
    const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
    await Promise.all(connections.map((connection) => connection.query('SELECT')));
    for (const connection of connections) connection.release();
    expect(await service.readUser(third.serial)).toMatchObject({ isActive: true });
    expect(await signedIn()).toBe(1);
  });
});
