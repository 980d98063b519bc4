import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { issueToken, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['clients', ...args], asFirstClient(service));

test('creates and rotates a client, showing each secret once, on stdout', async () => {
  const created = await run('create', '--name', 'Nightly HR sync', '--scopes', 'users:read, users:write');
  expect(created.code, created.stderr).toBe(0);
  const [, id] = /^ID +(\S+)$/m.exec(created.stdout) ?? [];
  const [, secret] = /^secret +(\S+)$/m.exec(created.stdout) ?? [];
  expect(created.stderr).toBe('The secret will not be shown again. Store it in a safe place.\n');
  await issueToken(service.url, { clientId: id as string, clientSecret: secret as string });

  const rotated = await run('rotate', id as string, '--overlap-seconds', '0', '--json');
  const another = JSON.parse(rotated.stdout);
  expect(another).toMatchObject({ id, name: 'Nightly HR sync', scopes: ['users:read', 'users:write'] });
  expect(rotated.stderr).toContain('not be shown again');
  await issueToken(service.url, { clientId: another.id, clientSecret: another.secret });

  const shown = await run('get', id as string);
  expect(shown.code).toBe(0);
  for (const gone of [secret as string, another.secret]) expect(shown.stdout).not.toContain(gone);
  const [scopes, overlap] = await Promise.all([
    run('create', '--name', 'x', '--scopes', 'users:all'),
    run('rotate', id as string, '--overlap-seconds', '-1'),
  ]);
  expect(scopes).toMatchObject({ code: 2, stderr: expect.stringContaining('users:read, users:write') });
  expect(overlap).toMatchObject({ code: 2, stderr: expect.stringContaining('0 or a positive whole number') });
});

test('updates, disables, enables and lists clients', async () => {
  const reply = await service.post('/service/clients', { name: 'Badges', scopes: ['users:read'] });
  const { id } = reply.json.data;
  const updated = await run('update', id, '--name', 'Doors', '--scopes', 'audit:read', '--json');
  expect(JSON.parse(updated.stdout)).toMatchObject({ id, name: 'Doors', scopes: ['audit:read'] });
  expect(await run('disable', id)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^status +disabled$/m),
  });
  const [list, listAsJson, nothing, nobody] = await Promise.all([
    run('list', '--all'),
    run('list', '--all', '--json'),
    run('update', id),
    run('get', 'client-x'),
  ]);
  expect(list.stdout).toMatch(new RegExp(`^${id} +Doors +disabled +\\S+Z +audit:read$`, 'm'));
  expect(JSON.parse(listAsJson.stdout)).toContainEqual(expect.objectContaining({ id, isActive: false }));
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('--name or --scopes') });
  expect(nobody).toMatchObject({ code: 4, stderr: expect.stringContaining('No client has this ID') });
  expect(JSON.parse((await run('enable', id, '--json')).stdout)).toMatchObject({ isActive: true });
});
