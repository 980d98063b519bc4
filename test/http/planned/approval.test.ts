import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/scopes.js';
import { planCall } from '../../../src/domain/planned/plan-call.js';
import { callIdOf, readCall } from '../../support/calls.js';
import { eraseBulk } from '../../support/erasure.js';
import { expectFailure } from '../../support/expect-failure.js';
import {
  decide,
  eager,
  givenColleague,
  givenPlan,
  later,
  makeDue,
  outcomesOf,
  plannedIdOf,
  runNow,
  untilState,
} from '../../support/planned-calls.js';
import { anItem, aUser, issueToken, newId, useOwnService, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService(eager);

const approval = 'approval=required';

describe('a call that needs approval', () => {
  test('runs once someone else has approved it', async () => {
    const [user, colleague] = [await service.givenUser(), await givenColleague(service)];
    const id = await givenPlan(service, [anItem(user, { isActive: false })], approval);
    expect((await service.readUserWithPlans(user.serial)).upcomingChanges).toMatchObject([
      { callId: id, state: 'awaitingApproval', effectiveAt: null },
    ]);
    const reply = await decide(service, id, 'approve', colleague.token);
    expect(reply.status).toBe(200);
    expect(reply.json.data.plan).toMatchObject({
      needsApproval: true,
      approvedBy: { kind: 'client', id: colleague.clientId },
    });
    await untilState(service, id, 'done');
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ isActive: false });
  });

  test('waits for its time after that', async () => {
    const [user, colleague] = [await service.givenUser(), await givenColleague(service)];
    const id = await givenPlan(service, [anItem(user, { name: 'X' })], `${approval}&effectiveAt=${later}`);
    await makeDue(service, id); // not yet: it needs approval
    await decide(service, id, 'approve', colleague.token);
    expect((await readCall(service, id)).state).toBe('planned');
    expect(await runNow(service, id)).toEqual([user.serial]);
  });

  test('cannot be approved by its author, twice, after its cancellation, or without being planned', async () => {
    const [user, colleague] = [await service.givenUser(), await givenColleague(service)];
    const items = [anItem(user, { name: 'X' })];
    const id = await givenPlan(service, items, `${approval}&effectiveAt=${later}`);
    const approve = (call: string, token?: string) => decide(service, call, 'approve', token);
    expect((await approve(id)).json).toMatchObject({ errorCode: 10310 });
    await approve(id, colleague.token);
    expect((await approve(id, colleague.token)).json).toMatchObject({
      errorCode: 10309,
      data: { state: 'planned' },
    });
    await decide(service, id, 'cancel');
    expect((await approve(id, colleague.token)).json).toMatchObject({ data: { state: 'cancelled' } });
    const immediate = callIdOf(await service.updateBulk(items));
    expect((await approve(immediate, colleague.token)).json).toMatchObject({ data: { state: 'done' } });
    expect((await approve('nothing', colleague.token)).status).toBe(404);
  });

  test('shows what it would do as its items', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { name: 'New' }), { employeeID: 'x' }], approval);
    const read = (query: string) => service.get(`/service/calls/${id}/items${query}`);
    const { items } = (await read('')).json.data;
    expect(items).toEqual([
      {
        position: 0,
        employeeID: user.employeeID,
        outcome: 'succeeded',
        serial: user.serial,
        effect: { kind: 'updated', fields: { name: { before: user.name, after: 'New' } } },
      },
      {
        position: 1,
        employeeID: 'x',
        outcome: 'failed',
        error: expect.objectContaining({ errorCode: 10106 }),
      },
    ]);
    expect((await read('?outcome=failed')).json.data.items).toEqual([items[1]]);
  });

  test('is rejected if someone else cancels it: the reason and the preview stay', async () => {
    const [user, colleague] = [await service.givenUser(), await givenColleague(service)];
    const id = await givenPlan(
      service,
      [anItem(user, { isActive: false })],
      `${approval}&effectiveAt=${later}`,
    );
    expect((await readCall(service, id)).plan).toMatchObject({
      isRejected: false,
      effects: { deactivated: 1 },
    });
    const cancel = `/service/calls/${id}/cancel?reason=Stays%20until%20March`;
    expect((await service.request('POST', cancel, { token: colleague.token })).status).toBe(200);
    const { state, plan } = await readCall(service, id);
    expect(state).toBe('cancelled');
    expect(plan).toMatchObject({ isRejected: true, cancelReason: 'Stays until March' });
    const { items } = (await service.get(`/service/calls/${id}/items`)).json.data;
    expect(items).toMatchObject([{ serial: user.serial, effect: { kind: 'updated' } }]);
    expect((await service.readUserWithPlans(user.serial)).upcomingChanges).toEqual([]);

    const withdrawn = await givenPlan(service, [anItem(user, { isActive: false })], approval);
    await decide(service, withdrawn, 'cancel');
    expect((await readCall(service, withdrawn)).plan).toMatchObject({
      isRejected: false,
      cancelReason: null,
    });
    expect((await service.get(`/service/calls/${withdrawn}/items`)).json.data.items).toEqual([]);
  });

  test('is recorded with its approval and its cancellation', async () => {
    const [user, colleague] = [await service.givenUser(), await givenColleague(service)];
    const id = await givenPlan(service, [anItem(user)], `${approval}&effectiveAt=${later}`);
    await decide(service, id, 'approve', colleague.token);
    await decide(service, id, 'cancel', colleague.token);
    const { rows } = await service.database.pool.query(
      'SELECT kind, actor_id FROM changes WHERE call_id = $1 ORDER BY seq',
      [id],
    );
    const { actor, plan } = await readCall(service, id);
    expect(rows).toEqual([
      { kind: 'call.planned', actor_id: actor.id },
      { kind: 'call.approved', actor_id: colleague.clientId },
      { kind: 'call.cancelled', actor_id: colleague.clientId },
    ]);
    expect(plan.cancelledBy).toEqual({ kind: 'client', id: colleague.clientId });
    await makeDue(service, id);
    expect((await decide(service, id, 'cancel')).json).toMatchObject({ data: { state: 'cancelled' } });
  });

  test('shows the filter that selected its users, until it runs, or until it is about someone who is erased', async () => {
    const [tag, colleague] = [newId('T'), await givenColleague(service)];
    const ada = await service.givenUser({ name: `Ada ${tag}`, tagSerials: [tag] });
    const plan = async (filter: object) => {
      const body = { filter, patch: { isActive: false } };
      return plannedIdOf(await service.post(`/service/users/update-matching?${approval}`, body));
    };
    const filterOf = async (id: string) => (await readCall(service, id)).plan.filter;
    const [first, second] = [
      await plan({ isActive: true, tagSerial: [tag] }),
      await plan({ search: ada.name }),
    ];
    expect(await filterOf(first)).toBe(`isActive=true&tagSerial=${tag}`);
    expect(await filterOf(second)).toBe(`search=Ada+${tag}`);
    await service.request('DELETE', `/service/users/${ada.serial}`);
    expect(await filterOf(second)).toBeNull();
    await decide(service, first, 'approve', colleague.token);
    await untilState(service, first, 'done');
    expect(await filterOf(first)).toBeNull();
  });

  test('that has run cannot be cancelled', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { name: 'X' })]);
    await runNow(service, id);
    const reply = await decide(service, id, 'cancel');
    expect(reply.json).toMatchObject({ errorCode: 10309, data: { state: 'done' } });
    expect(reply.json.detail).toMatch(/undo/);
  });
});

describe('the author of a planned call', () => {
  test('who may no longer change users leaves it to someone else', async () => {
    const [user, author] = [await service.givenUser(), await givenSignedInUser(service, 'operator')];
    const id = await givenPlan(service, [anItem(user, { name: 'X' })], undefined, author.token);
    await service.request('PUT', `/service/users/${author.serial}/role`, { body: { role: 'viewer' } });
    await makeDue(service, id);
    await expect.poll(async () => (await readCall(service, id)).plan.needsTakeover).toBe(true);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ name: user.name });
    const colleague = await givenColleague(service);
    const reply = await decide(service, id, 'take-over', colleague.token);
    expect(reply.json.data.plan).toMatchObject({
      needsTakeover: false,
      author: { kind: 'client', id: colleague.clientId },
    });
    expect(await runNow(service, id)).toEqual([user.serial]);
    const { rows } = await service.database.pool.query(
      `SELECT actor_id FROM changes WHERE call_id = $1 AND kind = 'updated'`,
      [id],
    );
    expect(rows).toEqual([{ actor_id: colleague.clientId }]);
  });

  test('who has been deactivated does not run it either', async () => {
    const [user, author] = [await service.givenUser(), await givenSignedInUser(service, 'operator')];
    const id = await givenPlan(service, [anItem(user, { name: 'X' })], undefined, author.token);
    await service.request('PATCH', `/service/users/${author.serial}`, { body: { isActive: false } });
    await makeDue(service, id);
    await expect.poll(async () => (await readCall(service, id)).plan.needsTakeover).toBe(true);
  });

  test.each<[string, (clientId: string) => Promise<unknown>]>([
    [
      'got a new secret without overlap',
      (id) => service.post(`/service/clients/${id}/rotate`, { overlapSeconds: 0 }),
    ],
    [
      'was disabled, and enabled again',
      async (id) => {
        for (const isActive of [false, true]) {
          await service.request('PATCH', `/service/clients/${id}`, { body: { isActive } });
        }
      },
    ],
  ])('that is a client and %s leaves it to someone else', async (_, change) => {
    const [user, author, colleague] = [
      await service.givenUser(),
      await givenColleague(service),
      await givenColleague(service),
    ];
    const items = [anItem(user, { name: 'X' })];
    const id = await givenPlan(service, items, undefined, author.token);
    const unapproved = await givenPlan(service, items, `${approval}&effectiveAt=${later}`, author.token);
    await change(author.clientId);
    for (const each of [id, unapproved]) {
      expect((await readCall(service, each)).plan).toMatchObject({ needsTakeover: true });
    }
    expect((await decide(service, unapproved, 'approve', colleague.token)).json).toMatchObject({
      errorCode: 10309,
      detail: 'The call awaits approval. But first, someone has to take it over.',
    });
    const other = await givenPlan(service, [], undefined, colleague.token);
    await makeDue(service, id);
    await runNow(service, other);
    expect(await readCall(service, id)).toMatchObject({ state: 'planned' });
    expect((await decide(service, id, 'take-over', colleague.token)).status).toBe(200);
    expect(await runNow(service, id)).toEqual([user.serial]);
  });

  test('that is a client whose token ended while the call was prepared leaves it, too', async () => {
    const author = await givenColleague(service);
    await service.post(`/service/clients/${author.clientId}/rotate`, { overlapSeconds: 0 });
    for (const tokenGeneration of [0, 1]) {
      const actor = {
        kind: 'client',
        id: author.clientId,
        scopes: new Set<Scope>(),
        tokenGeneration,
      } as const;
      const planned = await planCall(
        service.context,
        { kind: 'update-bulk', options: {}, items: [], employeeIDs: [], outcomes: [] },
        { effectiveAt: later, needsApproval: false, ifChanged: 'skip' },
        { caller: { actor, requestId: newId(), address: '::1' }, key: undefined },
      );
      const { callId } = planned as Extract<typeof planned, { ok: true }>;
      expect((await readCall(service, callId)).plan.needsTakeover).toBe(tokenGeneration === 0);
    }
  });

  test('that is a client with two secrets for a while runs it', async () => {
    const [user, author] = [await service.givenUser(), await givenColleague(service)];
    const id = await givenPlan(service, [anItem(user, { name: 'X' })], undefined, author.token);
    await service.post(`/service/clients/${author.clientId}/rotate`, { overlapSeconds: 60 });
    expect(await runNow(service, id)).toEqual([user.serial]);
  });

  test('who takes it over needs the approval of someone else again', async () => {
    const [user, approver, successor] = [
      await service.givenUser(),
      await givenColleague(service),
      await givenColleague(service),
    ];
    const id = await givenPlan(service, [anItem(user, { name: 'X' })], `${approval}&effectiveAt=${later}`);
    await decide(service, id, 'approve', approver.token);
    await decide(service, id, 'take-over', successor.token);
    const { state, plan } = await readCall(service, id);
    expect([state, plan.approvedBy]).toEqual(['awaitingApproval', null]);
    expect((await decide(service, id, 'approve', successor.token)).json).toMatchObject({ errorCode: 10310 });
    expect((await decide(service, id, 'approve')).json).toMatchObject({ errorCode: 10310 }); // who planned it
    expect((await decide(service, id, 'approve', approver.token)).status).toBe(200);
  });

  test('who takes it over gives new users a password that the former author does not know', async () => {
    const [author, successor] = [await service.tokenFor('users:write'), await givenColleague(service)];
    const [username, password] = [newId('u'), 'known to the author'];
    const id = plannedIdOf(
      await service.post(
        `/service/users/create-bulk?effectiveAt=${later}`,
        { items: [aUser({ username, password })] },
        { token: author },
      ),
    );
    await decide(service, id, 'take-over', successor.token);
    await runNow(service, id);
    expect((await service.signIn(username, password)).status).toBe(401);
    const { rows } = await service.database.pool.query(
      `SELECT kind, actor_id FROM changes WHERE call_id = $1 AND kind LIKE 'call.%' ORDER BY seq`,
      [id],
    );
    expect(rows.at(-1)).toEqual({ kind: 'call.takenOver', actor_id: successor.clientId });
  });

  test('who takes it over does no more than the preview showed', async () => {
    const user = await givenSignedInUser(service, 'viewer');
    const successor = await givenColleague(service, ['users:read', 'users:write', 'access:admin']);
    const writer = await service.tokenFor('users:write', 'users:read');
    const items = [{ employeeID: user.employeeID, name: 'X', isActive: true, username: newId('u') }];
    const id = await givenPlan(service, items, `effectiveAt=${later}&ifChanged=run`, writer);
    await decide(service, id, 'take-over', successor.token);
    expect(await runNow(service, id)).toEqual(['CALL_ITEM_OUTDATED']);
  });

  test('who takes it over runs it with no more permissions than the token had that took it over', async () => {
    const user = await givenSignedInUser(service, 'viewer');
    const successor = await givenColleague(service, ['users:read', 'users:write', 'access:admin']);
    const token = await issueToken(service.url, successor, 'users:read users:write');
    const items = [{ employeeID: user.employeeID, name: 'X', isActive: true, username: newId('u') }];
    const id = await givenPlan(service, items, `effectiveAt=${later}&ifChanged=run`);
    await decide(service, id, 'take-over', token);
    expect(await runNow(service, id), 'unlike the preview').toEqual(['CALL_ITEM_OUTDATED']);
    expect(await service.readUser(user.serial)).toMatchObject({ username: user.username });
  });

  test('runs it with no more permissions than the token had that planned it', async () => {
    const user = await givenSignedInUser(service, 'viewer');
    const writer = await service.tokenFor('users:write', 'users:read');
    const items = [{ employeeID: user.employeeID, name: 'X', isActive: true, username: 'other1' }];
    const id = await givenPlan(service, items, undefined, writer);
    expect(await runNow(service, id)).toEqual(['USER_PROTECTED']);
  });
});

describe('with ROLLCALL_SAFETY_APPROVAL=required', () => {
  const careful = useOwnService({
    ...eager,
    ROLLCALL_SAFETY_LIMIT_PERCENT: '1',
    ROLLCALL_SAFETY_APPROVAL: 'required',
  });

  test('a call beyond the safety limit waits for approval, even if it is confirmed', async () => {
    const [user, colleague] = [await careful.givenUser(), await givenColleague(careful)];
    const items = [anItem(user, { isActive: false })];
    const preview = await careful.updateBulk(items, '?dryRun=true');
    expect(preview.status).toBe(200);
    const key = { headers: { 'idempotency-key': 'leaver' } };
    const send = () => careful.post('/service/users/update-bulk?confirm=1', { items }, key);
    const id = plannedIdOf(await send());
    expect(plannedIdOf(await send())).toBe(id);
    expect(await readCall(careful, id)).toMatchObject({ state: 'awaitingApproval' });
    await decide(careful, id, 'approve', colleague.token);
    await untilState(careful, id, 'done');
    expect(await outcomesOf(careful, id)).toEqual([user.serial]);
    expect(plannedIdOf(await send())).toBe(id);
    const undo = await careful.request('POST', `/service/calls/${id}/undo`);
    expect(undo.status).toBe(200); // it deactivates nobody
  });

  test.each([
    ['a time', `confirm=1&effectiveAt=${later}`],
    ['a time and ifChanged=run', `confirm=1&effectiveAt=${later}&ifChanged=run`],
  ])('%s is no way around approval', async (_, query) => {
    const user = await careful.givenUser();
    const reply = await careful.updateBulk([anItem(user, { isActive: false })], `?${query}`);
    if (reply.status === 202) {
      expect(await readCall(careful, callIdOf(reply))).toMatchObject({ state: 'awaitingApproval' });
    } else expect(reply.status).toBe(400);
    expect(await careful.readUser(user.serial)).toMatchObject({ isActive: true });
  });

  test('a call that selects users by a filter waits as well', async () => {
    const { serial, employeeID } = await careful.givenUser();
    const body = { filter: { employeeID }, patch: { isActive: false } };
    const id = plannedIdOf(await careful.post('/service/users/update-matching?confirm=1', body));
    expect(await readCall(careful, id)).toMatchObject({ state: 'awaitingApproval' });
    expect(await careful.readUser(serial)).toMatchObject({ isActive: true });
  });

  test('so does an undo', async () => {
    const leaver = await careful.givenUser({ isActive: false });
    const call = callIdOf(await careful.updateBulk([anItem(leaver, { isActive: true })]));
    const id = plannedIdOf(await careful.request('POST', `/service/calls/${call}/undo?confirm=1`));
    expect(await readCall(careful, id)).toMatchObject({ state: 'awaitingApproval', kind: 'undo' });
    expect(await careful.readUser(leaver.serial)).toMatchObject({ isActive: true });
  });

  test('a bulk erasure, which cannot wait, is rejected even if it is confirmed', async () => {
    const { serial } = await careful.givenUser();
    const refused = await eraseBulk(careful, [serial], '?confirm=1');
    const detail = /Nothing was changed\. An erasure cannot wait for approval: erase fewer users per call\.$/;
    expectFailure(refused, 409, 10304, 'CALL_EXCEEDS_SAFETY_LIMIT', detail);
    expect(await careful.readUser(serial)).toMatchObject({ isActive: true });
  });

  test('other calls run at once', async () => {
    const user = await careful.givenUser();
    expect((await careful.updateBulk([anItem(user, { name: 'X' })])).status).toBe(200);
  });
});
