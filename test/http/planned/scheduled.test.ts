import { describe, expect, test } from 'vitest';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { callIdOf, readCall } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import {
  decide,
  eager,
  givenPlan,
  later,
  makeDue,
  outcomesOf,
  plannedIdOf,
  runNow,
  untilState,
} from '../../support/planned-calls.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService(eager);

describe('a call with effectiveAt', () => {
  test('changes nothing now, and reports its preview in the shape of the contract', async () => {
    const user = await service.givenUser();
    const items = [anItem(user, { name: 'Ada King' }), anItem({ employeeID: newId(), name: 'Nobody' })];
    const reply = await service.updateBulk(items, `?effectiveAt=${later}`);
    expect(reply.status).toBe(202);
    const id = callIdOf(reply);
    expect(reply.headers.get('location')).toBe(`/service/calls/${id}`);
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Bulk call planned.',
      data: {
        successItems: [
          {
            payload: items[0],
            response: { serial: user.serial },
            effect: { kind: 'updated', fields: { name: { before: user.name, after: 'Ada King' } } },
          },
        ],
        failedItems: [{ payload: items[1], error: expect.objectContaining({ errorCode: 10102 }) }],
      },
    });
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({
      name: user.name,
      upcomingChanges: [
        {
          callId: id,
          state: 'planned',
          effectiveAt: '2100-01-01T00:00:00.000Z',
          effect: { kind: 'updated', fields: { name: { before: user.name, after: 'Ada King' } } },
        },
      ],
    });
    expect(await readCall(service, id)).toMatchObject({
      state: 'planned',
      items: 2,
      succeeded: 0,
      finishedAt: null,
      plan: {
        effectiveAt: '2100-01-01T00:00:00.000Z',
        expiresAt: '2100-01-08T00:00:00.000Z',
        ifChanged: 'skip',
      },
    });
  });

  test('runs once when it is due, in the name of its author', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { isActive: false })]);
    const planned = await readCall(service, id);
    expect(await runNow(service, id)).toEqual([user.serial]);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({
      isActive: false,
      upcomingChanges: [],
    });
    const { rows } = await service.database.pool.query(
      'SELECT kind, actor_id, request_id FROM changes WHERE call_id = $1 ORDER BY seq',
      [id],
    );
    const origin = { actor_id: planned.actor.id, request_id: planned.requestId };
    expect(rows).toEqual([
      { kind: 'call.planned', ...origin },
      { kind: 'updated', ...origin },
      { kind: 'call', ...origin },
    ]);
    expect(await readCall(service, id)).toMatchObject({ state: 'done', succeeded: 1, failed: 0, changes: 1 });
  });

  test('runs at its time without further ado', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { name: 'Soon' })]);
    expect((await readCall(service, id)).state).toBe('planned');
    const { rows } = await service.database.pool.query<{ soon: Date }>(
      `UPDATE planned_calls SET due_at = clock_timestamp() + interval '300 ms' WHERE call_id = $1 RETURNING due_at AS soon`,
      [id],
    );
    await untilState(service, id, 'done');
    const { startedAt } = await readCall(service, id);
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Number(rows[0]?.soon));
  });

  test('can create users, whose passwords are stored encrypted until then', async () => {
    const [password, username] = [`secret ${newId()}`, newId('u')];
    const user = aUser({ password, username });
    const id = plannedIdOf(
      await service.post(`/service/users/create-bulk?effectiveAt=${later}`, { items: [user] }),
    );
    const { rows } = await service.database.pool.query(
      `SELECT planned_items::text AS row, secret IS NOT NULL AS "hasSecret" FROM planned_items WHERE call_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ row: expect.not.stringContaining(password), hasSecret: true }]);
    expect(await runNow(service, id)).toEqual([expect.any(String)]);
    expect((await service.signIn(username, password)).status).toBe(200);
    const { rows: secrets } = await service.database.pool.query(
      'SELECT secret FROM planned_items WHERE call_id = $1',
      [id],
    );
    expect(secrets).toEqual([{ secret: null }]);
  });

  test('can create or update users', async () => {
    const user = await service.givenUser();
    const created = aUser({ password: 'a password that stays secret' });
    const items = [{ ...anItem(user), email: 'new@example.com' }, created];
    const id = plannedIdOf(await service.upsertBulk(items, `?effectiveAt=${later}`));
    expect(await runNow(service, id)).toEqual([user.serial, expect.any(String)]);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ email: 'new@example.com' });
  });

  test('can create managers for whom other items wait', async () => {
    const boss = newId();
    const items = [{ ...aUser(), managerEmployeeID: boss }, aUser({ employeeID: boss })];
    const reply = await service.post(`/service/users/upsert-bulk?effectiveAt=${later}`, { items });
    expect(reply.json.data.successItems[0].effect.fields.managerSerial, 'has no serial yet').toEqual({
      ...{ before: null, after: null },
    });
    const [serial, manager] = (await runNow(service, plannedIdOf(reply))) as string[];
    expect(await service.readUser(String(serial))).toMatchObject({ manager: { serial: manager } });
  });

  test('can update the users who match now, whoever matches later', async () => {
    const organizationSerial = newId('ORG');
    const [stays, leaves] = [
      await service.givenUser({ organizationSerial }),
      await service.givenUser({ organizationSerial }),
    ];
    const body = { filter: { organizationSerial }, patch: { addTagSerials: ['T1'] } };
    const path = `/service/users/update-matching?effectiveAt=${later}`;
    expect((await service.post(path, body)).json).toMatchObject({ errorCode: 10306, data: { confirm: 2 } });
    const id = plannedIdOf(await service.post(`${path}&confirm=2`, body));
    await service.request('PATCH', `/service/users/${leaves.serial}`, { body: { tagSerials: ['T7'] } });
    const joins = await service.givenUser({ organizationSerial });
    expect(new Set(await runNow(service, id))).toEqual(new Set([stays.serial, 'CALL_ITEM_OUTDATED']));
    expect((await service.readUserWithPlans(stays.serial)).tagSerials).toEqual(['T1']);
    expect((await service.readUserWithPlans(leaves.serial)).tagSerials).toEqual(['T7']);
    expect((await service.readUserWithPlans(joins.serial)).tagSerials).toEqual([]);
  });

  test('can undo a call, which counts as undone only then', async () => {
    const [user, changed] = [await service.givenUser(), await service.givenUser()];
    const call = callIdOf(
      await service.updateBulk([anItem(user, { name: 'New' }), anItem(changed, { name: 'New' })]),
    );
    const reply = await service.request('POST', `/service/calls/${call}/undo?effectiveAt=${later}`);
    const id = plannedIdOf(reply);
    expect(reply.json.data.successItems).toHaveLength(2);
    expect((await readCall(service, call)).undoneBy).toBeNull();
    await service.request('PATCH', `/service/users/${changed.serial}`, { body: { phone: '+49 30 1' } });
    await service.request('PATCH', `/service/users/${changed.serial}`, { body: { name: 'Newer' } });
    expect(await runNow(service, id)).toEqual([user.serial, 'CALL_ITEM_OUTDATED']);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ name: user.name });
    expect(await service.readUserWithPlans(changed.serial)).toMatchObject({ name: 'Newer' });
    expect((await readCall(service, call)).undoneBy).toBe(id);
  });

  test('can be undone once it has run, and not before', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { name: 'Planned' })]);
    const undo = () => service.request('POST', `/service/calls/${id}/undo`);
    expect((await undo()).json).toMatchObject({ errorCode: 10309, data: { state: 'planned' } });
    await runNow(service, id);
    expect((await undo()).status).toBe(200);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ name: user.name });
  });

  test('is planned once by requests with the same Idempotency-Key', async () => {
    const user = await service.givenUser();
    const send = (query: string) =>
      service.post(
        `/service/users/update-bulk?${query}`,
        { items: [anItem(user, { name: 'Once' })] },
        { headers: { 'idempotency-key': user.employeeID } },
      );
    const [first, second] = [await send(`effectiveAt=${later}`), await send(`effectiveAt=${later}`)];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(plannedIdOf(second)).toBe(plannedIdOf(first));
    expect(second.json).toEqual(first.json);
    expect((await send('effectiveAt=2100-01-02')).json).toMatchObject({ errorCode: 10312 });
    await runNow(service, plannedIdOf(first));
    expect(plannedIdOf(await send(`effectiveAt=${later}`))).toBe(plannedIdOf(first));
  });

  test.each<[state: string, end: (id: string) => Promise<unknown>]>([
    ['cancelled', (id) => decide(service, id, 'cancel')],
    [
      'expired',
      (id) =>
        service.database.pool.query('UPDATE planned_calls SET expires_at = now() WHERE call_id = $1', [id]),
    ],
  ])('keeps nothing of its items once it is %s', async (state, end) => {
    const name = newId('Dropped');
    const items = [aUser({ name, password: 'correct horse battery' }), {}];
    const send = () =>
      service.post(
        `/service/users/create-bulk?effectiveAt=${later}`,
        { items },
        { headers: { 'idempotency-key': name } },
      );
    const id = plannedIdOf(await send());
    expect(await tablesHolding(service, name)).toEqual(['idempotency_keys', 'planned_items']);
    await end(id);
    await untilState(service, id, state);
    const { rows } = await service.database.pool.query('SELECT FROM planned_items WHERE call_id = $1', [id]);
    expect(rows).toEqual([]);
    expect(await outcomesOf(service, id)).toEqual([]);
    expect((await send()).json).toMatchObject({
      errorCode: 10309,
      data: { state },
      detail: expect.stringMatching(/To plan it again, send it with a new Idempotency-Key\.$/),
    });
  });

  test('keeps its preview for a repeated request until the key has expired', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { name: newId('Done') })]);
    const waiting = await givenPlan(service, [anItem(user, { name: newId('Waiting') })]);
    await runNow(service, id);
    const itemsLeft = async () => {
      await runHousekeeping(service.context, { accessEventsDays: 365, changesDays: 365 });
      const { rows } = await service.database.pool.query<{ id: string }>(
        'SELECT call_id AS id FROM planned_items WHERE call_id = ANY ($1) ORDER BY call_id',
        [[id, waiting]],
      );
      return rows.map((row) => row.id);
    };
    expect(await itemsLeft()).toEqual([id, waiting]);
    await service.database.pool.query(
      `UPDATE calls SET started_at = now() - interval '26 hours', finished_at = now() - interval '26 hours'
       WHERE id = ANY ($1)`,
      [[id, waiting]],
    );
    expect(await itemsLeft()).toEqual([waiting]);
  });

  test('expires if it could not run in time', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { name: 'Too late' })]);
    await service.database.pool.query(
      `UPDATE planned_calls SET expires_at = now() - interval '1 minute' WHERE call_id = $1`,
      [id],
    );
    await untilState(service, id, 'expired');
    await makeDue(service, id);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({
      name: user.name,
      upcomingChanges: [],
    });
    const { rows } = await service.database.pool.query(
      `SELECT actor_id FROM changes WHERE call_id = $1 AND kind = 'call.expired'`,
      [id],
    );
    expect(rows).toEqual([{ actor_id: null }]);
  });
});

describe('lastWorkingDay', () => {
  const body = (employeeID: string) => ({ filter: { employeeID }, patch: { isActive: false } });
  const path = '/service/users/update-matching';

  test('deactivates when it ends, and is kept with the plan, as people entered it', async () => {
    const user = await service.givenUser();
    const query = new URLSearchParams({ confirm: '1', lastWorkingDay: '2099-12-31' });
    const callId = plannedIdOf(await service.post(`${path}?${query}`, body(user.employeeID)));
    const time = { effectiveAt: '2100-01-01T00:00:00.000Z', lastWorkingDay: '2099-12-31' };
    expect(await readCall(service, callId)).toMatchObject({ plan: time });
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({
      upcomingChanges: [{ callId, ...time }],
    });
    const activity = await service.get('/service/activity?limit=200');
    expect(activity.json.data.items).toContainEqual(
      expect.objectContaining({ decision: expect.objectContaining({ callId, ...time }) }),
    );
  });

  test.each([
    ['lastWorkingDay=2020-01-01', /must not be in the past/],
    ['lastWorkingDay=9999-12-31', /within the next 100 years/],
    ['lastWorkingDay=2099-02-30', /a day such as/],
    ['lastWorkingDay=', /a day such as/],
    ['lastWorkingDay=2099-12-31&effectiveAt=2100-01-01', /must not be combined/],
  ])('is rejected in ?%s', async (query, detail) => {
    const reply = await service.post(`${path}?confirm=1&${query}`, body('E1'));
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  });
});

describe('effectiveAt', () => {
  const plan = (effectiveAt: string) => service.updateBulk([], `?${new URLSearchParams({ effectiveAt })}`);

  test('that is past, too far away or no time is rejected', async () => {
    for (const [effectiveAt, detail] of [
      ['2020-01-01T00:00:00Z', /must be in the future/],
      ['2020-01-01', /must be in the future/],
      ['9999-12-31', /within the next 100 years/],
      ['2100-01-01T00:00:00', /a time with an offset/],
      ['2100-02-30T00:00:00Z', /a date such as/],
      ['2100-02-30', /a date such as/],
      ['tomorrow', /a date such as/],
      ['', /a date such as/],
    ] as const) {
      const reply = await plan(effectiveAt);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
  });

  test('is checked in a preview, which plans nothing', async () => {
    const user = await service.givenUser();
    const dryRun = (effectiveAt: string) =>
      service.updateBulk([anItem(user, { name: 'X' })], `?dryRun=true&effectiveAt=${effectiveAt}`);
    expect((await dryRun('2020-01-01')).status).toBe(400);
    const reply = await dryRun(later);
    expect([reply.status, reply.headers.get('x-call-id')]).toEqual([200, null]);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ upcomingChanges: [] });
  });
});
