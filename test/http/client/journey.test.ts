import { expect, test } from 'vitest';
import {
  type AnsweredCall,
  bearer,
  clientCredentials,
  createClient,
  createInBulk,
  type EventType,
  type FollowOptions,
  followEvents,
  isRollcallError,
  newIdempotencyKey,
  type Outcome,
  type RollcallEvent,
  updateInBulk,
  upsertInBulk,
} from '../../../client/src/index.js';
import { createdClient } from '../../support/api-clients.js';
import { credentialsIn, newId, useService } from '../../support/service.js';
import { errorOf } from './front.js';

// Faults of the protocol are tested without a real service, in test/unit/client-*.test.ts.
const service = useService();

const clientOf = (auth = clientCredentials(credentialsIn(service.dataDir)), requestId?: string) =>
  createClient({ baseUrl: service.url, auth, requestId });

const newUser = () => ({
  employeeID: newId(),
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  isActive: true,
});

test('a client creates, reads and updates a user, each with its envelope and ETag', async () => {
  const rollcall = clientOf();
  const user = newUser();
  const withKey = { headers: { 'idempotency-key': newIdempotencyKey() } };
  const created = await rollcall.call('createUser', { body: user, ...withKey });
  const { serial } = created.body.data;
  expect([created.status, created.body.message]).toEqual([201, 'User created.']);
  expect(created.headers.get('location')).toBe(`/service/users/${serial}`);
  const again = await rollcall.call('createUser', { body: user, ...withKey });
  expect([again.headers.get('idempotent-replayed'), again.body.data.serial]).toEqual(['true', serial]);

  const { etag, body } = await rollcall.call('getUser', { path: { serial } });
  expect(body.data).toMatchObject({ ...user, serial });
  const phone = { path: { serial }, headers: { 'if-match': etag }, body: { phone: '+44 20' } };
  const changed = await rollcall.call('updateUser', phone);
  expect(changed.body.data).toMatchObject({ serial, phone: '+44 20' });
  expect(changed.etag).not.toBe(etag);
  const late = await errorOf(rollcall.call('updateUser', phone));
  expect(late).toMatchObject({ name: 'REQUEST_PRECONDITION_FAILED', status: 412 });

  const taken = await errorOf(rollcall.call('createUser', { body: user }));
  if (!isRollcallError(taken, 'USER_EMPLOYEE_ID_EXISTS')) throw taken;
  expect(taken).toMatchObject({ status: 409, code: 10101, outcomeUnknown: false });
  expect(taken.detail).toContain(user.employeeID);
  expect(service.logs).toContain(taken.requestId as string);
});

test('a user signs in, changes the password and signs out', async () => {
  let token: string | undefined;
  const page = clientOf(bearer(() => token));
  expect(await errorOf(page.call('getMe'))).toMatchObject({ name: 'ACCESS_TOKEN_REQUIRED', status: 401 });
  const [username, password] = [newId('ada'), 'correct horse battery staple'];
  await service.givenUser({ username, password });
  const { body } = await page.call('signIn', { body: { username, password } });
  token = body.data.accessToken;
  const early = await errorOf(page.call('listOwnSessions'));
  expect(early).toMatchObject({ name: 'ACCESS_PASSWORD_CHANGE_REQUIRED' });
  const changed = await page.call('changePassword', {
    body: { currentPassword: password, newPassword: 'a password of her own' },
  });
  token = changed.body.data.accessToken;
  expect((await page.call('getMe')).body.data).toMatchObject({ username });
  await page.call('signOut');
  expect(await errorOf(page.call('getMe'))).toMatchObject({ name: 'ACCESS_TOKEN_INVALID', status: 401 });
});

test('a client has only the scope that it asked for, and none once it is disabled', async () => {
  const client = await createdClient(service);
  const rollcall = clientOf(clientCredentials({ ...client, scope: 'users:read' }));
  await rollcall.call('listUsers', { query: { limit: 1 } });
  const refused = await errorOf(rollcall.call('createUser', { body: newUser() }));
  expect(refused).toMatchObject({ name: 'ACCESS_SCOPE_MISSING', status: 403 });
  await service.request('PATCH', client.path, { body: { isActive: false } });
  const disabled = await errorOf(clientOf(clientCredentials(client)).call('getMe'));
  expect(disabled).toMatchObject({ name: 'ACCESS_CLIENT_INVALID', status: 401 });
});

test('long lists are created, updated and upserted in several calls, with positions, effects and request ID', async () => {
  const requestId = newId('nightly-');
  const rollcall = clientOf(undefined, requestId);
  const told = async <Item>(
    run: (heard: { onOutcomes(outcomes: Outcome<Item>[], call: AnsweredCall): void }) => Promise<unknown>,
  ) => {
    const outcomes: (string | undefined)[] = [];
    const calls: AnsweredCall[] = [];
    await run({
      onOutcomes: (given, call) => {
        outcomes.push(...given.map((each) => (each.ok ? (each.effect?.kind ?? 'ok') : each.error.name)));
        calls.push(call);
      },
    });
    return { outcomes, calls };
  };
  const [one, two] = [newUser(), newUser()];
  const created = await told((heard) =>
    createInBulk(rollcall, [one, two, one], { itemsPerCall: 2, query: { effects: true }, ...heard }),
  );
  expect(created.outcomes).toEqual(['created', 'created', 'USER_EMPLOYEE_ID_EXISTS']);
  const updated = await told((heard) =>
    updateInBulk(rollcall, [{ ...update(one), name: 'Ada King' }, update(newUser())], heard),
  );
  expect(updated.outcomes).toEqual(['ok', 'USER_NOT_FOUND']);
  const id = String(updated.calls[0]?.callId);
  const { body: call } = await rollcall.call('getCall', { path: { id } });
  expect(call.data).toMatchObject({ items: 2, succeeded: 1, failed: 1, requestId });
  const upserted = await told((heard) =>
    upsertInBulk(rollcall, [two, newUser()], { query: { effects: true }, ...heard }),
  );
  expect(upserted.outcomes).toEqual(['unchanged', 'created']);
  const preview = await told((heard) =>
    createInBulk(rollcall, [newUser()], { query: { dryRun: true }, ...heard }),
  );
  expect(preview.calls).toMatchObject([{ callId: undefined }]);
  const query = { effectiveAt: '2099-12-31' };
  const planned = await told((heard) => updateInBulk(rollcall, [update(one)], { query, ...heard }));
  expect(planned.calls).toMatchObject([{ isPlanned: true }]);
  const path = { id: String(planned.calls[0]?.callId) };
  expect((await rollcall.call('cancelCall', { path })).body.data.state).toBe('cancelled');
});

const update = ({ employeeID, name }: { employeeID: string; name: string }) => ({
  employeeID,
  name,
  isActive: true,
});

test('a list is read page by page, also under a path', async () => {
  const rollcall = clientOf();
  const organizationSerial = newId('ORG');
  await service.createBulk(
    ['Ada', 'Ben', 'Cleo'].map((name) => ({ ...newUser(), name, organizationSerial })),
  );
  const query = { organizationSerial, sort: 'name', limit: 2 } as const;
  const [names, serials]: [string[], string[]] = [[], []];
  for await (const { name, serial } of rollcall.each('listUsers', { query })) {
    names.push(name);
    serials.push(serial);
  }
  expect(names).toEqual(['Ada', 'Ben', 'Cleo']);
  const path = { serial: serials[0] as string };
  await rollcall.call('updateUser', { path, body: { name: 'Ada King' } });
  const kinds: string[] = [];
  for await (const { kind } of rollcall.each('userHistory', { path, query: { limit: 1 } })) kinds.push(kind);
  expect(kinds).toEqual(['updated', 'created']);
});

test('events arrive as they happen, of the requested types, until the reader leaves', async () => {
  const { rows } = await service.database.pool.query(
    'SELECT coalesce(max(seq), 0)::integer AS last FROM changes',
  );
  const after: number = rows[0].last;
  const read = async <Type extends EventType>(count: number, options: FollowOptions<Type>) => {
    const told: RollcallEvent<Type>[] = [];
    for await (const event of followEvents(clientOf(), options)) if (told.push(event) === count) break;
    return told;
  };
  const following = read(3, { after });
  const user = await service.givenUser({ name: 'data: "é"\\ id: 9 😀' });
  await service.updateBulk([{ ...update(user), newEmployeeID: newId(), isActive: false }]);
  const told = await following;
  expect(told.map(({ sequence, type }) => [sequence - after, type])).toEqual([
    [1, 'user.created'],
    [2, 'user.renamed'],
    [3, 'call.completed'],
  ]);
  const [created] = told;
  if (created?.type !== 'user.created') throw new Error('of another type');
  expect(Object.keys(created)).toEqual(['sequence', 'type', 'timestamp', 'data']);
  expect(created.data).toMatchObject({ userSerial: user.serial, employeeID: user.employeeID, version: 1 });
  expect(created.data.fields.name).toEqual({ before: null, after: user.name });
  const types = ['user.deactivated', 'call.completed'] as const;
  expect((await read(2, { after, types })).map(({ type }) => type)).toEqual(types);
  expect(await errorOf(read(1, { after: 999_999_999 }))).toMatchObject({ name: 'REQUEST_PARAMETER_INVALID' });
});
