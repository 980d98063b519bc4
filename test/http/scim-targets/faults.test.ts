import { describe, expect, test } from 'vitest';
import { noticesAbout } from '../../support/notices.js';
import { givenHolder } from '../../support/protected-users.js';
import type { Fault, ScimRequest } from '../../support/scim-receiver.js';
import { givenTarget, keepsLookingForTargets, targetNow } from '../../support/scim-targets.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';
import { eagerEvents } from '../../support/webhooks.js';

const service = useService({ ...eagerEvents, ROLLCALL_WEBHOOK_TIMEOUT_MS: '500' });
keepsLookingForTargets(service);

const isCreate = ({ method }: ScimRequest) => method === 'POST';

describe('a target that fails as a whole is left alone for a while, and then goes on', () => {
  test.each<[string, Fault, string, number | null]>([
    ['breaks connections', 'drop', 'unreachable', null],
    ['knows another token', 401, 'unauthorized', 401],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'redirected', 302],
    ['wants a pause', { status: 429, headers: { 'retry-after': '0' } }, 'rateLimited', 429],
    ['fails', 500, 'serverError', 500],
    ['does not answer', 'hang', 'timedOut', null],
    ['answers garbage', { status: 200, body: '<html>' }, 'invalidResponse', 200],
    ['answers megabytes', { status: 200, body: Buffer.alloc(5 * 1024 * 1024, '[') }, 'responseTooLarge', 200],
  ])('if it %s', async (_, fault, error, status) => {
    const tag = newId('T');
    await service.createBulk(Array.from({ length: 6 }, () => aUser({ tagSerials: [tag] })));
    const { receiver, target } = await givenTarget(service, { tagSerials: [newId('none')] });
    receiver.fault = () => fault;
    await service.request('PATCH', target.path, { body: { tagSerials: [tag] } });
    await expect
      .poll(() => targetNow(service, target))
      .toMatchObject({
        lastError: error,
        lastStatus: status,
        failingSince: expect.any(String),
        isPaused: false,
      });
    receiver.fault = undefined;
    await expect.poll(() => receiver.store.users.size).toBe(6);
    await expect
      .poll(() => targetNow(service, target))
      .toMatchObject({ queued: 0, failed: 0, lastError: null, failingSince: null });
  });

  test('and is paused after days, people are told, and it continues where it stopped', async () => {
    const { receiver, target, tag } = await givenTarget(service);
    await givenHolder(service);
    receiver.fault = () => 401;
    const user = await service.givenUser({ tagSerials: [tag] });
    const topics = async () => (await noticesAbout(service, target.id)).map(({ topic }) => topic);
    await expect.poll(topics, { message: 'after ten attempts' }).toContain('scimTargetFailing');
    const told = await topics();
    await service.database.pool.query(
      `UPDATE scim_targets SET failing_since = now() - interval '73 hours' WHERE id = $1`,
      [target.id],
    );
    await expect
      .poll(() => targetNow(service, target))
      .toMatchObject({ isPaused: true, pausedBecause: 'failing', lastError: 'unauthorized' });
    expect(await topics()).toEqual([...told, ...told]);
    receiver.fault = undefined;
    await service.request('PATCH', target.path, { body: { isPaused: false } });
    await expect.poll(() => receiver.user(user.serial)).toBeDefined();
    expect(await targetNow(service, target)).toMatchObject({ isPaused: false, pausedBecause: null });
  });

  test('and delays nobody else', async () => {
    const tag = newId('T');
    const slow = await givenTarget(service, { tagSerials: [tag] });
    const good = await givenTarget(service, { tagSerials: [tag] });
    slow.receiver.fault = () => 'hang';
    const user = await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => good.receiver.user(user.serial)).toBeDefined();
    expect(slow.receiver.user(user.serial)).toBeUndefined();
  });
});

describe('a user whom the target', () => {
  test('rejects is listed as a failure and tried again, while others are pushed', async () => {
    const { receiver, target, tag } = await givenTarget(service);
    const bad = await service.givenUser({ name: 'Bad One', tagSerials: [tag] });
    receiver.fault = (request) =>
      isCreate(request) && request.json.externalId === bad.serial ? 400 : undefined;
    const good = await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.user(good.serial)).toBeDefined();
    const { items } = (await service.get(`${target.path}/failures`)).json.data;
    if (items.length > 0)
      expect(items).toMatchObject([{ kind: 'user', serial: bad.serial, error: 'rejected', status: 400 }]);
    receiver.fault = undefined;
    await expect.poll(() => receiver.user(bad.serial)).toBeDefined();
    await expect.poll(() => targetNow(service, target)).toMatchObject({ failed: 0, queued: 0 });
  });

  test('no longer has is created again, and is a member of its groups again', async () => {
    const { receiver, tag } = await givenTarget(service, { sendsGroups: true });
    const user = await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.members(tag)?.length).toBe(1);
    const before = receiver.user(user.serial)?.id;
    receiver.store.users.clear();
    await service.updateBulk([anItem(user, { name: 'New Name' })]);
    await expect.poll(() => receiver.user(user.serial)?.displayName).toBe('New Name');
    expect(receiver.user(user.serial)?.id).not.toBe(before);
    await expect.poll(() => receiver.members(tag)).toContain(receiver.user(user.serial)?.id);
  });

  test('gets from elsewhere at the same moment is matched', async () => {
    const { receiver, tag } = await givenTarget(service);
    const username = newId('race');
    receiver.fault = (request) => {
      if (isCreate(request) && !receiver.store.users.has('other')) {
        receiver.store.users.set('other', { id: 'other', userName: username });
      }
      return undefined;
    };
    const user = await service.givenUser({ username, tagSerials: [tag] });
    await expect.poll(() => receiver.user(user.serial)?.id).toBe('other');
    expect(receiver.store.users.size).toBe(1);
  });

  test('created without our knowing it is found again', async () => {
    const { receiver, tag } = await givenTarget(service);
    let lost = 0;
    receiver.fault = (request) => {
      if (!isCreate(request) || lost > 0) return undefined;
      lost++;
      receiver.store.users.set('made', { ...request.json, id: 'made' });
      return 'drop';
    };
    const user = await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.requests.some(({ method }) => method === 'PUT')).toBe(true);
    expect([...receiver.store.users.keys()]).toEqual(['made']);
    expect(receiver.user(user.serial)?.id).toBe('made');
  });

  test('is asked for by a filter that the target ignores is not mistaken for another one', async () => {
    const { receiver, tag } = await givenTarget(service);
    const stranger = { id: 'stranger', userName: 'stranger', externalId: 'X1' };
    receiver.store.users.set('stranger', stranger);
    receiver.fault = ({ method, path }) =>
      method === 'GET' && path.includes('filter')
        ? { status: 200, body: JSON.stringify({ totalResults: 1, Resources: [stranger] }) }
        : undefined;
    const user = await service.givenUser({ tagSerials: [tag] });
    await expect.poll(() => receiver.user(user.serial)).toBeDefined();
    expect(receiver.store.users.get('stranger')).toBe(stranger);
  });
});
