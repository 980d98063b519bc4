import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallResult } from '../../src/domain/bulk/run-call.js';
import { undoCall } from '../../src/domain/calls/undo-call.js';
import { updateUser } from '../../src/domain/users/update-user.js';
import { parsePatch } from '../../src/domain/users/user-rules.js';
import { definedAttributes } from '../support/few-attributes.js';
import { expectGuarded } from '../support/few-users.js';
import { newId, useService } from '../support/service.js';
import { callerOf, runUpdates, verdictsOf } from '../support/update-runs.js';

const service = useService();
const caller = callerOf();

const badges = ['1', '2', '3', '4', ''];
const usersCount = 8;
const place = fc.nat({ max: usersCount - 1 });
/** Takes or releases a badge, gets or loses a manager, or both. */
const aWish = fc.record({
  at: place,
  badge: fc.option(fc.constantFrom(...badges), { freq: 3 }),
  manager: fc.option(fc.oneof({ weight: 5, arbitrary: place }, fc.constant(-1)), { freq: 4 }),
});
const aStep = fc.record({
  kind: fc.constantFrom('oneByOne', 'finalState', 'patch', 'patch', 'undo'),
  wishes: fc.array(aWish, { minLength: 1, maxLength: 4, size: 'max' }),
  chunkItems: fc.constantFrom(1, 2, 100),
});

/** What may come of an item, whoever else is at work. */
const expected = new Set(['USER_ATTRIBUTE_EXISTS', 'USER_MANAGER_CYCLE', 'USER_CHANGED_SINCE']);

test('calls that compete for unique values and managers leave each value to one user, and no circle', async () => {
  const attributes = await definedAttributes(service.database);
  const { pool } = service.database;
  const prefix = newId();
  const users = await Promise.all(Array.from({ length: usersCount }, () => service.givenUser()));
  const fieldsOf = ({ badge, manager }: { badge: string | null; manager: number | null }) => ({
    ...(badge === null ? {} : { attributes: { badge: badge && `${prefix} ${badge}` } }),
    ...(manager === null ? {} : { managerEmployeeID: users[manager]?.employeeID ?? '' }),
  });
  const made: string[] = [];
  const problems: string[] = [];
  const note = (result: CallResult) => {
    if (!result.ok) throw new Error(result.failure.detail);
    made.push(result.callId);
    for (const outcome of result.outcomes) if (!outcome.ok) problems.push(outcome.failure.error);
  };
  const run = async ({ kind, wishes, chunkItems }: (typeof steps)[number]) => {
    if (kind === 'undo') {
      const callId = made.pop();
      if (callId) note(await undoCall(service.context, callId, { caller, confirmed: undefined }));
    } else if (kind === 'patch') {
      const [wish] = wishes;
      const user = users[wish?.at ?? 0];
      const parsed = parsePatch(wish ? fieldsOf(wish) : {}, {}, attributes.read);
      if (!user || !parsed.ok) return;
      const request = { versionIsKnown: () => true, caller };
      const patched = await updateUser(service.context, user.serial, parsed.value, request);
      if (!patched.ok) problems.push(patched.failure.error);
    } else {
      const items = wishes.map((wish) => {
        const { employeeID, name } = users[wish.at] as (typeof users)[number];
        return { employeeID, name, isActive: true, ...fieldsOf(wish) };
      });
      note(await runUpdates(service, items, { chunkItems, mode: kind, read: attributes.read }));
    }
  };

  const steps = fc.sample(aStep, 120);
  const next = steps.values();
  // Each worker starts its next step when the last one has ended, so that eight are always under way.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const step of next) await run(step);
    }),
  );
  expect(problems.filter((error) => !expected.has(error))).toEqual([]);
  expect(new Set(problems), 'there was something to compete for').toContain('USER_ATTRIBUTE_EXISTS');
  await expectGuarded(pool);
  const { rows } = await pool.query<{ serial: string; manager: string | null; badge: string | null }>(
    `SELECT serial, manager_serial AS manager, attributes ->> $2 AS badge FROM users
     WHERE serial = ANY ($1::uuid[])`,
    [users.map(({ serial }) => serial), attributes.unique[0]],
  );
  const held = rows.flatMap(({ badge }) => badge ?? []);
  expect(new Set(held).size).toBe(held.length);
  const managerOf = new Map(rows.map(({ serial, manager }) => [serial, manager]));
  for (const { serial } of rows) {
    let above = managerOf.get(serial) ?? null;
    for (let level = 0; above !== null && level < usersCount; level++) {
      expect(above).not.toBe(serial);
      above = managerOf.get(above) ?? null;
    }
  }
});

test('a circle that is closed at once by calls of all kinds lacks one link', async () => {
  const users = await Promise.all(Array.from({ length: 9 }, () => service.givenUser()));
  const link = async (at: number): Promise<string[]> => {
    const { serial, employeeID, name } = users[at] as (typeof users)[number];
    const managerEmployeeID = users[(at + 1) % users.length]?.employeeID;
    const mode = at % 3 === 0 ? 'patch' : at % 3 === 1 ? 'oneByOne' : 'finalState';
    if (mode === 'patch') {
      const parsed = parsePatch({ managerEmployeeID }, {});
      const request = { versionIsKnown: () => true, caller };
      const patched = parsed.ok && (await updateUser(service.context, serial, parsed.value, request));
      return patched && !patched.ok ? [patched.failure.error] : [];
    }
    const items = [{ employeeID, name, isActive: true, managerEmployeeID }];
    const [verdict] = verdictsOf(await runUpdates(service, items, { mode }));
    return verdict === true || verdict === undefined ? [] : [verdict];
  };
  const problems = await Promise.all(users.map((_, at) => link(at)));
  expect(problems.flat()).toEqual(['USER_MANAGER_CYCLE']);
});
