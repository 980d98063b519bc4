import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { completed } from '../../src/domain/bulk/run-call.js';
import { undoCall } from '../../src/domain/calls/undo-call.js';
import { eraseWithin } from '../../src/domain/erasure/erase-user.js';
import { indexNext } from '../../src/domain/indexing/index-next.js';
import { startOfDay } from '../../src/domain/start-of-day.js';
import { addDays, today } from '../../src/domain/statistics/days.js';
import { type DayStatistics, getStatistics } from '../../src/domain/statistics/get-statistics.js';
import { createUsersBulk } from '../../src/domain/users/create-users-bulk.js';
import { updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange, parseNewUser } from '../../src/domain/users/user-rules.js';
import { transaction } from '../../src/storage/database.js';
import { rebuildIndex } from '../../src/storage/indexing/index-state.js';
import { playgroundTimeZone, useUnindexedPlayground } from '../support/playground.js';
import { callerOf } from '../support/update-runs.js';

/**
 * Random creates, updates, undos and erasures, one per day, with the indexer at random positions of the change log. After
 * each, users and changes are counted one by one, and the numbers of that day have to agree with it, also once everything
 * is counted and once it is counted anew.
 */
const runs = inject('engine') === 'embedded' ? 4 : 10;

const timeZone = playgroundTimeZone;
const service = useUnindexedPlayground();
const caller = callerOf();

const id = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F');
const item = fc.tuple(id, fc.boolean());
const step = fc.oneof(
  fc.record({ create: fc.array(item, { minLength: 1, maxLength: 4 }) }),
  fc.record({ update: fc.array(item, { minLength: 1, maxLength: 4 }) }),
  fc.record({ update: fc.array(item, { minLength: 1, maxLength: 4 }) }),
  fc.record({ undo: fc.nat(8) }),
  fc.record({ erase: fc.nat(8) }),
  fc.record({ index: fc.nat(4) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await service.database.pool.query<T>(text, values)).rows;

async function indexAll(): Promise<void> {
  const settled = await service.context.changes.settleNow();
  while ((await indexNext(service.database, settled)) === 'more');
}

async function startOver(): Promise<void> {
  await transaction(service.database, async (tx) => {
    for (const table of ['users', 'deliveries', 'calls', 'changes', 'change_counts', 'user_changes'])
      await tx.query(`DELETE FROM ${table}`);
    await rebuildIndex(tx);
  });
  await indexAll();
}

async function run(made: Step, calls: string[], serials: Set<string>): Promise<void> {
  const { context, database } = service;
  const options = { caller, effects: false, confirmed: undefined } as const;
  if ('index' in made) {
    const settled = await context.changes.settleNow();
    const [state] = await query<{ position: string }>('SELECT position FROM index_state');
    const position = Number(state?.position);
    const upTo = position + Math.floor(((settled - position) * made.index) / 4);
    while ((await indexNext(database, upTo)) === 'more');
    return;
  }
  if ('erase' in made) {
    const serial = [...serials][made.erase % serials.size];
    const origin = { actor: null, requestId: null, callId: null };
    if (serial) await transaction(database, (tx) => eraseWithin(tx, [{ serial }], { origin }));
    return;
  }
  if ('undo' in made) {
    const callId = calls[made.undo % calls.length];
    const undone = callId === undefined ? undefined : await undoCall(context, callId, options);
    if (undone?.ok) calls.push(undone.callId);
    return;
  }
  const result = await completed(
    'create' in made
      ? createUsersBulk(
          context,
          [
            made.create.map(([employeeID, isActive]) =>
              parseNewUser({ employeeID, name: 'Ada', email: 'ada@example.com', isActive }, {}),
            ),
          ],
          { ...options, hold: false },
        )
      : updateUsersBulk(
          context,
          [
            made.update.map(([employeeID, isActive]) =>
              parseBulkChange({ employeeID, name: 'Ada', isActive }, {}),
            ),
          ],
          { ...options, mode: 'oneByOne' },
        ),
  );
  if (!result.ok) throw new Error(result.failure.detail);
  calls.push(result.callId);
  for (const { serial } of await query<{ serial: string }>('SELECT serial FROM users')) serials.add(serial);
}

/** As if the last changes had been made at another time. */
async function moveTo(time: Date, after: string): Promise<void> {
  await query('UPDATE changes SET at = $1 WHERE seq > $2', [time, after]);
  await query(
    `UPDATE change_counts SET period = date_bin('15 minutes', $1::timestamptz, '2000-01-01Z')
               WHERE NOT is_from_log AND period > now() - interval '1 hour'`,
    [time],
  );
}

/** Of what was logged after a number, and of the users there are now. */
async function countOneByOne(day: string, after: string): Promise<DayStatistics> {
  const users = await query<{ isActive: boolean }>('SELECT is_active AS "isActive" FROM users');
  const logged = await query<{ kind: string; fields: { isActive?: { after: unknown } } }>(
    'SELECT kind, fields FROM changes WHERE seq > $1 AND user_serial IS NOT NULL',
    [after],
  );
  const kinds = (kind: string) => logged.filter((row) => row.kind === kind);
  const became = (after: boolean) =>
    kinds('updated').filter(({ fields }) => fields.isActive?.after === after);
  return {
    day,
    users: {
      active: users.filter(({ isActive }) => isActive).length,
      inactive: users.filter(({ isActive }) => !isActive).length,
    },
    changes: {
      created: kinds('created').length,
      updated: kinds('updated').length,
      rehired: kinds('rehired').length,
      deleted: kinds('deleted').length,
      erased: kinds('erased').length,
      deactivated: became(false).length,
      reactivated: became(true).length,
    },
  };
}

const logEnd = async () =>
  (await query<{ last: string }>('SELECT coalesce(max(seq), 0) AS last FROM changes'))[0]?.last ?? '0';

test(`${runs} random histories: the numbers of each day equal a count one by one`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14, size: 'max' }), async (steps) => {
      await startOver();
      const from = addDays(today(timeZone, Date.now()), -steps.length);
      const calls: string[] = [];
      const serials = new Set<string>();
      const expected: DayStatistics[] = [];
      for (const [index, made] of steps.entries()) {
        const day = addDays(from, index);
        const minutes = index % 2 === 0 ? 0 : 24 * 60 - 1;
        const before = await logEnd();
        await run(made, calls, serials);
        await moveTo(new Date(startOfDay(day, timeZone).getTime() + minutes * 60_000), before);
        expected.push(await countOneByOne(day, before));
      }
      const range = { from, to: addDays(from, steps.length - 1) };
      const days = async () => {
        const found = await getStatistics(service.database, timeZone, range);
        if ('error' in found) throw new Error(found.detail);
        return found.days;
      };
      expect(await days()).toEqual(expected);
      await indexAll();
      expect(await days()).toEqual(expected);
      await rebuildIndex(service.database.pool);
      await indexAll();
      expect(await days()).toEqual(expected);
    }),
    { numRuns: runs },
  );
});
