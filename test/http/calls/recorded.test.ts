import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { callIdOf, givenCreates, givenUpdates, leaveRunning, readCall, undone } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, credentialsIn, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

const noEffects = { created: 0, reactivated: 0, deactivated: 0, renamed: 0, updated: 0, removed: 0 };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('a bulk call is recorded', () => {
  test('for a create, with its actor, counts and times', async () => {
    const taken = await service.givenUser();
    const requestId = newId('request');
    const items = [aUser(), aUser({ employeeID: taken.employeeID }), aUser(), 7];
    const reply = await service.post(
      '/service/users/create-bulk',
      { items },
      { headers: { 'x-request-id': requestId } },
    );
    const id = callIdOf(reply);
    expect(id).toMatch(uuid);
    const read = await service.get(`/service/calls/${id}`);
    expect(read.json).toEqual({
      status: 'success',
      message: 'Call found.',
      data: {
        id,
        kind: 'create-bulk',
        state: 'done',
        actor: { kind: 'client', id: credentialsIn(service.dataDir).clientId },
        requestId,
        startedAt: expect.stringMatching(time),
        finishedAt: expect.stringMatching(time),
        items: 4,
        succeeded: 2,
        failed: 2,
        changes: 2,
        undoes: null,
        source: null,
        note: null,
        replaces: null,
        undone: null,
        patch: null,
        plan: null,
        undoneBy: null,
        effects: { ...noEffects, created: 2 },
      },
    });
  });

  test('for an update, where a success without a change counts no change', async () => {
    const [changed, idle] = [await service.givenUser(), await service.givenUser()];
    const callId = await givenUpdates(service, [
      itemFor(changed.employeeID, { phone: '123' }),
      itemFor(changed.employeeID, { phone: '456' }),
      itemFor(idle.employeeID),
    ]);
    expect(await readCall(service, callId)).toMatchObject({
      kind: 'update-bulk',
      state: 'done',
      items: 3,
      succeeded: 3,
      failed: 0,
      changes: 1,
    });
  });

  test('without items, with failures only, and for a user as the actor', async () => {
    const { token, serial } = await givenSignedInUser(service, 'operator');
    for (const kind of ['create-bulk', 'update-bulk']) {
      for (const items of [[], [7, null]]) {
        const reply = await service.post(`/service/users/${kind}`, { items }, { token });
        const counts = { items: items.length, succeeded: 0, failed: items.length, changes: 0 };
        const actor = { kind: 'person', id: serial };
        expect(await readCall(service, callIdOf(reply))).toMatchObject({
          kind,
          state: 'done',
          actor,
          ...counts,
        });
      }
    }
  });

  test('but not for a dry run or a rejected request', async () => {
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId };
    for (const kind of ['create-bulk', 'update-bulk']) {
      for (const [query, body, status] of [
        ['?dryRun=true', { items: [] }, 200],
        ['', { users: [] }, 400],
        ['?dry_run=true', { items: [] }, 400],
      ] as const) {
        const reply = await service.post(`/service/users/${kind}${query}`, body, { headers });
        expect([reply.status, reply.headers.get('x-call-id')]).toEqual([status, null]);
      }
    }
    const { items } = (await service.get(`/service/calls?requestId=${requestId}`)).json.data;
    expect(items).toEqual([]);
  });
});

describe('what a call did', () => {
  test('is counted by what became of users, and told for each item to those who could undo it', async () => {
    const [renamed, left, idle] = [
      await service.givenUser(),
      await service.givenUser(),
      await service.givenUser(),
    ];
    const employeeID = newId('E');
    const callId = await givenUpdates(service, [
      itemFor(renamed.employeeID, { phone: '123' }),
      itemFor(renamed.employeeID, { newEmployeeID: employeeID }),
      itemFor(left.employeeID, { isActive: false }),
      itemFor(idle.employeeID),
    ]);
    expect(await readCall(service, callId)).toMatchObject({
      effects: { ...noEffects, renamed: 1, deactivated: 1 },
    });
    const effectsFor = async (role: 'operator' | 'viewer') => {
      const { token } = await givenSignedInUser(service, role);
      const { json } = await service.get(`/service/calls/${callId}/items`, { token });
      return json.data.items.map(({ effect }: { effect: unknown }) => effect);
    };
    const both = {
      kind: 'updated',
      fields: {
        phone: { before: renamed.phone ?? null, after: '123' },
        employeeID: { before: renamed.employeeID, after: employeeID },
      },
    };
    expect(await effectsFor('operator')).toEqual([
      both,
      both,
      { kind: 'updated', fields: { isActive: { before: true, after: false } } },
      { kind: 'unchanged', fields: {} },
    ]);
    expect(await effectsFor('viewer')).toEqual([undefined, undefined, undefined, undefined]);
    expect(await readCall(service, await undone(service, callId))).toMatchObject({
      effects: { ...noEffects, renamed: 1, reactivated: 1 },
    });
  });
});

describe('the state of a call', () => {
  test('is running while its node holds the claim, and interrupted once the claim has expired', async () => {
    const { callId } = await givenCreates(service, [aUser()]);
    for (const [claimed, state] of [
      ['still', 'running'],
      ['no more', 'interrupted'],
    ] as const) {
      await leaveRunning(service, callId, claimed);
      expect(await readCall(service, callId)).toMatchObject({ state, finishedAt: null });
    }
  });
});

describe('GET /service/calls/{id}', () => {
  test('of no call fails with 404 and 10301', async () => {
    for (const id of ['0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'nightly', '%00', "1'%20OR%20'1'='1"])
      expectFailure(await service.get(`/service/calls/${id}`), 404, 10301, 'CALL_NOT_FOUND', /^No bulk call/);
  });

  test('accepts the ID in capital letters', async () => {
    const { callId } = await givenCreates(service, [aUser()]);
    expect(await readCall(service, callId.toUpperCase())).toMatchObject({ id: callId });
  });
});
