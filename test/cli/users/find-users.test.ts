import { expect, test } from 'vitest';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['users', ...args], asFirstClient(service));

test('lists users by any filter, up to a limit, as a table or JSON', async () => {
  const organization = newId('ORG');
  const people = await Promise.all(
    ['Ada', 'Grace', 'Joan'].map((name) =>
      service.givenUser({ name, organizationSerial: organization, tagSerials: [`${organization}${name}`] }),
    ),
  );
  const [ada, grace, joan] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
  const ofOrganization = ['list', '--organization', organization];
  const [all, some, none, tagged, wrong] = await Promise.all([
    run(...ofOrganization, '--sort', '-name', '--all', '--json'),
    run(...ofOrganization, '--sort', 'name', '--limit', '2'),
    run(...ofOrganization, '--active', 'false'),
    run(
      'list',
      '--tag',
      `${organization}Grace`,
      '--employee-id',
      grace.employeeID,
      '--search',
      'gra',
      '--json',
    ),
    run('list', '--active', 'perhaps'),
  ]);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  const listed = JSON.parse(all.stdout) as { serial: string }[];
  expect(listed.map(({ serial }) => serial)).toEqual([joan.serial, grace.serial, ada.serial]);
  expect(listed[0]).toEqual(await service.readUser(joan.serial));

  expect(some).toMatchObject({ code: 0, stderr: '2 of 3 users. For more, use --limit 4 or --all.\n' });
  const rows = some.stdout.trimEnd().split('\n');
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^EMPLOYEE ID +NAME +USERNAME +EMAIL +PHONE +STATUS$/);
  expect(rows[1]).toMatch(new RegExp(`^${ada.employeeID} +Ada +ada@example.com +active$`));

  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('--active false ') });
  expect(JSON.parse(tagged.stdout)).toMatchObject([{ serial: grace.serial }]);
  expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('true or false') });
});

test('shows a user by employee ID or serial, and returns the error of the service if there is none', async () => {
  const { serial, employeeID } = await service.givenUser({
    phone: '+44 20 7946 0958',
    tagSerials: ['T1', 'T2'],
  });
  const nobody = newId();
  const [shown, asJson, bySerial, missing, missingAsJson] = await Promise.all([
    run('get', employeeID),
    run('get', employeeID, '--json'),
    run('get', serial, '--serial', '--json'),
    run('get', nobody),
    run('get', nobody, '--json'),
  ]);
  expect(shown.stdout).toMatch(new RegExp(`^employee ID +${employeeID}\nname +Ada Lovelace\nusername\n`));
  expect(shown.stdout).toContain('T1, T2');
  expect(JSON.parse(asJson.stdout)).toEqual(await service.readUserWithPlans(serial));
  expect(bySerial.stdout).toBe(asJson.stdout);
  expect(missing).toMatchObject({
    code: 4,
    stdout: '',
    stderr: `Could not show the user: No user has the employee ID "${nobody}".\n`,
  });
  expect(JSON.parse(missingAsJson.stderr).error).toMatchObject({
    exit: 'refused',
    name: 'USER_NOT_FOUND',
    code: 10102,
  });
});

test('names the new employee ID of a user who was asked for by a former one', async () => {
  const [former, current, reused] = [newId(), newId(), newId()];
  await service.givenUser({ employeeID: former });
  await service.updateBulk([{ employeeID: former, newEmployeeID: current, name: 'Ada', isActive: true }]);
  const renamed = await run('get', former);
  expect(renamed.stderr).toContain(
    `No user has the employee ID "${former}". It was changed to "${current}".`,
  );

  await service.givenUser({ employeeID: former });
  await service.updateBulk([{ employeeID: former, newEmployeeID: reused, name: 'Ada', isActive: true }]);
  const twice = await run('get', former);
  expect(twice.stderr).toContain(`"rollcall users list --former-employee-id ${former}" lists them.`);
});

test('a name cannot control the terminal, and a row fits its width', async () => {
  const { employeeID } = await service.givenUser({ email: 'eve@example.com' });
  // Earlier versions allowed names with control characters.
  await service.database.pool.query('UPDATE users SET name = $1 WHERE employee_id = $2', [
    `Eve\u001b[31m ${'x'.repeat(150)}`,
    employeeID,
  ]);
  const terminal = inTerminal(['users', 'list', '--employee-id', employeeID], asFirstClient(service));
  expect(await terminal.ended).toBe(0);
  expect(terminal.screen()).toContain('Eve [31m xxx');
  expect(terminal.screen()).not.toContain('\u001b[31m');
  const row = terminal
    .screen()
    .split('\r\n')
    .find((line) => line.includes('Eve')) as string;
  expect([...row].length).toBeLessThanOrEqual(100);
  expect(row).toContain('…');
});
