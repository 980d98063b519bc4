import { describe, expect, onTestFinished, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import {
  deliveriesOf,
  deliveryOf,
  newAddress,
  newPhone,
  noticesOf,
  noticesTo,
  patchUser,
  resend,
  untilSent,
  useSharedServiceWithMail,
} from '../../support/deliveries.js';
import { giveRole } from '../../support/protected-users.js';
import { aUser, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { strictSignIn } from '../../support/strict-sign-in.js';

const { service, mail } = useSharedServiceWithMail();
const silent = useService(strictSignIn);
/** A service that sends nothing. */
const idle = useService();

async function noticeTo(address: string) {
  await expect.poll(() => noticesTo(mail, address).length).toBe(1);
  return noticesTo(mail, address)[0]?.text ?? '';
}

describe('a change of the account notifies the previous address', () => {
  test('of a new email address', async () => {
    const [email, next] = [newAddress(), newAddress()];
    const { serial } = await service.givenUser({ email });
    await patchUser(service, serial, { email: next });
    const text = await noticeTo(email);
    expect(text).toContain('Your email address was changed.');
    expect(text).not.toMatch(/username was|password was|role was/);
    expect(text).not.toContain(next);
    expect(noticesTo(mail, next)).toEqual([]);
    await expect
      .poll(() => noticesOf(service, serial))
      .toMatchObject([{ kind: 'account-changed', channel: 'email' }]);
  });

  test('unless that mailbox does not exist: nobody has to do anything then', async () => {
    const { serial } = await service.givenUser({ email: newAddress() });
    await untilSent(service, serial);
    mail.behaviour = 'refuse-recipient';
    onTestFinished(() => {
      mail.behaviour = 'accept';
    });
    await patchUser(service, serial, { email: newAddress() });
    await expect
      .poll(() => noticesOf(service, serial))
      .toMatchObject([{ state: 'cancelled', lastError: 'The mail server refused the recipient (550).' }]);
  });

  test('of a first email address, by SMS', async () => {
    const { serial } = await service.givenUser({ email: null, phone: newPhone() });
    await patchUser(service, serial, { email: newAddress() });
    await expect.poll(async () => (await noticesOf(service, serial))[0]?.channel).toBe('sms');
  });

  test('of a new username, in bulk, a new role, and a new password', async () => {
    const [renamed, promoted, changed] = [newAddress(), newAddress(), newAddress()];
    const user = await service.givenUser({ email: renamed, username: newId('u') });
    await service.updateBulk([itemFor(user.employeeID, { username: newId('u') })], '?notify=true');
    const { serial } = await service.givenUser({ email: promoted });
    await giveRole(service, serial, 'viewer');
    await giveRole(service, serial, 'viewer');
    await givenSignedInUser(service, null, { email: changed });
    expect(await noticeTo(renamed)).toContain('Your username was changed.');
    expect(await noticeTo(promoted)).toContain('Your role was changed.');
    expect(await noticeTo(changed)).toContain('Your password was changed.');
  });

  test('of several changes in one message', async () => {
    const email = newAddress();
    const { serial } = await service.givenUser({ email, username: newId('u') });
    await patchUser(service, serial, { email: newAddress(), username: null });
    expect(await noticeTo(email)).toMatch(/email address was changed[\s\S]*username was changed/);
  });
});

describe('no notice is sent', () => {
  test('for a bulk call, or a change of one user, that does not ask for it', async () => {
    const user = await service.givenUser({ username: newId('u') });
    await service.updateBulk([itemFor(user.employeeID, { username: newId('u') })]);
    await service.upsertBulk([{ employeeID: user.employeeID, email: newAddress() }]);
    const quiet = `/service/users/${user.serial}?notify=false`;
    const patched = await service.request('PATCH', quiet, { body: { email: newAddress() } });
    expect(patched.status).toBe(200);
    expect(await noticesOf(service, user.serial)).toEqual([]);
  });

  test('for other changes or none', async () => {
    const user = await service.givenUser({ email: newAddress(), phone: newPhone() });
    await patchUser(service, user.serial, { name: 'Ada King', phone: newPhone(), email: user.email });
    await service.updateBulk([itemFor(user.employeeID, { phone: newPhone(), tagSerials: ['T1'] })]);
    await service.post(`/service/users/${user.serial}/reset-password`, undefined);
    expect(await noticesOf(service, user.serial)).toEqual([]);
  });

  test('to an inactive user who never had a password', async () => {
    const { serial } = await service.givenUser({ isActive: false, username: newId('u') });
    await patchUser(service, serial, { email: newAddress() });
    await giveRole(service, serial, 'viewer');
    await patchUser(service, serial, { isActive: true, username: newId('u') });
    expect(await noticesOf(service, serial)).toEqual([]);
  });

  test('if the operator has turned notices off', async () => {
    const user = await givenSignedInUser(silent, 'viewer');
    await patchUser(silent, user.serial, { email: newAddress(), username: newId('u') });
    expect(await noticesOf(silent, user.serial)).toEqual([]);
  });
});

describe('a notice', () => {
  test('is independent: it supersedes no password, and no password cancels it', async () => {
    const [email, next] = [newAddress(), newAddress()];
    const user = await service.givenUser({ email });
    const { id } = await untilSent(service, user.serial);
    await patchUser(service, user.serial, { email: next });
    const again = await resend(service, id);
    expect(again.status).toBe(200);
    await untilSent(service, user.serial);
    await service.post(`/service/users/${user.serial}/reset-password`, undefined);
    await noticeTo(email);
    expect((await deliveriesOf(service, user.serial)).map(({ kind }) => kind)).toEqual([
      'reset-password',
      'initial-password',
    ]);
  });

  test('can be resent with the same text to the same address', async () => {
    const email = newAddress();
    const { serial } = await service.givenUser({ email });
    await untilSent(service, serial);
    await patchUser(service, serial, { email: newAddress() });
    await noticeTo(email);
    await expect.poll(async () => (await noticesOf(service, serial))[0]?.state).toBe('sent');
    const [notice] = await noticesOf(service, serial);
    const before = await deliveryOf(service, serial);
    expect((await resend(service, notice?.id ?? '')).status).toBe(200);
    await expect.poll(() => noticesTo(mail, email).length).toBe(2);
    expect(await deliveryOf(service, serial), 'no new password').toEqual(before);
  });

  test('has a lower priority than passwords', async () => {
    const items = [aUser(), aUser()];
    const reply = await idle.post('/service/users/create-bulk', { items });
    const [{ response }] = reply.json.data.successItems;
    await giveRole(idle, response.serial, 'viewer');
    const { rows } = await idle.database.pool.query(
      'SELECT kind FROM deliveries WHERE user_serial = ANY ($1::uuid[]) ORDER BY priority',
      [reply.json.data.successItems.map((entry: typeof reply.json) => entry.response.serial)],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['initial-password', 'initial-password', 'account-changed']);
  });
});

test('a change with or after a deactivation is notified too', async () => {
  const [email, second] = [newAddress(), newAddress()];
  const { serial } = await givenSignedInUser(service, null, { email });
  await expect.poll(() => noticesTo(mail, email).length).toBe(1); // for the password that the user chose
  await patchUser(service, serial, { isActive: false, email: second });
  await expect.poll(() => noticesTo(mail, email).length).toBe(2);
  await patchUser(service, serial, { email: newAddress() });
  await expect.poll(() => noticesTo(mail, second).length).toBe(1);
});
