import { expect, test } from 'vitest';
import { measures } from '../support/metrics.js';
import { givenTarget, targetNow } from '../support/scim-targets.js';
import { useService } from '../support/service.js';
import { unusedOperations } from '../support/unused-operations.js';
import { eagerEvents } from '../support/webhooks.js';

const service = useService({ ...eagerEvents, ...measures });

test('a SCIM target gets users and groups, and can be changed, synced, compared, repaired and deleted', async () => {
  const { receiver, target, tag } = await givenTarget(service, { sendsGroups: true });
  const user = await service.givenUser({ tagSerials: [tag] });
  await expect.poll(() => receiver.members(tag)?.length).toBe(1);
  expect(receiver.members(tag)).toEqual([receiver.user(user.serial)?.id]);
  await service.request('PATCH', target.path, { body: { name: 'Other wiki' } });
  receiver.store.users.clear();
  expect((await service.request('POST', `${target.path}/sync`)).status).toBe(200);
  await expect.poll(() => receiver.user(user.serial)).toBeDefined();
  receiver.store.users.clear();
  await expect
    .poll(() => targetNow(service, target))
    .toMatchObject({ name: 'Other wiki', queued: 0, isSyncing: false });
  expect((await service.request('POST', `${target.path}/compare`)).status).toBe(200);
  await expect.poll(async () => (await targetNow(service, target)).comparison?.missing).toBe(1);
  expect((await service.get(`${target.path}/differences`)).json.data.items).toHaveLength(1);
  expect((await service.request('POST', `${target.path}/repair`)).status).toBe(200);
  await expect.poll(() => receiver.user(user.serial)).toBeDefined();
  expect((await service.get(`${target.path}/failures`)).json.data.items).toEqual([]);
  expect((await service.get('/service/scim/targets')).json.data.items).toContainEqual(
    expect.objectContaining({ id: target.id }),
  );
  expect((await service.request('DELETE', target.path)).status).toBe(200);
  expect((await service.get(target.path)).status).toBe(404);
  expect(await unusedOperations(service, ['Provisioning'])).toEqual([]);
});
