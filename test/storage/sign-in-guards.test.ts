import { describe, expect, test } from 'vitest';
import { admitAttempt, clearAttempts, withdrawAttempt } from '../../src/domain/access/sign-in-guard.js';
import { type AttemptGuards, countAttempt, type Guard } from '../../src/storage/access/sign-in-guards.js';
import { newId, useService } from '../support/service.js';

const service = useService();

/** Guards of their own, so that only this test counts under them. */
function newGuards(name: Partial<Guard> = {}, address: Partial<Guard> = {}): AttemptGuards {
  const common = { delayMaxSeconds: 100, forgetAfterSeconds: 86_400 };
  return {
    name: { key: newId('name'), freeFailures: 5, ...common, ...name },
    user: { key: newId('user'), freeFailures: 1_000, ...common },
    address: {
      key: newId('address'),
      freeFailures: 1_000,
      delayMaxSeconds: 60,
      forgetAfterSeconds: 900,
      ...address,
    },
  };
}

const admit = (guards: AttemptGuards) => admitAttempt(service.database.pool, guards);

async function stateOf({ key }: Guard) {
  const { rows } = await service.database.pool.query<{ failures: number; waits: number; openAt: string }>(
    `SELECT failures, round(extract(epoch FROM open_at - last_at), 3)::float8 AS waits, open_at::text AS "openAt"
     FROM sign_in_guards WHERE key = $1`,
    [key],
  );
  return rows[0];
}

/** Moves the last failure into the past. */
async function passes({ key }: Guard, seconds: number): Promise<void> {
  await service.database.pool.query(
    `UPDATE sign_in_guards SET last_at = last_at - make_interval(secs => $2), open_at = open_at - make_interval(secs => $2)
     WHERE key = $1`,
    [key, seconds],
  );
}

/** Counts failures, each after the wait of the one before. Returns the waits. */
async function fail(guards: AttemptGuards, guard: Guard, times: number): Promise<unknown[]> {
  const waits: unknown[] = [];
  for (let count = 0; count < times; count++) {
    expect(await admit(guards)).toBe(0);
    const state = await stateOf(guard);
    waits.push(state?.waits);
    await passes(guard, state?.waits ?? 0);
  }
  return waits;
}

/** Failures after which the next attempt waits longer than any test takes. */
async function failUntilWaiting(guards: AttemptGuards, guard: Guard): Promise<void> {
  await admit(guards);
  await service.database.pool.query(
    `UPDATE sign_in_guards SET failures = 12, last_at = clock_timestamp(),
       open_at = clock_timestamp() + interval '50 seconds' WHERE key = $1`,
    [guard.key],
  );
}

describe('the wait after failed sign-ins', () => {
  test('begins after the free failures and doubles up to the maximum', async () => {
    const guards = newGuards();
    expect(await fail(guards, guards.name, 13)).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 100, 100]);
    const single = newGuards({ freeFailures: 1 });
    expect(await fail(single, single.name, 2)).toEqual([1, 2]);
    const shared = newGuards({ freeFailures: 1_000 }, { freeFailures: 2 });
    expect(await fail(shared, shared.address, 9)).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('is reported in whole seconds', async () => {
    const guards = newGuards();
    await failUntilWaiting(guards, guards.name);
    const [before, seconds, after] = [performance.now(), await admit(guards), performance.now()];
    expect(seconds).toBe(Math.ceil(seconds));
    expect(seconds).toBeLessThanOrEqual(50);
    expect(seconds).toBeGreaterThanOrEqual(49 - Math.ceil((after - before) / 1000));
  });

  test.each(['name', 'user'] as const)(
    'for a %s is not extended by attempts during it, which count under no guard',
    async (which) => {
      const guards = newGuards();
      await failUntilWaiting(guards, guards[which]);
      const before = await stateOf(guards[which]);
      for (let count = 0; count < 3; count++) expect(await admit(guards)).toBeGreaterThan(0);
      expect(await stateOf(guards[which])).toEqual(before);
      const others = [guards.address, which === 'name' ? guards.user : guards.name];
      for (const guard of others) expect(await stateOf(guard)).toMatchObject({ failures: 1, waits: 0 });
    },
  );

  test('for an address does not count under the name and the user', async () => {
    const { address } = newGuards();
    await failUntilWaiting({ ...newGuards(), address }, address);
    const other = { ...newGuards(), address };
    expect(await admit(other)).toBeGreaterThan(0);
    expect([await stateOf(other.name), await stateOf(other.user)]).toEqual([undefined, undefined]);
    expect(await countAttempt(service.database.pool, other)).toMatchObject({
      name: undefined,
      user: undefined,
    });
  });

  test.each([
    [86_400, 'name'],
    [900, 'address'],
  ] as const)('is forgotten after %i seconds without a failure for the %s', async (seconds, which) => {
    const [rested, restless] = [newGuards(), newGuards()];
    for (const guards of [rested, restless]) await failUntilWaiting(guards, guards[which]);
    await passes(rested[which], seconds + 1);
    await passes(restless[which], seconds - 60);
    for (const guards of [rested, restless]) expect(await admit(guards)).toBe(0);
    expect((await stateOf(rested[which]))?.failures).toBe(1);
    expect((await stateOf(restless[which]))?.failures).toBe(13);
  });
});

describe('concurrent attempts are counted one by one', () => {
  test.each(['name', 'address'] as const)('after a wait for the %s, one of 30 is admitted', async (which) => {
    const guards = newGuards({}, { freeFailures: 5 });
    await failUntilWaiting(guards, guards[which]);
    await passes(guards[which], 50);
    const attempts = Array.from({ length: 30 }, () =>
      admit(which === 'name' ? guards : { ...guards, name: newGuards().name }),
    );
    expect((await Promise.all(attempts)).filter((wait) => wait === 0)).toHaveLength(1);
  });
});

describe('an attempt that succeeded', () => {
  test('clears the failures of the name and the user, and is taken back from the address', async () => {
    const guards = newGuards();
    await fail(guards, guards.name, 3);
    await clearAttempts(service.database.pool, guards);
    expect([await stateOf(guards.name), await stateOf(guards.user)]).toEqual([undefined, undefined]);
    expect(await stateOf(guards.address)).toMatchObject({ failures: 2 });
  });

  test('or could not be checked is taken back from all, and ends no earlier failure', async () => {
    const guards = newGuards();
    await fail(guards, guards.name, 3);
    await withdrawAttempt(service.database.pool, guards);
    for (const guard of Object.values(guards)) {
      expect(await stateOf(guard)).toMatchObject({ failures: 2, waits: 0 });
    }
  });
});
