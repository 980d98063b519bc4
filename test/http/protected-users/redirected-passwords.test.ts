import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { callIdOf } from '../../support/calls.js';
import {
  deliveryOf,
  mailsTo,
  mailTo,
  newAddress,
  newPhone,
  passwordIn,
  patchUser,
  release,
  resend,
  untilSent,
  useSharedServiceWithMail,
} from '../../support/deliveries.js';
import { aClient, giveRole, type Outsider } from '../../support/protected-users.js';
import { aUser, type GivenUser, newId } from '../../support/service.js';

const { service, mail } = useSharedServiceWithMail();

/** A user whose initial password is dormant until activation. */
function givenWaiting(overrides: Record<string, unknown> = {}): Promise<GivenUser> {
  return service.givenUser({ email: newAddress(), username: newId('u'), isActive: false, ...overrides });
}

async function untilLaterOneIsSent(): Promise<void> {
  await untilSent(service, (await service.givenUser({ email: newAddress() })).serial);
}

/** A held message is not sent: the state is set together with the change. */
async function expectHeld(serial: string): Promise<void> {
  expect(await deliveryOf(service, serial)).toMatchObject({ state: 'held', heldReason: 'addressChanged' });
}

describe('a pending password is not sent to an address that another caller has set', () => {
  const ways: [string, (attacker: Outsider, serial: string, email: string) => Promise<unknown>][] = [
    [
      'before activating the user',
      async (attacker, serial, email) => {
        await attacker.patch(serial, { email });
        await attacker.patch(serial, { isActive: true });
      },
    ],
    [
      'together with the activation',
      (attacker, serial, email) => attacker.patch(serial, { email, isActive: true }),
    ],
    [
      'on a user who only had a phone',
      async (attacker, serial, email) => {
        await patchUser(service, serial, { email: null, phone: newPhone() });
        await attacker.patch(serial, { email, isActive: true });
      },
    ],
  ];
  test.each(ways)('%s', async (_, redirect) => {
    const user = await givenWaiting();
    const email = newAddress();
    await redirect(await aClient(service), user.serial, email);
    expect(await service.readUser(user.serial)).toMatchObject({ email, isActive: true });
    await expectHeld(user.serial);
    expect(mailsTo(mail, email)).toEqual([]);
  });

  test('nor to a phone changed in bulk, even if a later item or an undo restores it', async () => {
    const [phone, attacker] = [newPhone(), await aClient(service)];
    const given = () => givenWaiting({ email: null, phone });
    const [moved, back, undone] = [await given(), await given(), await given()];
    const item = ({ employeeID }: GivenUser, fields: object) =>
      itemFor(employeeID, { phone: newPhone(), ...fields });
    const reply = await attacker.bulk([
      item(moved, { isActive: true }),
      item(back, { isActive: false }),
      item(back, { phone, isActive: true }),
    ]);
    expect(reply.json.data.successItems).toHaveLength(3);
    for (const { serial } of [moved, back]) await expectHeld(serial);
    const call = await attacker.bulk([item(undone, { isActive: false })]);
    await service.post(`/service/users/${undone.serial}/reset-password`, undefined);
    expect(await deliveryOf(service, undone.serial)).toMatchObject({
      kind: 'reset-password',
      state: 'dormant',
    });
    expect((await attacker.undo(callIdOf(call))).json.data.successItems).toHaveLength(1);
    await expectHeld(undone.serial);
  });

  test('until the call that changed it is undone, if nothing else has', async () => {
    const hr = await aClient(service);
    const given = () => givenWaiting({ email: null, phone: newPhone() });
    const [alone, twice] = [await given(), await given()];
    await hr.patch(twice.serial, { phone: newPhone() });
    const moved = ({ employeeID }: GivenUser) => itemFor(employeeID, { phone: newPhone(), isActive: true });
    const call = callIdOf(await hr.bulk([moved(alone), moved(twice)]));
    for (const { serial } of [alone, twice]) await expectHeld(serial);
    expect((await hr.undo(call)).json.data.successItems).toHaveLength(2);
    expect(await deliveryOf(service, alone.serial)).toMatchObject({ state: 'dormant', heldReason: null });
    await expectHeld(twice.serial);
  });

  test('nor is one of a reset, or one that failed', async () => {
    const user = await givenWaiting();
    const creator = await aClient(service);
    const own = await creator.create(aUser({ email: newAddress(), isActive: false }));
    for (const serial of [user.serial, String(own.json.data.serial)]) {
      await service.post(`/service/users/${serial}/reset-password`, undefined);
      await creator.patch(serial, { email: newAddress() });
      await expectHeld(serial);
    }
    const failed = await givenWaiting();
    const { id } = await deliveryOf(service, failed.serial);
    await service.database.pool.query(`UPDATE deliveries SET state = 'parked' WHERE id = $1`, [id]);
    await creator.patch(failed.serial, { email: newAddress() });
    await expectHeld(failed.serial);
  });

  test('nor is one from before requesters were recorded', async () => {
    const creator = await aClient(service);
    const { serial } = (await creator.create(aUser({ email: newAddress(), isActive: false }))).json.data;
    await service.database.pool.query(
      'UPDATE deliveries SET actor_kind = NULL, actor_id = NULL WHERE user_serial = $1',
      [serial],
    );
    await creator.patch(serial, { email: newAddress() });
    await expectHeld(serial);
  });
});

test('the creator of a user or an administrator may correct the address, and the password is sent there', async () => {
  const hr = await aClient(service);
  const given = async () =>
    (await hr.create(aUser({ email: newAddress(), isActive: false }))).json.data.serial;
  const [byCreator, byAdministrator] = [newAddress(), newAddress()];
  await hr.patch(await given(), { email: byCreator, isActive: true });
  await patchUser(service, await given(), { email: byAdministrator, isActive: true });
  for (const email of [byCreator, byAdministrator]) passwordIn(await mailTo(mail, email));
});

test('other changes hold no message', async () => {
  const email = newAddress();
  const user = await givenWaiting({ email });
  const attacker = await aClient(service);
  await attacker.patch(user.serial, { name: 'Ada King', phone: newPhone(), email, username: newId('u') });
  await attacker.patch(user.serial, { isActive: true });
  passwordIn(await mailTo(mail, email));
});

describe('a message held because the address changed', () => {
  async function givenRedirected() {
    const attacker = await aClient(service);
    const user = await givenWaiting();
    const email = newAddress();
    await attacker.patch(user.serial, { email, isActive: true });
    const { id, requestId } = await deliveryOf(service, user.serial);
    return { attacker, email, id, requestId, serial: user.serial };
  }

  test('is released only by its ID, not with all others or with its request', async () => {
    const { id, requestId, email, serial } = await givenRedirected();
    await release(service, { requestId });
    await release(service, { all: true });
    await untilLaterOneIsSent();
    await expectHeld(serial);
    expect(mailsTo(mail, email)).toEqual([]);
    expect((await release(service, { ids: [id] })).json.data.released).toBe(1);
    passwordIn(await mailTo(mail, email));
  });

  test('is sent by a resend', async () => {
    const { id, email } = await givenRedirected();
    expect((await resend(service, id)).json.data).toMatchObject({ state: 'waiting', heldReason: null });
    passwordIn(await mailTo(mail, email));
  });

  test('cannot be released by the attacker', async () => {
    const { attacker, id, email, serial } = await givenRedirected();
    for (const reply of [
      await attacker.post('/service/deliveries/release', { ids: [id] }),
      await attacker.post(`/service/deliveries/${id}/resend`),
      await attacker.post(`/service/users/${serial}/reset-password`),
    ]) {
      expect(reply.json).toMatchObject({ errorCode: 10203 });
    }
    await attacker.patch(serial, { isActive: false });
    await attacker.patch(serial, { isActive: true });
    await expectHeld(serial);
    expect(mailsTo(mail, email)).toEqual([]);
  });

  test('is told apart from a message held by a bulk create', async () => {
    const hr = await aClient(service);
    const requestId = newId('request');
    const items = [aUser({ email: newAddress() }), aUser({ email: newAddress() })];
    const headers = { 'x-request-id': requestId };
    const held = await service.post('/service/users/create-bulk?deliver=hold', { items }, { headers });
    const [first, second] = held.json.data.successItems.map(
      (entry: { response: { serial: string } }) => entry.response.serial,
    );
    await hr.patch(first, { email: newAddress() });
    expect(await deliveryOf(service, first)).toMatchObject({ state: 'held', heldReason: 'addressChanged' });
    expect(await deliveryOf(service, second)).toMatchObject({ state: 'held', heldReason: 'requested' });
    expect((await release(service, { requestId })).json.data.released).toBe(1);
  });
});

test('an administrator who never signed in cannot be taken over by email', async () => {
  const email = newAddress();
  const user = await givenWaiting({ email });
  await giveRole(service, user.serial, 'administrator');
  const attacker = await aClient(service);
  const own = newAddress();
  for (const patch of [{ email: own }, { isActive: true }, { email: own, isActive: true }]) {
    expect((await attacker.patch(user.serial, patch)).json).toMatchObject({ errorCode: 10111 });
  }
  // A deactivation removes the role, and with it the access of the account, and the password is not sent again.
  await patchUser(service, user.serial, { isActive: true });
  await untilSent(service, user.serial);
  await service.post(`/service/users/${user.serial}/reset-password`, undefined);
  await untilSent(service, user.serial);
  await attacker.patch(user.serial, { isActive: false });
  expect((await attacker.patch(user.serial, { email: own, isActive: true })).status).toBe(200);
  await untilLaterOneIsSent();
  expect(mailsTo(mail, own)).toEqual([]);
  expect(mailsTo(mail, email)).toHaveLength(2);
});

test('creating an existing user again does not send the password of that user', async () => {
  const user = await givenWaiting();
  const attacker = await aClient(service);
  const again = aUser({ employeeID: user.employeeID, email: newAddress() });
  expect((await attacker.create(again)).json).toMatchObject({ errorCode: 10101 });
  const bulk = await attacker.post('/service/users/create-bulk', { items: [again] });
  expect(bulk.json.data.failedItems).toMatchObject([{ error: { errorCode: 10101 } }]);
  expect(await deliveryOf(service, user.serial)).toMatchObject({ state: 'dormant' });
});

test('undoing and redoing a create does not make the caller the requester of the password', async () => {
  const created = await service.post('/service/users/create-bulk?deliver=hold', {
    items: [aUser({ email: newAddress() })],
  });
  const serial: string = created.json.data.successItems[0].response.serial;
  const attacker = await aClient(service);
  const undone = await attacker.undo(callIdOf(created));
  expect(undone.json.data.successItems).toHaveLength(1);
  const redone = await attacker.undo(callIdOf(undone));
  expect(redone.json.data.successItems).toHaveLength(1);
  expect(await deliveryOf(service, serial)).toMatchObject({ state: 'held' });
  const own = newAddress();
  await attacker.patch(serial, { email: own });
  await expectHeld(serial);
  expect(mailsTo(mail, own)).toEqual([]);
});

test('undoing a create does not delete a user who once had a role', async () => {
  const created = await service.createBulk([aUser({ email: newAddress(), username: newId('u') })]);
  const serial: string = created.json.data.successItems[0].response.serial;
  await giveRole(service, serial, 'operator');
  const attacker = await aClient(service);
  await attacker.patch(serial, { isActive: false });
  await attacker.patch(serial, { isActive: true });
  const undone = await attacker.undo(callIdOf(created));
  expect(undone.json.data.failedItems).toMatchObject([{ error: { errorCode: 10110 } }]);
});

describe('a role given to a user with an initial password', () => {
  const known = 'known-to-whoever-created-them';

  test('requested by another actor replaces the password and invalidates the old one', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const hr = await aClient(service);
    const created = await hr.create(aUser({ email, username, password: known }));
    const { serial } = created.json.data;
    await untilSent(service, serial);
    const { accessToken } = (await service.signIn(username, known)).json.data;
    await giveRole(service, serial, 'administrator');
    expect((await service.signIn(username, known)).status).toBe(401);
    expect((await service.get('/service/auth/me', { token: accessToken })).status).toBe(401);
    await expect.poll(() => mailsTo(mail, email).length).toBeGreaterThan(1);
  });

  test('requested by the same actor keeps the password', async () => {
    const username = newId('u');
    const user = await service.givenUser({ email: newAddress(), username, password: known });
    await giveRole(service, user.serial, 'viewer');
    expect((await service.signIn(username, known)).status).toBe(200);
  });
});
