import { expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { callIdOf, givenCreates, undone } from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenColleague, givenPlan } from '../../support/planned-calls.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly counts: Readonly<Record<string, number>>;
  readonly calls: { readonly ids: readonly string[]; readonly count: number } | null;
  readonly decision: Readonly<Record<string, unknown>> | null;
  readonly edit: { readonly serial: string; readonly kind: string } | null;
  readonly change: { readonly userSerial: string; readonly fields: Readonly<Record<string, unknown>> } | null;
}

const none = { created: 0, reactivated: 0, deactivated: 0, removed: 0, changed: 0, failed: 0 };

async function list(query: Record<string, string> = {}, token?: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parameters = new URLSearchParams({ ...query, ...(cursor && { cursor }) });
    const reply = await service.get(`/service/activity?${parameters}`, token === undefined ? {} : { token });
    expect(reply.status, reply.text).toBe(200);
    entries.push(...reply.json.data.items);
    cursor = reply.json.data.nextCursor;
  }
  return entries;
}

/** A call that moves one, deactivates one, renames one, and fails for one. */
async function givenCall(requestId: string, organization: string) {
  const { serials } = await givenCreates(service, [
    ...['mover', 'leaver', 'other'].map((name) => aUser({ name, organizationSerial: `${organization}-old` })),
    aUser({ name: 'returner', isActive: false }),
  ]);
  const [mover = '', leaver = '', other = '', returner = ''] = serials;
  const employeeIDs = await Promise.all(
    [mover, leaver, other, returner].map(
      async (serial) => (await service.get(`/service/users/${serial}`)).json.data.employeeID,
    ),
  );
  const items = [
    itemFor(employeeIDs[0], { organizationSerial: organization }),
    itemFor(employeeIDs[1], { isActive: false }),
    itemFor(employeeIDs[2], { phone: '123' }),
    itemFor(employeeIDs[3], { organizationSerial: organization }),
    itemFor(newId()),
  ];
  const send = async () =>
    callIdOf(
      await service.post('/service/users/update-bulk', { items }, { headers: { 'x-request-id': requestId } }),
    );
  return { send, mover, leaver };
}

test('the calls of a request are one entry, which counts who is new, was changed, deactivated or reactivated, and who failed', async () => {
  const [requestId, organization] = [newId('nightly'), newId('ORG')];
  const { send } = await givenCall(requestId, organization);
  const first = await send();
  const second = callIdOf(
    await service.post(
      '/service/users/create-bulk',
      { items: [aUser({ organizationSerial: organization })] },
      { headers: { 'x-request-id': requestId } },
    ),
  );
  const entry = (await list()).find(({ id }) => id === first);
  expect(entry).toMatchObject({
    ...{
      requestId,
      change: null,
      counts: { ...none, created: 1, reactivated: 1, deactivated: 1, changed: 2, failed: 1 },
    },
    calls: { kind: 'update-bulk', state: 'done', ids: [first, second], count: 2, items: 6, undoes: null },
  });
  expect((await list()).filter(({ id }) => id === second)).toEqual([]);

  await service.database.pool.query('UPDATE calls SET reactivated = NULL WHERE id = $1', [first]);
  const uncounted = (await list()).find(({ id }) => id === first);
  expect(uncounted?.counts, 'a call of the last release').toEqual(entry?.counts);
});

test('an undo says who was removed', async () => {
  const { callId } = await givenCreates(service, [aUser(), aUser()]);
  const undoId = await undone(service, callId);
  expect((await list()).find(({ id }) => id === undoId)).toMatchObject({
    counts: { ...none, removed: 2 },
    calls: { kind: 'undo', undoes: callId },
  });
});

test('single changes are entries of their own, between the calls, in pages of any size', async () => {
  const user = await service.givenUser({ name: 'Before' });
  const { callId } = await givenCreates(service, [aUser()]);
  await patchUser(service, user.serial, { name: 'After' });
  await patchUser(service, user.serial, { isActive: false });
  const all = await list({ limit: '200' });
  expect(all.slice(0, 4).map(({ calls, change }) => calls?.ids[0] ?? change?.userSerial)).toEqual([
    ...[user.serial, user.serial, callId, user.serial],
  ]);
  expect(all.slice(0, 4).map(({ counts }) => counts)).toEqual([
    { ...none, deactivated: 1 },
    { ...none, changed: 1 },
    { ...none, created: 1 },
    { ...none, created: 1 },
  ]);
  expect(await list({ limit: '3' })).toEqual(all);
});

test('filters choose entries, and what these count', async () => {
  const organization = newId('ORG');
  const { send, mover, leaver } = await givenCall(newId('filtered'), organization);
  const callId = await send();
  await patchUser(service, leaver, { phone: '99' });
  const counted = async (query: Record<string, string>) =>
    (await list(query)).map(({ calls, change, counts }) => [calls?.ids[0] ?? change?.userSerial, counts]);

  expect(await counted({ organizationSerial: organization })).toEqual([
    [callId, { ...none, reactivated: 1, changed: 1 }],
    [expect.any(String), { ...none, created: 2 }],
  ]);
  expect(await counted({ organizationSerial: `${organization}-old`, field: 'phone' })).toEqual([
    [leaver, { ...none, changed: 1 }],
    [callId, { ...none, changed: 1 }],
  ]);
  const [newest] = await list();
  expect(await counted({ since: newest?.at ?? '' })).toHaveLength(1);
  const until = await list({ until: newest?.at ?? '', limit: '1' });
  expect(until[0]?.id).toBe(callId);

  const operator = await givenSignedInUser(service, 'operator');
  await service.request('PATCH', `/service/users/${mover}`, { token: operator.token, body: { phone: '1' } });
  expect(await counted({ actorId: operator.serial, organizationSerial: organization })).toEqual([
    [mover, { ...none, changed: 1 }],
  ]);
});

test('who added, named, nested or removed an organization is an entry, also without audit:read', async () => {
  const [serial, parent, operator] = [
    newId('ORG'),
    newId('ORG'),
    await givenSignedInUser(service, 'operator'),
  ];
  const path = `/service/organizations/${serial}`;
  const put = (body: object) => service.request('PUT', path, { body, token: operator.token });
  await put({ displayName: 'Sales' });
  await put({ displayName: 'Sales' });
  await put({ displayName: 'Sales EMEA', parentSerial: parent });
  await service.request('DELETE', path, { token: operator.token });
  const entries = (await list({ actorId: operator.serial }, operator.token)).filter(
    ({ edit }) => edit !== null,
  );
  expect(entries.map(({ edit }) => edit)).toEqual([
    {
      ...{ directory: 'organizations', serial, kind: 'removed' },
      fields: {
        displayName: { before: 'Sales EMEA', after: null },
        parentSerial: { before: parent, after: null },
      },
    },
    {
      ...{ directory: 'organizations', serial, kind: 'changed' },
      fields: {
        displayName: { before: 'Sales', after: 'Sales EMEA' },
        parentSerial: { before: null, after: parent },
      },
    },
    {
      ...{ directory: 'organizations', serial, kind: 'added' },
      fields: { displayName: { before: null, after: 'Sales' } },
    },
  ]);
  expect(entries[0]).toMatchObject({ actor: { kind: 'person', id: operator.serial }, counts: none });
  expect((await list({ actorId: operator.serial, limit: '1' }, operator.token)).slice(0, 3)).toEqual(entries);
});

test('without audit:read, calls are listed, but neither single changes nor what changed', async () => {
  const operator = await givenSignedInUser(service, 'operator');
  const user = await service.givenUser();
  await patchUser(service, user.serial, { phone: '12345' });
  const { callId } = await givenCreates(service, [aUser()]);
  const entries = await list({}, operator.token);
  expect(entries[0]?.id).toBe(callId);
  expect(entries.filter(({ change }) => change !== null)).toEqual([]);
  for (const query of ['field=phone', 'kind=created', 'organizationSerial=O']) {
    const reply = await service.get(`/service/activity?${query}`, { token: operator.token });
    expectFailure(reply, 403, 10203, 'ACCESS_SCOPE_MISSING', /audit:read/);
  }
  const foreign = await service.get('/service/activity?limit=1');
  const reply = await service.get(`/service/activity?cursor=${foreign.json.data.nextCursor}`, {
    token: operator.token,
  });
  expectFailure(reply, 400, 10006, 'REQUEST_CURSOR_INVALID', /./);
});

test('who planned, approved and cancelled a call is listed, in the order of time', async () => {
  const [user, colleague] = [await service.givenUser(), await givenColleague(service)];
  const note = newId('note');
  const id = await givenPlan(service, [anItem(user, { isActive: false })], `approval=required&note=${note}`);
  const decided = async (what: 'approve' | 'cancel') =>
    (await service.post(`/service/calls/${id}/${what}`, undefined, { token: colleague.token })).status;
  expect(await decided('approve')).toBe(200);
  expect(await decided('cancel')).toBe(200);
  const entries = (await list()).filter(({ decision }) => decision?.note === note);
  expect(entries).toMatchObject([
    { decision: { kind: 'cancelled' }, actor: { id: colleague.clientId } },
    { decision: { kind: 'approved' }, actor: { id: colleague.clientId } },
    {
      ...{ calls: null, change: null, id: `${id}:planned` },
      decision: { kind: 'planned', callId: id, callKind: 'update-bulk', items: 1 },
    },
  ]);
  const [byColleague, paged, byField] = await Promise.all([
    list({ actorId: colleague.clientId }),
    list({ limit: '1' }),
    list({ field: 'isActive' }),
  ]);
  expect(byColleague.map(({ id }) => id)).toEqual([`${id}:cancelled`, `${id}:approved`]);
  expect(paged.filter(({ decision }) => decision?.note === note)).toEqual(entries);
  expect(byField.every(({ decision }) => decision === null)).toBe(true);

  const rejected = await givenPlan(service, [anItem(user, { name: 'Ada' })], 'approval=required');
  expect(
    (await service.post(`/service/calls/${rejected}/cancel`, undefined, { token: colleague.token })).status,
  ).toBe(200);
  const [newest] = await list({ limit: '1' });
  expect(newest?.decision).toMatchObject({ kind: 'rejected', callId: rejected, effects: { updated: 1 } });
});
