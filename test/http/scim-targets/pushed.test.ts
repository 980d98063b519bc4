import { describe, expect, test } from 'vitest';
import { erased } from '../../support/erasure.js';
import type { ScimReceiver } from '../../support/scim-receiver.js';
import { givenTarget, keepsLookingForTargets, targetNow } from '../../support/scim-targets.js';
import { anItem, aUser, type GivenUser, newId, useService } from '../../support/service.js';
import { eagerEvents } from '../../support/webhooks.js';

const service = useService(eagerEvents);
keepsLookingForTargets(service);

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const update = (user: { employeeID: string; name: string }, change: Record<string, unknown>) =>
  service.updateBulk([anItem(user, change)]);

describe('a new target', () => {
  test('gets the selected users, with our serial as their external ID', async () => {
    const { receiver, target, tag } = await givenTarget(service);
    const manager = await service.givenUser({ tagSerials: [tag] });
    const user = await service.givenUser({
      name: 'Ada King Lovelace',
      username: newId('ada'),
      tagSerials: [tag, newId('X')],
      organizationSerial: 'ORG7',
      managerEmployeeID: manager.employeeID,
    });
    const other = await service.givenUser();
    await expect.poll(() => receiver.user(user.serial)?.[enterprise]?.manager).toBeDefined();
    const there = receiver.user(user.serial);
    expect(there).toMatchObject({
      externalId: user.serial,
      displayName: 'Ada King Lovelace',
      name: { givenName: 'Ada King', familyName: 'Lovelace' },
      active: true,
      emails: [{ value: user.email, type: 'work', primary: true }],
      [enterprise]: {
        employeeNumber: user.employeeID,
        organization: 'ORG7',
        manager: { value: receiver.user(manager.serial)?.id },
      },
    });
    expect(receiver.user(other.serial)).toBeUndefined();
    await expect
      .poll(() => targetNow(service, target))
      .toMatchObject({ isSyncing: false, users: 2, queued: 0, failed: 0, lastError: null });
    expect(JSON.stringify(await targetNow(service, target))).not.toContain('a-token');
  });

  test('gets users who were there before it, page by page', async () => {
    const tag = newId('T');
    await service.createBulk(Array.from({ length: 40 }, () => aUser({ tagSerials: [tag] })));
    const { receiver } = await givenTarget(service, { tagSerials: [tag] });
    await expect.poll(() => receiver.store.users.size).toBe(40);
    expect(receiver.most).toBeLessThanOrEqual(4);
  });

  test('keeps users whom it knows, by external ID or else by user name', async () => {
    const tag = newId('T');
    const [one, two] = [newId('one'), newId('two')];
    const first = await service.givenUser({ username: one, tagSerials: [tag] });
    const second = await service.givenUser({ username: two, tagSerials: [tag] });
    const { receiver, target } = await givenTarget(service, { tagSerials: [newId('none')] });
    receiver.store.users.set('r1', { id: 'r1', userName: 'earlier', externalId: first.serial });
    receiver.store.users.set('r2', { id: 'r2', userName: two });
    await service.request('PATCH', target.path, { body: { tagSerials: [tag] } });
    await expect.poll(() => receiver.user(second.serial)?.id).toBe('r2');
    await expect.poll(() => receiver.store.users.get('r1')?.userName).toBe(one);
    expect(receiver.store.users.size).toBe(2);
  });

  test('gets no sensitive attributes unless it may', async () => {
    const tag = newId('T');
    await service.post('/service/attributes', { key: 'costCenter', type: 'text', isSensitive: true });
    const user = await service.givenUser({ tagSerials: [tag], attributes: { costCenter: 'secret-4711' } });
    const closed = await givenTarget(service, { tagSerials: [tag] });
    const open = await givenTarget(service, { tagSerials: [tag], sendsSensitive: true });
    await expect.poll(() => open.receiver.user(user.serial)?.[enterprise]?.costCenter).toBe('secret-4711');
    await expect.poll(() => closed.receiver.user(user.serial)).toBeDefined();
    expect(JSON.stringify(closed.receiver.requests)).not.toContain('secret-4711');
  });
});

describe('a change', () => {
  test('is pushed: other names, other addresses, and a deactivation', async () => {
    const { receiver, tag } = await givenTarget(service);
    const user = await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.user(user.serial)).toBeDefined();
    const id = receiver.user(user.serial)?.id;
    const newEmployeeID = newId();
    await update(user, { newEmployeeID, name: 'Someone Else' });
    await expect.poll(() => receiver.user(user.serial)?.displayName).toBe('Someone Else');
    expect(receiver.user(user.serial)).toMatchObject({
      ...{ id, active: true },
      [enterprise]: { employeeNumber: newEmployeeID },
    });
    await update({ employeeID: newEmployeeID, name: 'Someone Else' }, { isActive: false });
    await expect.poll(() => receiver.user(user.serial)?.active).toBe(false);
    await update({ employeeID: newEmployeeID, name: 'Back Again' }, { isActive: true });
    await expect
      .poll(() => receiver.user(user.serial))
      .toMatchObject({ id, active: true, displayName: 'Back Again' });
  });

  test('ends with the newest state, however many there are', async () => {
    const { receiver, tag } = await givenTarget(service);
    const user = await service.givenUser({ tagSerials: [tag] });
    for (let number = 1; number <= 12; number++) await update(user, { name: `Name ${number}` });
    await expect.poll(() => receiver.user(user.serial)?.displayName).toBe('Name 12');
    const sent = receiver.requests.flatMap(({ json }) => json?.displayName ?? []);
    const numbers = sent.map((name: string) => Number(name.replace(/\D/g, '')));
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b));
  });

  test('deletes there, if the target says so, whoever is deactivated or no longer selected', async () => {
    const { receiver, target, tag } = await givenTarget(service, { onDeactivate: 'delete' });
    const users = [
      await service.givenUser({ tagSerials: [tag] }),
      await service.givenUser({ tagSerials: [tag] }),
    ];
    await expect.poll(() => receiver.store.users.size).toBe(2);
    await update(users[0] as (typeof users)[0], { isActive: false });
    await update(users[1] as (typeof users)[0], { tagSerials: ['other'] });
    await expect.poll(() => receiver.store.users.size).toBe(0);
    await expect.poll(() => targetNow(service, target)).toMatchObject({ users: 0, queued: 0 });
    await update(users[0] as (typeof users)[0], { isActive: true });
    await expect.poll(() => receiver.store.users.size).toBe(1);
  });

  test('of an erased user deletes the user there, and leaves nothing here', async () => {
    const { receiver, target, tag } = await givenTarget(service);
    const user = await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.user(user.serial)).toBeDefined();
    await service.request('PATCH', target.path, { body: { isPaused: true } });
    await erased(service, user.serial);
    await service.request('PATCH', target.path, { body: { isPaused: false } });
    await expect.poll(() => receiver.store.users.size).toBe(0);
    await expect
      .poll(async () => {
        const found = await service.database.pool.query(
          'SELECT FROM scim_target_users WHERE target_id = $1',
          [target.id],
        );
        return found.rowCount;
      })
      .toBe(0);
  });
});

describe('user names', () => {
  const nameAt = (receiver: ScimReceiver, { serial }: { serial: string }) => receiver.user(serial)?.userName;

  test('that users swap are swapped there', async () => {
    const { receiver, target, tag } = await givenTarget(service);
    const [one, two] = [newId('one'), newId('two')];
    const first = await service.givenUser({ username: one, tagSerials: [tag] });
    const second = await service.givenUser({ username: two, tagSerials: [tag] });
    await expect.poll(() => receiver.store.users.size).toBe(2);
    await service.request('PATCH', target.path, { body: { isPaused: true } });
    for (const [user, username] of [
      [first, newId('between')],
      [second, one],
      [first, two],
    ] as const) {
      await update(user, { username });
    }
    await service.request('PATCH', target.path, { body: { isPaused: false } });
    await expect.poll(() => [nameAt(receiver, first), nameAt(receiver, second)]).toEqual([two, one]);
    await expect.poll(() => targetNow(service, target)).toMatchObject({ queued: 0, failed: 0 });
    expect(receiver.store.users.size).toBe(2);
  });

  test('that inactive users there have kept go to the user who has them now', async () => {
    const { receiver, target, tag } = await givenTarget(service);
    const name = newId('reused');
    const leaver = await service.givenUser({ username: name, tagSerials: [tag] });
    await expect.poll(() => nameAt(receiver, leaver)).toBe(name);
    await update(leaver, { isActive: false });
    await expect.poll(() => receiver.user(leaver.serial)?.active).toBe(false);
    await update(leaver, { isActive: false, username: newId('former') });
    const joiner = await service.givenUser({ username: newId('new'), tagSerials: [tag] });
    await update(joiner, { username: name });
    await expect.poll(() => nameAt(receiver, joiner)).toBe(name);
    await expect.poll(() => targetNow(service, target)).toMatchObject({ queued: 0, failed: 0 });
    expect(receiver.user(leaver.serial)).toMatchObject({ active: false });
    expect(nameAt(receiver, leaver)).toMatch(/^former/i);
  });
});

describe('groups', () => {
  test('follow the tags of users, and their display names', async () => {
    const { receiver, target, tag } = await givenTarget(service, { sendsGroups: true });
    const [red, blue] = [newId('red'), newId('blue')];
    await service.request('PUT', `/service/tags/${red}`, { body: { displayName: 'The reds' } });
    const one = await service.givenUser({ tagSerials: [tag, red] });
    const two = await service.givenUser({ tagSerials: [tag, red, blue] });
    const idOf = ({ serial }: { serial: string }) => receiver.user(serial)?.id;
    await expect.poll(() => receiver.members('The reds')?.length).toBe(2);
    await expect.poll(() => receiver.members(blue)).toEqual([idOf(two)]);
    await update(one, { tagSerials: [tag, blue] });
    await expect.poll(() => receiver.members('The reds')).toEqual([idOf(two)]);
    await expect.poll(() => receiver.members(blue)).toEqual([idOf(one), idOf(two)].toSorted());
    await service.request('PUT', `/service/tags/${red}`, { body: { displayName: 'Crimson' } });
    await expect.poll(() => receiver.members('Crimson')).toEqual([idOf(two)]);
    await expect.poll(() => targetNow(service, target)).toMatchObject({ groups: 3, queued: 0, failed: 0 });
  });

  test('are made again if somebody deletes them there', async () => {
    const { receiver, tag } = await givenTarget(service, { sendsGroups: true });
    await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.members(tag)?.length).toBe(1);
    receiver.store.groups.clear();
    await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.members(tag)?.length).toBe(2);
  });
});

describe('a comparison', () => {
  test('finds groups that are missing or have another name or other members, and a repair mends them', async () => {
    const { receiver, target, tag } = await givenTarget(service, { sendsGroups: true });
    const [red, blue] = [newId('red'), newId('blue')];
    const one = await service.givenUser({ tagSerials: [tag, red] });
    const two = await service.givenUser({ tagSerials: [tag, blue] });
    const idOf = ({ serial }: { serial: string }) => receiver.user(serial)?.id;
    await expect.poll(() => receiver.members(tag)?.length).toBe(2);
    await expect
      .poll(() => targetNow(service, target))
      .toMatchObject({ groups: 3, queued: 0, isSyncing: false });
    const group = (name: string) =>
      [...receiver.store.groups.values()].find(({ displayName }) => displayName === name) as { id: string };
    const [all, reds, blues] = [group(tag), group(red), group(blue)];
    receiver.store.groups.set(all.id, { ...all, members: [{ value: 'stranger' }, { value: idOf(one) }] });
    receiver.store.groups.set(reds.id, { ...reds, members: [{ value: idOf(one) }, { value: idOf(two) }] });
    receiver.store.groups.delete(blues.id);
    await service.request('POST', `${target.path}/compare`);
    await expect.poll(async () => (await targetNow(service, target)).comparison.endedAt).not.toBeNull();
    expect((await targetNow(service, target)).comparison).toMatchObject({
      ...{ compared: 2, groupsCompared: 3, missing: 1, different: 2, error: null },
    });
    const { items } = (await service.get(`${target.path}/differences`)).json.data;
    expect(items).toHaveLength(3);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'missing', tagSerial: blue, userSerial: null }),
        expect.objectContaining({ kind: 'different', tagSerial: red, fields: ['members'] }),
        expect.objectContaining({ kind: 'different', tagSerial: tag, fields: ['members'] }),
      ]),
    );
    await service.request('POST', `${target.path}/repair`);
    await expect.poll(() => receiver.members(blue)).toEqual([idOf(two)]);
    await expect.poll(() => receiver.members(red)).toEqual([idOf(one)]);
    await expect.poll(() => receiver.members(tag)).toEqual([idOf(one), idOf(two), 'stranger'].toSorted());
    await expect.poll(() => targetNow(service, target)).toMatchObject({ queued: 0, failed: 0 });
  });

  test('counts who is missing, extra and different, and a repair pushes them again', async () => {
    const tag = newId('T');
    const users: GivenUser[] = [];
    for (let count = 0; count < 3; count++) users.push(await service.givenUser({ tagSerials: [tag] }));
    const { receiver, target } = await givenTarget(service, { tagSerials: [tag] });
    await expect
      .poll(() => targetNow(service, target))
      .toMatchObject({ users: 3, queued: 0, isSyncing: false });
    const [same, changed, gone] = users.map(({ serial }) => receiver.user(serial));
    receiver.store.users.set(changed?.id, { ...changed, displayName: 'Mallory', title: 'CEO' });
    receiver.store.users.delete(gone?.id);
    receiver.store.users.set('stranger', { id: 'stranger', userName: 'stranger', active: true });
    expect((await service.request('POST', `${target.path}/compare`)).status).toBe(200);
    await expect
      .poll(() => targetNow(service, target))
      .toMatchObject({
        comparison: { compared: 3, total: 3, missing: 1, extra: 1, different: 1, error: null },
      });
    await expect.poll(async () => (await targetNow(service, target)).comparison.endedAt).not.toBeNull();
    const { items } = (await service.get(`${target.path}/differences`)).json.data;
    expect(items).toHaveLength(3);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'missing', userSerial: users[2]?.serial }),
        expect.objectContaining({ kind: 'extra', userSerial: null, remoteId: 'stranger' }),
        expect.objectContaining({ kind: 'different', userSerial: users[1]?.serial, fields: ['displayName'] }),
      ]),
    );
    expect((await service.request('POST', `${target.path}/repair`)).status).toBe(200);
    await expect.poll(() => receiver.user(users[2]?.serial ?? '')).toBeDefined();
    await expect.poll(() => receiver.user(users[1]?.serial ?? '')?.displayName).toBe(changed?.displayName);
    expect(receiver.user(users[0]?.serial ?? '')?.id).toBe(same?.id);
    expect(receiver.store.users.has('stranger')).toBe(true);
  });
});
