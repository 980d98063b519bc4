import { expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { callIdOf } from '../../support/calls.js';
import { rollcall } from '../../support/command.js';
import { anItem, newId, useService } from '../../support/service.js';
import { givenFile } from '../sync/sync-command.js';

const service = useService();

test('a client with only users:write can create users; commands that read first name the missing scope', async () => {
  const { clientId, clientSecret } = await createdClient(service, ['users:write']);
  const environment = {
    ROLLCALL_URL: service.url,
    ROLLCALL_CLIENT_ID: clientId,
    ROLLCALL_CLIENT_SECRET: clientSecret,
  };
  const run = (...args: string[]) => rollcall(args, environment);
  const employeeID = newId();
  const created = await run(
    'users',
    'create',
    '--employee-id',
    employeeID,
    '--name',
    'Ada',
    '--phone',
    '+44 20',
  );
  expect(created.code, created.stderr).toBe(0);
  const serial = created.stdout.trim();

  const callId = callIdOf(await service.updateBulk([anItem({ employeeID, name: 'Grace' })]));
  const file = givenFile(`employeeID,name,phone\n${employeeID},Eve,+44 30\n`);
  const readers = await Promise.all([
    run('users', 'update', employeeID, '--name', 'Grace'),
    run('users', 'update', '--serial', serial, '--name', 'Grace'),
    run('users', 'deactivate', employeeID),
    run('users', 'update-matching', '--employee-id', employeeID, '--deactivate', '--dry-run'),
    run('calls', 'undo', callId, '--yes'),
    rollcall(['sync', file.name], environment, { cwd: file.home }),
  ]);
  for (const { code, stdout, stderr } of readers) {
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('requires the scope users:read');
  }
  expect(await service.readUser(serial)).toMatchObject({ name: 'Grace', isActive: true });
});
