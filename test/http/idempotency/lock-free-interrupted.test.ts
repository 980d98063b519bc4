import { describe, expect, test } from 'vitest';
import type { CallResult } from '../../../src/domain/bulk/run-call.js';
import { OutcomeUnknown } from '../../../src/storage/errors.js';
import { itemFor } from '../../support/bulk-items.js';
import { givenCreates, successesOf, undo } from '../../support/calls.js';
import { type Fault, faultyDatabase, standIn } from '../../support/faulty-database.js';
import { expectCompleted, logRows } from '../../support/log-replay.js';
import { aUser, type GivenUser, newId, useService } from '../../support/service.js';
import { type RunSettings, runUpdates, verdictsOf } from '../../support/update-runs.js';

/** Lock-free calls in which one chunk fails, with and without other calls waiting. */
const service = useService();

async function givenUsers(count: number): Promise<GivenUser[]> {
  const users = Array.from({ length: count }, () => aUser());
  const { serials } = await givenCreates(service, users);
  return users.map((user, at) => ({ ...user, serial: serials[at] as string }));
}

/** On one connection chunks run in order, so it is known which one is the second. */
const run = (items: readonly unknown[], settings: RunSettings = {}) =>
  runUpdates(service, items, { connectionsMax: 1, ...settings });

const phones = (users: readonly GivenUser[]) =>
  users.map(({ employeeID }) => itemFor(employeeID, { phone: '555' }));

/** The given transactions of the call fail, counted from 1. With a key, one more transaction comes first. */
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

/** For each user: whether they have the new phone, and how many rows the call logged for them. */
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

describe('a chunk that fails', () => {
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
    'with the fault "%s" is reported, and runs when the call is resent in chunks of %i',
    async (fault, size) => {
      const users = await givenUsers(9);
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
      // If the outcome is unknown, everything may have been committed.
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

describe('a call that is interrupted repeatedly', () => {
  test('continues with the rest each time and repeats nothing', async () => {
    const users = await givenUsers(8);
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
      // Items reported as done are done. Others may be, if their outcome is unknown.
      expect(told.filter((isTold, at) => isTold && !done[at])).toEqual([]);
    }
    const goneOn = await run(items, { key });
    const { id } = await recordOf(key);
    expect(verdictsOf(goneOn)).toEqual(users.map(() => true));
    expect(await doneTo(users, id)).toEqual(users.map(() => once));
    await expectCompleted(service.database.pool, id, { items: 8, succeeded: 8, failed: 0 });
  });

  test('applies open items to the current state and keeps the results of completed ones', async () => {
    const users = await givenUsers(5);
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

  test('remembers which item took which name, whichever chunk comes next', async () => {
    const users = await givenUsers(4);
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
});

describe('a safety limit set after a call was interrupted', () => {
  const safetyLimitPercent = 1e-9;

  test('does not apply if a chunk was committed, because the call has already passed', async () => {
    const users = await givenUsers(3);
    const items = users.map(({ employeeID }) => itemFor(employeeID, { isActive: false }));
    const broken = { key: newId('key'), chunkItems: 1, database: failing({ 2: 'no connection' }) };
    expect(verdictsOf(await run(items, broken))[0]).toBe(true);
    const goneOn = await run(items, { key: broken.key, safetyLimitPercent });
    expect(verdictsOf(goneOn)).toEqual([true, true, true]);
  });

  test('applies if nothing was committed', async () => {
    const users = await givenUsers(2);
    const items = users.map(({ employeeID }) => itemFor(employeeID, { isActive: false }));
    const broken = { key: newId('key'), database: failing({ 1: 'no connection' }) };
    await expect(run(items, broken)).rejects.toThrow(/was cut/);
    const goneOn = await run(items, { key: broken.key, safetyLimitPercent });
    expect(goneOn).toMatchObject({ ok: false, failure: { error: 'CALL_EXCEEDS_SAFETY_LIMIT' } });
    expect(await service.readUser(users[0]?.serial as string)).toMatchObject({ isActive: true });
  });
});

describe('a call interrupted before anything is reported as done', () => {
  test('fails, is recorded without progress, and runs when resent', async () => {
    const users = await givenUsers(3);
    const [items, key] = [phones(users), newId('key')];
    const fault = 'no connection' as const;
    const database = failing({ 1: fault, 2: fault, 3: fault });
    await expect(run(items, { key, chunkItems: 1, database })).rejects.toThrow(/was cut/);
    expect(await recordOf(key)).toMatchObject({ state: 'interrupted', succeeded: 0, failed: 0, parts: [] });
    expect(verdictsOf(await run(items, { key }))).toEqual([true, true, true]);
  });

  test('does not claim that nothing was changed if a chunk may have been committed', async () => {
    const users = await givenUsers(2);
    const database = failing({ 1: 'lost after it', 2: 'no connection' }, false);
    const error = await run(phones(users), { chunkItems: 1, database }).catch((each) => each);
    expect(
      await Promise.all(users.map(async ({ serial }) => (await service.readUser(serial)).phone)),
    ).toEqual(['555', null]);
    expect(error).toBeInstanceOf(OutcomeUnknown);
  });
});

describe('two nodes running the same call', () => {
  /** The database of a node that pauses before the transaction of its third chunk until the test lets it continue. */
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

  test('the second continues once the first is presumed dead; the first writes nothing more', async () => {
    const users = await givenUsers(5);
    const [items, key] = [phones(users), newId('key')];
    const { database, held, letGo } = heldUp();
    const first = run(items, { key, chunkItems: 1, database });
    await held;
    const early = await run(items, { key });
    expect(early).toMatchObject({ ok: false, failure: { error: 'IDEMPOTENCY_KEY_IN_USE' } });
    await abandon(key);
    const second = await run(items, { key });
    expect(verdictsOf(second)).toEqual(users.map(() => true));
    letGo();
    // The first node has to report the key as in use: the call wasn't undone, and resending it returns the result.
    expect(await first).toMatchObject({ ok: false, failure: { error: 'IDEMPOTENCY_KEY_IN_USE' } });
    const { id } = await recordOf(key);
    expect(await doneTo(users, id)).toEqual(users.map(() => once));
    await expectCompleted(service.database.pool, id, { items: 5, succeeded: 5, failed: 0 });
  });

  test('the first leaves nothing of a rolled-back chunk: a user who stays active stays signed in', async () => {
    const users = await givenUsers(5);
    const [third] = users.slice(2) as [GivenUser];
    const { pool } = service.database;
    const signedIn = async () =>
      (await pool.query('SELECT FROM sessions WHERE user_serial = $1', [third.serial])).rowCount;
    await pool.query(
      `INSERT INTO sessions (token_hash, user_serial, expires_at) VALUES ($1, $2, now() + interval '1 year')`,
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
    // Wait for everything still running on any connection.
    const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
    await Promise.all(connections.map((connection) => connection.query('SELECT')));
    for (const connection of connections) connection.release();
    expect(await service.readUser(third.serial)).toMatchObject({ isActive: true });
    expect(await signedIn()).toBe(1);
  });
});
