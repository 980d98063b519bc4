import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { quarantineSettings } from '../../support/quarantine.js';
import { newId, useService } from '../../support/service.js';

const service = useService(quarantineSettings);
const run = (...args: string[]) => rollcall(['users', ...args], asFirstClient(service));

test('a quarantined employee ID is shown, and can be released and taken', async () => {
  const user = await service.givenUser();
  await run('update', user.employeeID, '--rename', newId());
  const history = await run('id-history', user.employeeID);
  expect(history.stdout).toMatch(/No user has \w+ now\. It is quarantined until 20\d\d-/);
  const create = ['create', '--employee-id', user.employeeID, '--name', 'Ada', '--email', 'ada@example.com'];
  const refused = await run(...create);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('was released on') });
  const released = await run('release-name', user.employeeID);
  expect(released).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Released \w+, which was quarantined until 20\d\d-/),
  });
  expect((await run(...create)).code).toBe(0);
  expect(await run('release-name', user.employeeID)).toMatchObject({
    code: 0,
    stderr: `${user.employeeID} is not quarantined.\n`,
  });
});

test('so can a username', async () => {
  const username = newId('u');
  const user = await service.givenUser({ username });
  await run('update', user.employeeID, '--clear', 'username');
  const released = await run('release-name', username, '--username', '--json');
  expect(JSON.parse(released.stdout)).toEqual({ username, wasQuarantinedUntil: expect.any(String) });
  expect((await run('release-name', newId('nobody'), '--username')).code).toBe(4);
});

test('users create --rehire reactivates an inactive user', async () => {
  const { serial, employeeID } = await service.givenUser({ isActive: false, phone: '123' });
  const create = ['create', '--employee-id', employeeID, '--name', 'Ada King', '--email', 'king@example.com'];
  expect(await run(...create)).toMatchObject({ code: 4, stderr: expect.stringContaining('use --rehire.') });
  const rehired = await run(...create, '--rehire');
  expect(rehired).toMatchObject({
    code: 0,
    stdout: `${serial}\n`,
    stderr: `Rehired Ada King (${employeeID}). Serial:\n`,
  });
  expect(await service.readUser(serial)).toMatchObject({ name: 'Ada King', phone: null, isActive: true });
  const created = await run(
    'create',
    '--employee-id',
    newId(),
    '--name',
    'New',
    '--email',
    'n@example.com',
    '--rehire',
    '--json',
  );
  expect(JSON.parse(created.stdout)).not.toHaveProperty('rehired');
});
