import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { receiverToken, startScimReceiver } from '../../support/scim-receiver.js';
import { newId, useService } from '../../support/service.js';
import { eagerEvents } from '../../support/webhooks.js';

const service = useService(eagerEvents);
const run = (...args: string[]) => rollcall(['scim', 'targets', ...args], asFirstClient(service));
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

test('creates a target with its token from stdin, watches it, finds and repairs differences, and deletes it', async () => {
  const receiver = await startScimReceiver();
  const tag = newId('T');
  const user = await service.givenUser({ tagSerials: [tag] });
  const settings = ['--tags', tag, '--groups', 'true', '--requests-per-second', '100'];
  const created = await rollcall(
    ['scim', 'targets', 'create', 'Wiki', receiver.url, ...settings],
    asFirstClient(service),
    { input: `${receiverToken}\n` },
  );
  expect(created.code, created.stderr).toBe(0);
  expect(created.stdout).not.toContain(receiverToken);
  const [, id = ''] = /^ID +(\S+)$/m.exec(created.stdout) ?? [];
  await expect
    .poll(() => json('show', id))
    .toMatchObject({ users: 1, groups: 1, queued: 0, isSyncing: false });
  expect((await run('list')).stdout).toMatch(
    new RegExp(`^${id} +Wiki +active +1 +0 +0 +${receiver.url}$`, 'm'),
  );

  receiver.store.groups.clear();
  receiver.store.users.clear();
  expect((await run('compare', id)).code).toBe(0);
  await expect
    .poll(async () => (await run('show', id)).stdout)
    .toMatch(/^comparison +2 missing, 0 extra, 0 different, of 0 users and 1 groups there$/m);
  const { stdout: differences } = await run('differences', id);
  expect(differences).toMatch(new RegExp(`^missing +${user.serial} `, 'm'));
  expect(differences).toMatch(new RegExp(`^missing +${tag} `, 'm'));
  await run('repair', id);
  await expect
    .poll(() => receiver.members(tag)?.map((id) => id === receiver.user(user.serial)?.id))
    .toEqual([true]);

  receiver.fault = () => 400;
  await run('sync', id);
  await expect
    .poll(async () => (await run('failures', id)).stdout)
    .toMatch(new RegExp(`^user +${user.serial} +\\d+ +rejected \\(400\\)`, 'm'));
  expect((await run('pause', id)).stdout).toMatch(/^status +paused$/m);
  expect((await run('update', id)).stderr).toContain('Nothing to update.');
  expect((await run('update', id, '--on-deactivate', 'delete')).stdout).toMatch(/^on deactivation +delete$/m);
  receiver.fault = undefined;
  await run('resume', id);
  await expect.poll(() => json('show', id)).toMatchObject({ isPaused: false, queued: 0, failed: 0 });

  expect((await run('delete', id, '--yes')).stderr).toContain('SCIM target deleted.');
  expect(await run('show', id)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('See `rollcall scim targets list`.'),
  });
});
