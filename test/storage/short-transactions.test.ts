import { expect, inject, test } from 'vitest';
import { runHousekeeping } from '../../src/domain/maintenance/housekeeping.js';
import { insertPlannedCall, listUnrecordedCalls } from '../../src/storage/changes/planned-calls.js';
import { insertPlannedItems } from '../../src/storage/changes/planned-items.js';
import { callIdOf, undone } from '../support/calls.js';
import { later, plannedIdOf } from '../support/planned-calls.js';
import { aUser, useOwnService } from '../support/service.js';

const service = useOwnService();
const isEmbedded = inject('engine') === 'embedded';

test('a bulk call and its undo are split into transactions that are short on the embedded database, which others wait for', async () => {
  const items = Array.from({ length: 1_100 }, () => aUser());
  const created = callIdOf(await service.post('/service/users/create-bulk', { items }));
  const reverted = await undone(service, created);
  for (const id of [created, reverted]) {
    const { rows } = await service.database.pool.query(
      'SELECT cardinality(serials) AS items FROM call_items WHERE call_id = $1 ORDER BY first_item',
      [id],
    );
    const chunks = rows.map((row) => row.items);
    expect(Math.max(...chunks)).toBeLessThanOrEqual(isEmbedded ? 500 : 2_500);
    expect(chunks.length).toBeGreaterThanOrEqual(isEmbedded ? 3 : 1);
  }
});

test('the items of a planned call are stored in several transactions', async () => {
  const items = Array.from({ length: 600 }, () => aUser());
  const id = plannedIdOf(await service.post(`/service/users/create-bulk?effectiveAt=${later}`, { items }));
  const { rows } = await service.database.pool.query(
    `SELECT count(*)::integer AS items, count(DISTINCT xmin::text)::integer AS transactions
     FROM planned_items WHERE call_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ items: 600, transactions: 3 }]);
});

test('a planned call whose node died while it stored the items is never seen, and removed after a day', async () => {
  const { pool } = service.database;
  const id = '0198c0de-7a11-7000-8000-000000000001';
  const origin = { actor: { kind: 'client', id: 'somebody' }, requestId: 'r', callId: id } as const;
  const call = {
    id,
    claim: 1,
    kind: 'create-bulk',
    items: 2,
    undoes: null,
    origin,
    label: undefined,
  } as const;
  const plan = { effectiveAt: undefined, needsApproval: false, ifChanged: 'skip', expiryHours: 1 } as const;
  await insertPlannedCall(pool, {
    ...plan,
    call,
    author: { ...origin.actor, scopes: [] },
    options: {},
    effects: {},
  });
  const item = { id, position: 0, userSerial: null, employeeID: 'E1', secret: null, secretKeyId: null };
  await insertPlannedItems(pool, id, [{ ...item, mentions: null, item: {}, preview: {} }]);

  expect((await service.get(`/service/calls/${id}`)).status).toBe(404);
  const tidy = () => runHousekeeping(service.context, { accessEventsDays: 365, changesDays: 365 });
  await tidy();
  expect(await listUnrecordedCalls(pool, 0)).toEqual([id]);
  await pool.query(`UPDATE planned_calls SET created_at = now() - interval '25 hours' WHERE call_id = $1`, [
    id,
  ]);
  await tidy();
  const { rows } = await pool.query('SELECT FROM planned_items WHERE call_id = $1', [id]);
  expect([await listUnrecordedCalls(pool, 0), rows]).toEqual([[], []]);
});
