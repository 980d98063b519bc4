import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { completed } from '../../src/domain/bulk/run-call.js';
import { undoCall } from '../../src/domain/calls/undo-call.js';
import { indexNext } from '../../src/domain/indexing/index-next.js';
import { holdersThen } from '../../src/domain/names/holders-then.js';
import { employeeIdHistory } from '../../src/domain/names/id-history.js';
import { createUsersBulk } from '../../src/domain/users/create-users-bulk.js';
import { updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange, parseNewUser } from '../../src/domain/users/user-rules.js';
import { snapshot, transaction } from '../../src/storage/database.js';
import { useUnindexedPlayground } from '../support/playground.js';
import { callerOf } from '../support/update-runs.js';

/**
 * Random creates, renames and undos, which also remove and restore users, with the indexer at random positions of the
 * change log. At each moment in between, who holds which employee ID is noted, and later asked for.
 */
const runs = inject('engine') === 'embedded' ? 4 : 10;

const service = useUnindexedPlayground();
const caller = callerOf();

const ids = ['A', 'B', 'C', 'D', 'E', 'F'];
const id = fc.constantFrom(...ids);
const step = fc.oneof(
  fc.record({ create: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }) }),
  fc.record({ rename: fc.array(fc.tuple(id, id), { minLength: 1, maxLength: 4 }), swap: fc.boolean() }),
  fc.record({ rename: fc.array(fc.tuple(id, id), { minLength: 1, maxLength: 4 }), swap: fc.boolean() }),
  fc.record({ undo: fc.nat(8) }),
  fc.record({ index: fc.nat(4) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(made: Step, calls: string[]): Promise<void> {
  const { context, database } = service;
  const options = { caller, effects: false, confirmed: undefined } as const;
  if ('index' in made) {
    const settled = await context.changes.refresh();
    const { rows } = await database.pool.query<{ position: string }>('SELECT position FROM index_state');
    const position = Number(rows[0]?.position);
    const upTo = position + Math.floor(((settled - position) * made.index) / 4);
    while ((await indexNext(database, upTo)) === 'more');
    return;
  }
  if ('undo' in made) {
    const callId = calls[made.undo % calls.length];
    if (callId === undefined) return;
    const undone = await undoCall(context, callId, options);
    if (undone.ok) calls.push(undone.callId);
    return;
  }
  const result = await completed(
    'create' in made
      ? createUsersBulk(
          context,
          [
            made.create.map((employeeID) =>
              parseNewUser({ employeeID, name: 'Ada', email: 'ada@example.com', isActive: true }, {}),
            ),
          ],
          { ...options, hold: false },
        )
      : updateUsersBulk(
          context,
          [
            made.rename.map(([employeeID, newEmployeeID]) =>
              parseBulkChange({ employeeID, newEmployeeID, name: 'Ada', isActive: true }, {}),
            ),
          ],
          { ...options, mode: made.swap ? 'finalState' : 'oneByOne' },
        ),
  );
  if (!result.ok) throw new Error(result.failure.detail);
  calls.push(result.callId);
}

async function holders(): Promise<Record<string, string>> {
  const { rows } = await service.database.pool.query<{ employeeID: string; serial: string }>(
    'SELECT employee_id AS "employeeID", serial FROM users ORDER BY employee_id',
  );
  return Object.fromEntries(rows.map(({ employeeID, serial }) => [employeeID, serial]));
}

/** Times of transactions have to differ from those noted by at least a millisecond. */
async function moment(): Promise<string> {
  await pause(3);
  const { rows } = await service.database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  await pause(3);
  return rows[0]?.now.toISOString() ?? '';
}

test(`${runs} random histories: everyone is found by the employee ID of any time`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14, size: 'max' }), async (steps) => {
      await transaction(service.database, async (tx) => {
        for (const table of ['users', 'deliveries', 'calls']) await tx.query(`DELETE FROM ${table}`);
        await tx.query('DELETE FROM former_names');
        await tx.query(
          'UPDATE index_state SET names_position = (SELECT coalesce(max(seq), 0) FROM changes), position = (SELECT coalesce(max(seq), 0) FROM changes)',
        );
      });
      const calls: string[] = [];
      const noted: { time: string; held: Record<string, string> }[] = [];
      for (const made of steps) {
        noted.push({ time: await moment(), held: await holders() });
        await run(made, calls);
      }
      noted.push({ time: await moment(), held: await holders() });
      for (const { time, held } of noted) {
        const found = await snapshot(service.database, (tx) => holdersThen(tx, ids, time));
        if ('error' in found) throw new Error(found.detail);
        expect(Object.fromEntries([...found].sort())).toEqual(held);
      }
      await expectHistories(noted);
    }),
    { numRuns: runs },
  );
});

/** Each history covers the moments at which its holders were noted, and no others. */
async function expectHistories(
  noted: readonly { time: string; held: Record<string, string> }[],
): Promise<void> {
  for (const employeeID of ids) {
    const history = await employeeIdHistory(service.context, employeeID);
    const times = 'error' in history ? [] : [...history.formerHolders];
    const present = 'error' in history ? null : history.holder;
    for (const { time, held } of noted) {
      const covering = times
        .filter(({ since, until }) => since <= time && time < until)
        .map(({ serial }) => serial);
      if (present && present.since <= time) covering.push(present.serial);
      expect(covering, `${employeeID} at ${time}`).toEqual(held[employeeID] ? [held[employeeID]] : []);
    }
  }
}
