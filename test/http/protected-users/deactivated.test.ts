import { expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { callIdOf } from '../../support/calls.js';
import { aClient, givenHolder, giveRole, roleOf } from '../../support/protected-users.js';
import { type GivenUser, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

type Deactivate = (user: GivenUser) => Promise<unknown>;
const item = ({ employeeID }: GivenUser, fields: Record<string, unknown>) => itemFor(employeeID, fields);

/** Undoes a call that activated the user, after the user got a role. */
async function undoOfActivation(user: GivenUser): Promise<unknown> {
  await service.request('PATCH', `/service/users/${user.serial}`, { body: { isActive: false } });
  const call = await service.updateBulk([item(user, {})]);
  await giveRole(service, user.serial, 'operator');
  return (await aClient(service)).undo(callIdOf(call));
}

const ways: [string, Deactivate][] = [
  ['PATCH', async ({ serial }) => (await aClient(service)).patch(serial, { isActive: false })],
  ['update-bulk', async (user) => (await aClient(service)).bulk([item(user, { isActive: false })])],
  [
    'update-bulk under locks',
    async (user) => (await aClient(service)).bulk([item(user, { isActive: false, newEmployeeID: newId() })]),
  ],
  [
    'update-bulk with mode=finalState',
    async (user) => (await aClient(service)).bulk([item(user, { isActive: false })], '?mode=finalState'),
  ],
  ['an undo', undoOfActivation],
];

test.each(ways)('a deactivation by %s removes the role and records that', async (_, deactivate) => {
  const user = await givenHolder(service, 'operator');
  await deactivate(user);
  expect(await service.readUser(user.serial)).toMatchObject({ isActive: false });
  expect(await roleOf(service, user.serial)).toEqual({
    serial: user.serial,
    role: null,
    formerRole: 'operator',
  });
  const [change] = (await service.get(`/service/users/${user.serial}/history`)).json.data.items;
  expect(change.fields).toMatchObject({
    isActive: { before: true, after: false },
    role: { before: 'operator', after: null },
  });
  const events = await service.get(`/service/access-events?userSerial=${user.serial}&kind=role.changed`);
  expect(events.json.data.items[0]).toMatchObject({
    userSerial: user.serial,
    actor: change.actor,
    requestId: change.requestId,
    address: '127.0.0.1',
    detail: { before: 'operator', after: null, cause: 'deactivated' },
  });
});

test('a deactivated administrator who is reactivated by an undo has no role', async () => {
  const attacker = await aClient(service);
  const user = await givenSignedInUser(service, 'administrator');
  const call = await attacker.bulk([itemFor(user.employeeID, { isActive: false })]);
  expect((await attacker.undo(callIdOf(call))).json.data.successItems).toMatchObject([
    { effect: { fields: { isActive: { before: false, after: true } } } },
  ]);
  const signedIn = await service.signIn(user.username, user.password);
  expect(signedIn.json.data).toMatchObject({ role: null, scopes: [] });
  expect(await roleOf(service, user.serial)).toMatchObject({ role: null, formerRole: 'administrator' });
});

test('the effect of an item includes the role, also in a dry run', async () => {
  const user = await givenHolder(service, 'viewer');
  const attacker = await aClient(service, ['users:read', 'users:write']);
  for (const query of ['?dryRun=true', '?effects=true']) {
    const reply = await attacker.bulk([item(user, { isActive: false })], query);
    expect(reply.json.data.successItems[0].effect.fields).toMatchObject({
      role: { before: 'viewer', after: null },
    });
  }
});

test('a newly assigned role clears the former one', async () => {
  const user = await givenHolder(service, 'operator');
  const body = { isActive: false };
  await service.request('PATCH', `/service/users/${user.serial}`, { body });
  await giveRole(service, user.serial, 'viewer');
  expect(await roleOf(service, user.serial)).toMatchObject({ role: 'viewer', formerRole: null });
  await giveRole(service, user.serial, null);
  expect(await roleOf(service, user.serial), 'which an administrator took').toMatchObject({
    role: null,
    formerRole: null,
  });
});
