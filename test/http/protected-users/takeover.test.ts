import { beforeAll, describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { newAddress } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import {
  aClient,
  callsAs,
  givenHolder,
  giveRole,
  type Outsider,
  roleOf,
} from '../../support/protected-users.js';
import { newId, useService } from '../../support/service.js';
import { givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';

const service = useService();

/** All callers that may change users but not administer them. */
const attackers: [string, () => Promise<Outsider>][] = [
  ['a client with users:write', () => aClient(service)],
  ['an operator', async () => callsAs(service, (await givenSignedInUser(service, 'operator')).token)],
  [
    'a client with access:admin whose token lacks it',
    async () => callsAs(service, await service.tokenFor('users:read', 'users:write')),
  ],
];

const refusal = (fields: string) =>
  new RegExp(
    `[Tt]he user has a role, so you need the scope access:admin to change ${fields}\\. Ask an administrator to change it\\.$`,
  );

describe.each(attackers)('%s', (_, given) => {
  let attacker: Outsider;
  beforeAll(async () => {
    attacker = await given();
  });

  test('cannot change where the password goes or the username, by PATCH or in bulk', async () => {
    const [user, inactive, other] = [
      await givenHolder(service, 'administrator', { phone: '555' }),
      await givenHolder(service, 'operator', { isActive: false }),
      await service.givenUser(),
    ];
    const before = await service.readUser(user.serial);
    const patch = { email: newAddress(), username: newId('u') };
    const reply = await attacker.patch(user.serial, patch);
    expectFailure(reply, 403, 10111, 'USER_PROTECTED', refusal('"username" and "email"'));
    const items = [
      itemFor(user.employeeID, { username: newId('u') }),
      itemFor(inactive.employeeID, { isActive: true }),
      itemFor(other.employeeID, { username: newId('u'), phone: '555' }),
    ];
    const { successItems, failedItems } = (await attacker.bulk(items)).json.data;
    expect(failedItems.map(({ error }: { error: unknown }) => error)).toMatchObject(
      ['"username"', '"isActive"'].map((fields) => ({
        errorCode: 10111,
        message: 'USER_PROTECTED',
        detail: expect.stringMatching(refusal(fields)),
      })),
    );
    expect(successItems).toHaveLength(1);
    expect(await service.readUser(user.serial)).toEqual(before);
    expect(await service.readUser(inactive.serial)).toMatchObject({ isActive: false });
  });
});

describe('a client with users:write', () => {
  let attacker: Outsider;
  beforeAll(async () => {
    attacker = await aClient(service);
  });

  test('cannot change any protected field by PATCH', async () => {
    const user = await givenHolder(service, 'administrator', { phone: '555' });
    const before = await service.readUser(user.serial);
    const patches: [patch: object, fields: string][] = [
      [{ email: newAddress() }, '"email"'],
      [{ email: null }, '"email"'], // so that the phone becomes the contact
      [{ username: newId('u') }, '"username"'],
      [{ username: null }, '"username"'],
    ];
    for (const [patch, fields] of patches) {
      const reply = await attacker.patch(user.serial, patch);
      expectFailure(reply, 403, 10111, 'USER_PROTECTED', refusal(fields));
    }
    expect(await service.readUser(user.serial)).toEqual(before);
  });

  test('cannot change the phone of a protected user without an email address, nor add an address', async () => {
    const user = await givenHolder(service, 'viewer', { email: null, phone: '555' });
    const patch = (body: unknown) => attacker.patch(user.serial, body);
    expectFailure(await patch({ phone: '666' }), 403, 10111, 'USER_PROTECTED', refusal('"phone"'));
    expectFailure(await patch({ email: newAddress() }), 403, 10111, 'USER_PROTECTED', refusal('"email"'));
    const reply = await attacker.bulk([itemFor(user.employeeID, { phone: '666' })]);
    expect(reply.json.data.failedItems).toMatchObject([{ error: { errorCode: 10111 } }]);
    expect(await service.readUser(user.serial)).toMatchObject({ email: null, phone: '555' });
  });

  test('cannot reactivate a protected user', async () => {
    const user = await givenHolder(service, 'administrator', { isActive: false });
    const reply = await attacker.patch(user.serial, { isActive: true });
    expectFailure(reply, 403, 10111, 'USER_PROTECTED', refusal('"isActive"'));
  });

  test.each(['', '?mode=finalState', '?dryRun=true'])(
    'cannot change a username by update or an email by upsert %s',
    async (query) => {
      const [user, other] = [await givenHolder(service), await service.givenUser()];
      const send = async (way: 'bulk' | 'upsert', fields: () => object) => {
        const items = [user, other].map(({ employeeID }) => itemFor(employeeID, { ...fields() }));
        const { failedItems, successItems } = (await attacker[way](items, query)).json.data;
        expect(successItems).toHaveLength(1);
        return failedItems;
      };
      expect(await send('bulk', () => ({ username: newId('u') }))).toMatchObject([
        { error: { errorCode: 10111 } },
      ]);
      expect(await send('upsert', () => ({ email: newAddress() }))).toMatchObject([
        { position: 0, error: { errorCode: 10111, data: { fields: ['email'], scope: 'access:admin' } } },
      ]);
      const { email, username } = user;
      expect(await service.readUser(user.serial)).toMatchObject({ email, username });
    },
  );

  test('cannot undo a change if that would change the username of a protected user', async () => {
    const user = await service.givenUser({ username: newId('u') });
    const call = await attacker.bulk([itemFor(user.employeeID, { username: newId('u') })]);
    await giveRole(service, user.serial, 'administrator');
    const undone = await attacker.undo(call.headers.get('x-call-id') ?? '');
    expect(undone.json.data.failedItems).toMatchObject([
      { error: { errorCode: 10111, detail: expect.stringMatching(refusal('"username"')) } },
    ]);
  });

  test('can change other fields, and resend current values', async () => {
    const user = await givenHolder(service, 'administrator', { phone: '555' });
    const newEmployeeID = newId();
    const rest = { name: 'Ada King', phone: '666', tagSerials: ['T1'], organizationSerial: 'O1' };
    const same = { email: user.email, username: user.username, isActive: true };
    expect((await attacker.patch(user.serial, { ...rest, ...same })).status).toBe(200);
    const item = itemFor(user.employeeID, { newEmployeeID, username: user.username, phone: '777' });
    expect((await attacker.bulk([item])).json.data.successItems).toHaveLength(1);
    expect(await service.readUser(user.serial)).toMatchObject({ phone: '777', employeeID: newEmployeeID });
  });

  test('can deactivate a protected user, whatever else changes, and the role is removed', async () => {
    const [first, second] = [await givenHolder(service), await givenHolder(service)];
    expect((await attacker.patch(first.serial, { isActive: false, email: newAddress() })).status).toBe(200);
    const item = itemFor(second.employeeID, { isActive: false, username: '' });
    expect((await attacker.bulk([item])).json.data.successItems).toHaveLength(1);
    for (const { serial } of [first, second]) {
      expect(await roleOf(service, serial)).toMatchObject({ role: null, formerRole: 'administrator' });
    }
  });
});

test('an administrator and a client with access:admin may do all of this', async () => {
  const administrator = callsAs(service, (await givenSignedInUser(service, 'administrator')).token);
  const client = await aClient(service, ['users:write', 'access:admin']);
  for (const caller of [administrator, client]) {
    const user = await givenHolder(service, 'operator', { isActive: false });
    const patch = { email: newAddress(), username: newId('u'), isActive: true };
    expect((await caller.patch(user.serial, patch)).json.errorCode).toBeUndefined();
    const item = itemFor(user.employeeID, { username: newId('u') });
    expect((await caller.bulk([item])).json.data.successItems).toHaveLength(1);
    expect(await roleOf(service, user.serial)).toMatchObject({ role: 'operator' });
  }
});

test('data is validated first, so that every caller gets the same errors', async () => {
  const attacker = await aClient(service);
  const user = await givenHolder(service, 'administrator', { email: null, phone: '555' });
  const taken = await service.givenUser({ username: newId('u') });
  const codeOf = async (item: unknown) =>
    (await attacker.bulk([item])).json.data.failedItems[0].error.errorCode;
  const item = (fields: Record<string, unknown>) => itemFor(user.employeeID, fields);
  const [username, newEmployeeID] = [taken.username, taken.employeeID];
  expect(await codeOf(item({ newEmployeeID, username, phone: '' }))).toBe(10101);
  expect(await codeOf(item({ username, phone: '' }))).toBe(10103);
  expect(await codeOf(item({ username: newId('u'), phone: '' }))).toBe(10104);
  expect(await codeOf(item({ username: newId('u') }))).toBe(10111);
  const patch = async (body: unknown) => (await attacker.patch(user.serial, body)).json.errorCode;
  expect(await patch({ employeeID: newEmployeeID, username, phone: null })).toBe(10101);
  expect(await patch({ username, phone: null })).toBe(10103);
  expect(await patch({ username: newId('u'), phone: null })).toBe(10104);
  expect(await patch({ username })).toBe(10103);
  expect(await patch({ username: newId('u') })).toBe(10111);
});

test('items build on earlier ones: a user deactivated by one loses the role and can be changed', async () => {
  const attacker = await aClient(service);
  const user = await givenHolder(service);
  const item = (fields: Record<string, unknown>) => itemFor(user.employeeID, fields);
  const reply = await attacker.bulk([
    item({ username: newId('u') }),
    item({ isActive: false }),
    item({ isActive: true }),
    item({ username: newId('u') }),
  ]);
  expect(reply.json.data.failedItems.map(({ error }: { error: unknown }) => error)).toMatchObject([
    { errorCode: 10111, detail: expect.stringMatching(/^items\[0\]: the user has a role/) },
  ]);
  expect(reply.json.data.successItems).toHaveLength(3);
  expect(await service.readUser(user.serial)).toMatchObject({ isActive: true });
  expect(await roleOf(service, user.serial)).toMatchObject({ role: null, formerRole: 'administrator' });
});

describe('a former administrator whom someone else rehired', () => {
  const chosen = 'chosen by the attacker';

  /** Rehired with a password that the attacker knows and has replaced by another one. Returns a session. */
  async function takeOver(leaver: SignedInUser, fields: Record<string, unknown> = {}): Promise<string> {
    const attacker = await aClient(service);
    await attacker.patch(leaver.serial, { isActive: false });
    const { employeeID, username } = leaver;
    const given = { employeeID, username, name: 'Ada', isActive: true, password: 'given by the attacker' };
    const rehired = await attacker.post('/service/users?rehire=true', { ...given, ...fields });
    expect(rehired.status, rehired.text).toBe(200);
    const token = (await service.signIn(username, given.password)).json.data.accessToken;
    const passwords = { currentPassword: given.password, newPassword: chosen };
    const changed = await service.post('/service/auth/change-password', passwords, { token });
    expect(changed.status, changed.text).toBe(200);
    return token;
  }

  const deliveryOf = async ({ serial }: SignedInUser) =>
    (await service.get(`/service/deliveries?userSerial=${serial}`)).json.data.items.find(
      ({ kind }: { kind: string }) => kind === 'reset-password',
    );

  test('gets the role back with a new password, and the sessions end', async () => {
    const email = newAddress();
    const leaver = await givenSignedInUser(service, 'administrator', { email });
    const token = await takeOver(leaver, { email });
    await giveRole(service, leaver.serial, 'administrator');
    expect((await service.get('/service/clients', { token })).status).toBe(401);
    expect((await service.signIn(leaver.username, chosen)).status).toBe(401);
    expect(await deliveryOf(leaver)).toMatchObject({ state: 'waiting' });
  });

  test('gets it only after an administrator has checked an address that someone else set', async () => {
    const leaver = await givenSignedInUser(service, 'administrator', { email: newAddress() });
    await takeOver(leaver, { email: newAddress() });
    await giveRole(service, leaver.serial, 'administrator');
    expect(await deliveryOf(leaver)).toMatchObject({ state: 'held', heldReason: 'addressChanged' });
  });

  test('keeps the password once the administrator who gives the role has reset it', async () => {
    const leaver = await givenSignedInUser(service, 'administrator', { email: newAddress() });
    await takeOver(leaver, { email: newAddress() });
    await service.request('POST', `/service/users/${leaver.serial}/reset-password`);
    const { id } = await deliveryOf(leaver);
    await giveRole(service, leaver.serial, 'administrator');
    expect(await deliveryOf(leaver)).toMatchObject({ id, state: 'waiting' });
  });
});
