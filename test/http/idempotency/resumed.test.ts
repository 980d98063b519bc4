import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { errorsOf, serialsOf } from '../../support/bulk-reports.js';
import { givenCreates } from '../../support/calls.js';
import { type ChangeRow, changesOfCall } from '../../support/change-rows.js';
import { expectFailure } from '../../support/expect-failure.js';
import { expectReplayOf, inChunksOfTwo, isReplay, sendWithKey } from '../../support/idempotent-requests.js';
import { repair, whenStored } from '../../support/sabotage.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';
import { employeeIdExists } from '../../support/user-failures.js';

/** Interruptions at every point, in every mode, are in test/storage/bulk-equals-single-updates.test.ts. */
const service = useService(inChunksOfTwo);
const elsewhere = useService();

const path = '/service/users/update-bulk?effects=true';
const creates = '/service/users/create-bulk';
const fault = `RAISE EXCEPTION 'a fault'`;

const callIdOf = (reply: Reply) => reply.headers.get('x-call-id') ?? '';

async function callOf(reply: Reply): Promise<unknown> {
  const { rows } = await service.database.pool.query(
    `SELECT state, items, succeeded, failed, changes, finished_at IS NOT NULL AS finished, claimed_until IS NOT NULL AS claimed
     FROM calls WHERE id = $1`,
    [callIdOf(reply)],
  );
  return rows[0];
}

/** Leaves a call as a killed node does: still running, until its claim expires. */
async function abandon(reply: Reply, claimedUntil: string): Promise<void> {
  await service.database.pool.query(
    `UPDATE calls SET state = 'running', claimed_until = now() + $2::interval WHERE id = $1`,
    [callIdOf(reply), claimedUntil],
  );
}

/** Six users whose employee IDs share a prefix, and items that pass names from one to the next. */
async function scenario() {
  const p = newId('P');
  const { serials } = await givenCreates(
    service,
    [...'ABCDEF'].map((letter) => aUser({ employeeID: p + letter })),
  );
  const items = [
    rename(`${p}A`, `${p}X`),
    itemFor(`${p}B`, { newEmployeeID: `${p}A`, username: `${p}u` }),

    rename(`${p}C`, `${p}B`),
    rename(`${p}D`, `${p}X`), // already taken by items[0]

    rename(`${p}X`, `${p}Y`), // the user who was A is renamed a second time
    rename(`${p}A`, `${p}B`), // already taken by items[2]

    itemFor(`${p}X`), // renamed by items[4]
    itemFor(`${p}E`, { username: `${p}U` }), // already taken by items[1]

    itemFor(`${p}E`, { phone: '123', tagSerials: ['T1'] }),
    7,

    itemFor(`${p}F`, { isActive: false }),
    itemFor(`${p}F`, { isActive: false }),
  ];
  return { p, serials, items };
}

type Scenario = Awaited<ReturnType<typeof scenario>>;

/** Replaces serials by the number of the user, and removes the prefix of names. */
function asScenario<T>({ p, serials }: Scenario, value: T): T {
  const text = serials.reduce(
    (told, serial, at) => told.replaceAll(serial, `user ${at}`),
    JSON.stringify(value),
  );
  return JSON.parse(text.replaceAll(p, ''));
}

async function stateOf({ serials }: Scenario): Promise<unknown[]> {
  const { rows } = await service.database.pool.query(
    `SELECT serial, version, employee_id, name, username, phone, is_active, tag_serials FROM users
     WHERE serial = ANY ($1) ORDER BY serial`,
    [serials],
  );
  return rows;
}

/** The result of a call: the report and the stored users, changes and call. */
async function resultOf(given: Scenario, reply: Reply) {
  const byUser = (a: ChangeRow, b: ChangeRow) =>
    (a.userSerial ?? '~').localeCompare(b.userSerial ?? '~') || (a.version ?? 0) - (b.version ?? 0);
  const changes = (await changesOfCall(service, callIdOf(reply))).toSorted(byUser);
  return asScenario(given, {
    report: reply.json,
    users: await stateOf(given),
    changes: changes.map(({ kind, userSerial, version, fields }) => ({ kind, userSerial, version, fields })),
    call: await callOf(reply),
  });
}

let whole: ReturnType<typeof resultOf> | undefined;

/** The result of the same call without an interruption. */
function uninterrupted() {
  whole ??= runThrough();
  return whole;
}

async function runThrough() {
  const given = await scenario();
  return resultOf(given, await sendWithKey(service, path, { items: given.items }, newId('key')));
}

/** Sends the call, which fails when it stores the user with this letter. */
async function interrupted(
  given: Scenario,
  key: string,
  letter: string,
  statement = fault,
  moment?: 'at the commit',
) {
  await whenStored(service, given.p + letter, statement, moment);
  const reply = await sendWithKey(service, path, { items: given.items }, key);
  await repair(service, given.p + letter);
  return reply;
}

const resend = (given: Scenario, key: string) => sendWithKey(service, path, { items: given.items }, key);

const completed = {
  state: 'completed',
  items: 12,
  succeeded: 7,
  failed: 5,
  changes: 6,
  finished: true,
  claimed: false,
};

describe('an interrupted bulk update resumes when resent with its key', () => {
  test('and ends like this uninterrupted call', async () => {
    const { report, users, call } = await uninterrupted();
    expect(errorsOf({ json: report })).toMatchObject([
      {
        errorCode: 10101,
        detail: 'items[3]: the employee ID "X" is already taken by items[0] of this call.',
      },
      {
        errorCode: 10101,
        detail: 'items[5]: the employee ID "B" is already taken by items[2] of this call.',
      },
      { errorCode: 10102, detail: expect.stringContaining('items[4] of this call changed it to "Y"') },
      { errorCode: 10103, detail: 'items[7]: the username "U" is already taken by items[1] of this call.' },
      { errorCode: 10105 },
    ]);
    const ids = (users as { employee_id: string }[]).map(({ employee_id }) => employee_id);
    expect(ids.join('')).toBe('YABDEF');
    expect(call).toEqual(completed);
  });

  test.each([
    ['third', 'Y', undefined, 4, { succeeded: 3, failed: 1, changes: 3 }],
    ['last', 'F', 'at the commit', 10, { succeeded: 5, failed: 5, changes: 5 }],
  ] as const)(
    'interrupted in its %s chunk, it applies the rest and nothing twice',
    async (_, letter, moment, committed, counts) => {
      const given = await scenario();
      const key = newId('key');
      const broken = await interrupted(given, key, letter, fault, moment);
      expect([broken.status, isReplay(broken)]).toEqual([200, false]);
      expect(await callOf(broken)).toEqual({
        ...{ state: 'interrupted', items: 12, finished: false, claimed: false },
        ...counts,
      });
      const unreached = errorsOf(broken).slice(counts.failed) as { errorCode: number; detail: string }[];
      expect(unreached.map(({ detail }) => Number(/^items\[(\d+)\]/.exec(detail)?.[1]))).toEqual(
        Array.from({ length: 12 - committed }, (_, index) => committed + index),
      );
      expect(new Set(unreached.map(({ errorCode }) => errorCode).filter((code) => code !== 10105))).toEqual(
        new Set(committed < 10 ? [10999, 10901] : [10999]),
      );

      const goneOn = await resend(given, key);
      expect([goneOn.status, isReplay(goneOn), callIdOf(goneOn)]).toEqual([200, false, callIdOf(broken)]);
      expect(await resultOf(given, goneOn)).toEqual(await uninterrupted());
      expectReplayOf(goneOn, await resend(given, key));
      expect(await resultOf(given, goneOn)).toEqual(await uninterrupted());
    },
  );

  test('from the start if it was interrupted in its first chunk', async () => {
    const given = await scenario();
    const before = await stateOf(given);
    const key = newId('key');
    const broken = await interrupted(given, key, 'X');
    expect([broken.status, isReplay(broken)]).toEqual([500, false]);
    expect(await stateOf(given)).toEqual(before);
    const goneOn = await resend(given, key);
    expect(isReplay(goneOn)).toBe(false);
    expect(await resultOf(given, goneOn)).toEqual(await uninterrupted());
  });

  test('after the connection is lost at the commit', async () => {
    const given = await scenario();
    const key = newId('key');
    const statement = 'PERFORM pg_terminate_backend(pg_backend_pid())';
    const broken = await interrupted(given, key, 'Y', statement, 'at the commit');
    const codes = errorsOf(broken).map((error) => (error as { errorCode: number }).errorCode);
    expect(codes.slice(1, 3)).toEqual([10902, 10902]);
    expect(await resultOf(given, await resend(given, key))).toEqual(await uninterrupted());
  });
});

describe('a bulk update interrupted without a key', () => {
  test('is recorded up to that point, and resending it is another call', async () => {
    const given = await scenario();
    const body = { items: given.items };
    await whenStored(service, `${given.p}Y`, fault);
    const broken = await service.post(path, body);
    await repair(service, `${given.p}Y`);
    const { rows } = await service.database.pool.query('SELECT FROM call_parts WHERE call_id = $1', [
      callIdOf(broken),
    ]);
    expect(rows).toEqual([]);
    const again = await service.post(path, body);
    expect(callIdOf(again)).not.toBe(callIdOf(broken));
    expect(await callOf(broken)).toEqual({
      ...{ state: 'interrupted', items: 12, succeeded: 3, failed: 1, changes: 3 },
      ...{ finished: false, claimed: false },
    });
    expect(await callOf(again)).toMatchObject({ state: 'completed', items: 12 });
  });
});

describe('an interrupted bulk create', () => {
  test('creates the rest, and no user twice', async () => {
    const password = newId('Canary');
    const p = newId('P');
    const user = (letter: string, more = {}) => aUser({ employeeID: p + letter, ...more });
    const items = [
      user('A', { password, username: `${p}u` }),
      user('B'),
      user('C', { username: `${p}U` }), // already taken by items[0]
      user('D', { password }),
      user('B', { name: 'Again' }), // already taken by items[1]
      user('E', { password }),
    ];
    const breaksAt = `${p}E`;
    const key = newId('key');
    await whenStored(service, breaksAt, fault, 'at the commit');
    const broken = await sendWithKey(service, creates, { items }, key);
    await repair(service, breaksAt);
    expect(serialsOf(broken)).toHaveLength(3);

    const goneOn = await sendWithKey(service, creates, { items }, key);
    const serials = serialsOf(goneOn);
    expect(serials.slice(0, 3)).toEqual(serialsOf(broken));
    expect(errorsOf(goneOn)).toEqual([
      {
        ...employeeIdExists(''),
        errorCode: 10103,
        message: 'USER_USERNAME_EXISTS',
        detail: expect.stringContaining('by items[0] of this call'),
      },
      employeeIdExists('by items[1] of this call'),
    ]);
    const { rows } = await service.database.pool.query(
      `SELECT serial, employee_id, (SELECT count(*)::int FROM deliveries WHERE user_serial = serial) AS deliveries,
              (SELECT count(*)::int FROM credentials WHERE user_serial = serial) AS passwords,
              (SELECT count(*)::int FROM changes WHERE user_serial = serial AND call_id = $2) AS changes
       FROM users WHERE starts_with(employee_id, $1) ORDER BY employee_id`,
      [p, callIdOf(goneOn)],
    );
    const row = { deliveries: 1, changes: 1 };
    expect(rows).toEqual([
      { ...row, serial: serials[0], employee_id: `${p}A`, passwords: 1 },
      { ...row, serial: serials[1], employee_id: `${p}B`, passwords: 0 },
      { ...row, serial: serials[2], employee_id: `${p}D`, passwords: 1 },
      { ...row, serial: serials[3], employee_id: `${p}E`, passwords: 1 },
    ]);
    expect(await callOf(goneOn)).toEqual({
      ...{
        state: 'completed',
        items: 6,
        succeeded: 4,
        failed: 2,
        changes: 4,
        finished: true,
        claimed: false,
      },
    });
    expectReplayOf(goneOn, await sendWithKey(service, creates, { items }, key));
    expect(await tablesHolding(service, password)).toEqual([]);
  });
});

describe('a call whose node is gone', () => {
  test('is running until its claim expires, and is then resumed', async () => {
    const given = await scenario();
    const key = newId('key');
    const broken = await interrupted(given, key, 'Y');
    const before = await stateOf(given);

    await abandon(broken, '1 hour');
    const early = await resend(given, key);
    expectFailure(early, 409, 10313, 'IDEMPOTENCY_KEY_IN_USE', /still running/);
    expect(await stateOf(given)).toEqual(before);

    await abandon(broken, '-1 ms');
    const goneOn = await resend(given, key);
    expect(await resultOf(given, goneOn)).toEqual(await uninterrupted());
  });

  test('writes nothing more if the node was only slow and another has resumed it', async () => {
    const given = await scenario();
    const key = newId('key');
    const broken = await interrupted(given, key, 'B');
    // During its third chunk, another node takes over the call.
    const takeOver = `UPDATE calls SET claim = claim + 1 WHERE id = '${callIdOf(broken)}'`;
    const fenced = await interrupted(given, key, 'Y', takeOver);
    expectFailure(fenced, 409, 10313, 'IDEMPOTENCY_KEY_IN_USE', /still running/);
    expect(await callOf(broken)).toMatchObject({ state: 'running', succeeded: 3, failed: 1, changes: 3 });

    await abandon(broken, '-1 ms');
    const goneOn = await resend(given, key);
    expect(await resultOf(given, goneOn)).toEqual(await uninterrupted());
  });

  test('is completed by only one of two concurrent nodes', async () => {
    const whole = await uninterrupted();
    const given = await scenario();
    const key = newId('key');
    const { pool } = service.database;
    const waiting = async () => {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0].count;
    };
    const rival = await pool.connect();
    try {
      await rival.query('SELECT pg_advisory_lock(4711)');
      await whenStored(service, `${given.p}Y`, 'PERFORM pg_advisory_xact_lock(4711)');
      const slow = resend(given, key);
      await expect.poll(waiting).toBe(1);
      await pool.query(
        `UPDATE calls SET claimed_until = now() WHERE id = (SELECT call_id FROM idempotency_keys WHERE key = $1)`,
        [key],
      );
      const other = resend(given, key);
      await expect.poll(waiting).toBe(2);
      await rival.query('SELECT pg_advisory_unlock(4711)');
      expectFailure(await slow, 409, 10313, 'IDEMPOTENCY_KEY_IN_USE', /still running/);
      const goneOn = await other;
      expect(await resultOf(given, goneOn)).toEqual(whole);
      expectReplayOf(goneOn, await resend(given, key));
    } finally {
      rival.release();
      await repair(service, `${given.p}Y`);
    }
  });
});

describe('the fingerprint stored with a key', () => {
  test('depends on the installation, so that a password in the request cannot be guessed from it', async () => {
    const [key, user] = [newId('key'), aUser({ password: 'guess me' })];
    const stored = await Promise.all(
      [service, elsewhere].map(async (each) => {
        await sendWithKey(each, '/service/users', user, key);
        const { rows } = await each.database.pool.query(
          'SELECT fingerprint FROM idempotency_keys WHERE key = $1',
          [key],
        );
        return rows[0].fingerprint;
      }),
    );
    expect(stored[0]).not.toBe(stored[1]);
  });
});
