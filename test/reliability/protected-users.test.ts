import { describe, expect, test } from 'vitest';
import { deliverPassword } from '../../src/delivery/deliver-message.js';
import type { Message } from '../../src/delivery/message.js';
import { claimDeliveries } from '../../src/storage/delivery/delivery-claims.js';
import { itemFor } from '../support/bulk-items.js';
import { aRival, untilWaiting } from '../support/concurrent-transactions.js';
import { deliveryOf, newPhone } from '../support/deliveries.js';
import { aClient, givenHolder, giveRole, roleOf } from '../support/protected-users.js';
import { type GivenUser, newId, silentLogger, useOwnService } from '../support/service.js';
import { runUpdates, verdictsOf } from '../support/update-runs.js';

const service = useOwnService();
const by = { id: 'without access:admin', isAdmin: false };

/** The first has the lower serial, so it is locked first. */
async function two(overrides: Record<string, unknown>): Promise<[GivenUser, GivenUser]> {
  return [await service.givenUser(overrides), await service.givenUser(overrides)];
}

describe('a role assigned between read and write of a lock-free call', () => {
  test.each([
    ['the address', { email: null, phone: '111' }, { phone: '222' }],
    ['the status', { isActive: false }, { isActive: true }],
  ])('protects %s of its user', async (_, before, change) => {
    const [held, given] = await two(before);
    const rival = await aRival(service);
    await rival.hold(held.serial);
    const items = [held, given].map(({ employeeID }) => itemFor(employeeID, change));
    const running = runUpdates(service, items, { by });
    await untilWaiting(service, 1);
    // By the actual operation, because it has to make the call notice.
    await giveRole(service, given.serial, 'administrator');
    await rival.commit();
    expect(verdictsOf(await running)).toEqual([true, 'USER_PROTECTED']);
    expect(await service.readUser(held.serial)).toMatchObject(change);
    expect(await service.readUser(given.serial)).toMatchObject(before);
  });

  test('is removed by a deactivation, and recorded as the former role', async () => {
    const [held, given] = await two({});
    const rival = await aRival(service);
    await rival.hold(held.serial);
    const items = [held, given].map(({ employeeID }) => itemFor(employeeID, { isActive: false }));
    const running = runUpdates(service, items, { by });
    await untilWaiting(service, 1);
    await giveRole(service, given.serial, 'operator');
    await rival.commit();
    expect(verdictsOf(await running)).toEqual([true, true]);
    expect(await roleOf(service, given.serial)).toMatchObject({ role: null, formerRole: 'operator' });
  });
});

test('a concurrent takeover never changes a user who already has a role', async () => {
  const attacker = await aClient(service);
  for (let round = 0; round < 6; round++) {
    const user = await service.givenUser({ email: null, phone: '111', isActive: true });
    const [reply] = await Promise.all([
      round % 2 === 0
        ? attacker.patch(user.serial, { phone: '222' })
        : attacker.bulk([itemFor(user.employeeID, { phone: '222' })]),
      giveRole(service, user.serial, 'administrator'),
    ]);
    const history = (await service.get(`/service/users/${user.serial}/history`)).json.data.items;
    const [last, ...earlier] = history.map(({ fields }: { fields: object }) => Object.keys(fields).join());
    const isRefused = reply.json.errorCode === 10111 || reply.json.data?.failedItems?.length === 1;
    // Newest first: the phone was changed before the role was assigned, or not at all.
    expect(last).toBe('role');
    expect(earlier.includes('phone')).toBe(!isRefused);
  }
});

test('a password about to be sent is held if the address changes at that moment', async () => {
  const attacker = await aClient(service);
  const phone = newPhone();
  const { serial } = await service.givenUser({ email: null, phone, username: newId('u') });
  const { context } = service;
  const claimed = await claimDeliveries(service.database.pool, {
    ...{ keyIds: context.cipher.keyIds, count: 1_000, leaseMs: 60_000 },
  });
  const delivery = claimed.find(({ userSerial }) => userSerial === serial);
  if (!delivery) throw new Error('the delivery was not claimed');
  const sent: Message[] = [];
  const channels = {
    description: '',
    deliver: async (message: Message) => {
      sent.push(message);
      return 'sms' as const;
    },
    close: () => {},
  };
  // The password is hashed between reading the user and checking the claim.
  const hash = async (password: string) => {
    await attacker.patch(serial, { phone: newPhone() });
    return context.passwords.hash(password);
  };
  const passwords = Object.assign(Object.create(context.passwords), { hash });
  await deliverPassword({ ...context, passwords }, channels, 'initial-password', delivery, silentLogger);
  expect(sent).toEqual([]);
  expect(await deliveryOf(service, serial)).toMatchObject({ state: 'held', heldReason: 'addressChanged' });
});

test('two concurrent deactivations of administrators leave one with the role', async () => {
  await service.database.pool.query('DELETE FROM roles');
  const administrators = [await givenHolder(service), await givenHolder(service)];
  const attacker = await aClient(service);
  const replies = await Promise.all(
    administrators.map(({ serial }) => attacker.patch(serial, { isActive: false })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const roles = await Promise.all(administrators.map(({ serial }) => roleOf(service, serial)));
  expect(roles.map((each) => (each as { role: unknown }).role).sort()).toEqual(['administrator', null]);
});
