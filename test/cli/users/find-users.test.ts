import { expect, test } from 'vitest';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { indexNow } from '../../support/index-checks.js';
import { newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['users', ...args], asFirstClient(service));

test('lists users in order, up to a limit, as a table or JSON', async () => {
  const organizationSerial = newId('ORG');
  const [ada, grace] = [
    await service.givenUser({ name: 'Ada', organizationSerial }),
    await service.givenUser({ name: 'Grace', organizationSerial }),
  ];
  const list = (...args: string[]) => run('list', '--organization', organizationSerial, ...args);
  const all = await list('--sort', '-name', '--all', '--json');
  expect(all).toMatchObject({ code: 0, stderr: '' });
  const users = await Promise.all([grace, ada].map(({ serial }) => service.readUser(serial)));
  expect(JSON.parse(all.stdout)).toEqual(users);

  const some = await list('--sort', 'name', '--limit', '1');
  expect(some).toMatchObject({ code: 0, stderr: '1 of 2 users. For more, use --limit 2 or --all.\n' });
  const rows = some.stdout.trimEnd().split('\n');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^EMPLOYEE ID +NAME +USERNAME +EMAIL +PHONE +STATUS$/);
  expect(rows[1]).toMatch(new RegExp(`^${ada.employeeID} +Ada +ada@example.com +active$`));
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

test('suggests searches for similar names', async () => {
  const organizationSerial = newId('ORG');
  await service.givenUser({ name: 'Annegret Wolkenstein', organizationSerial });
  await indexNow(service);
  const list = (...args: string[]) => run('list', '--organization', organizationSerial, ...args);
  const found = await list('--search', 'anegret wolkenstien');
  expect(found.stdout).toBe('');
  expect(found.stderr).toContain("Did you mean --search 'Annegret Wolkenstein'?\n");
  const json = await list('--search', 'wolkenstien', '--json');
  expect(json).toMatchObject({ stdout: '[]\n', stderr: 'Did you mean --search Wolkenstein?\n' });
});
