import { expect, test } from 'vitest';
import { hand, stream, unheard, useFront } from '../../http/client/front.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();
const front = useFront(service);
const run = (args: readonly string[], input?: string) =>
  rollcall(['users', ...args], asFirstClient(service), input === undefined ? {} : { input });

test('creates a user from options, with a password read from stdin', async () => {
  const employeeID = newId();
  const username = newId('u');
  const args = ['create', '--employee-id', employeeID, '--name', 'Ada Lovelace', '--username', username];
  const password = `secret of ${username}`;
  const manager = await service.givenUser();
  const rest = [
    '--phone',
    '+44 20 7946 0958',
    '--tags',
    'T1, T2',
    '--organization',
    'ORG7',
    '--manager',
    manager.employeeID,
    '--password-stdin',
  ];
  const created = await run([...args, ...rest], `${password}\n`);
  expect(created.code, created.stderr).toBe(0);
  const serial = created.stdout.trim();
  expect(created.stderr).not.toContain(password);
  expect(await service.readUser(serial)).toMatchObject({
    employeeID,
    username,
    phone: '+44 20 7946 0958',
    email: null,
    isActive: true,
    tagSerials: ['T1', 'T2'],
    organizationSerial: 'ORG7',
    manager: { serial: manager.serial },
  });
  expect((await service.signIn(username, password)).status).toBe(200);

  const other = newId();
  const [taken, noContact, inactive, noName] = await Promise.all([
    run([...args, '--email', 'ada@example.com']),
    run(['create', '--employee-id', newId(), '--name', 'Nobody']),
    run([
      'create',
      '--employee-id',
      other,
      '--name',
      'Later',
      '--email',
      'a@example.com',
      '--inactive',
      '--json',
    ]),
    run(['create', '--employee-id', newId()]),
  ]);
  expect(taken).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('is already taken') });
  expect(noContact).toMatchObject({ code: 4, stderr: expect.stringContaining('"email" and "phone"') });
  const answer = JSON.parse(inactive.stdout);
  expect(answer).toEqual({ employeeID: other, serial: expect.any(String) });
  expect(await service.readUser(answer.serial)).toMatchObject({ isActive: false });
  expect(noName).toMatchObject({ code: 2, stderr: expect.stringContaining('--name') });
});

test('sets, clears and renames fields, and leaves the rest unchanged', async () => {
  const { employeeID: managerEmployeeID } = await service.givenUser();
  const given = { username: newId('u'), phone: '12345', tagSerials: ['T1'], managerEmployeeID };
  const user = await service.givenUser(given);
  const renamed = newId();
  const changes = [
    '--name',
    'Ada King',
    '--clear',
    'username,tags,manager',
    '--rename',
    renamed,
    '--active',
    'false',
  ];
  const updated = await run(['update', user.employeeID, ...changes, '--json']);
  expect(updated.code, updated.stderr).toBe(0);
  const stored = await service.readUser(user.serial);
  expect(JSON.parse(updated.stdout)).toEqual(stored);
  expect(stored).toMatchObject({
    employeeID: renamed,
    name: 'Ada King',
    username: null,
    tagSerials: [],
    manager: null,
    isActive: false,
    phone: '12345',
    email: 'ada@example.com',
  });
  const [nothing, both, unknown, refused] = await Promise.all([
    run(['update', renamed]),
    run(['update', renamed, '--phone', '1', '--clear', 'phone']),
    run(['update', renamed, '--clear', 'name']),
    run(['update', renamed, '--clear', 'email,phone']),
  ]);
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing to update') });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('both set and cleared') });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('username, email, phone') });
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Could not update the user'),
  });
  expect(await service.readUser(user.serial)).toEqual(stored);
});

test('does not overwrite a concurrent change', async () => {
  const user = await service.givenUser();
  const path = `/service/users/${user.serial}`;
  front.answer(path, stream().answer, async ({ response, pass }) => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    await service.request('PATCH', path, { body: { phone: '12345' }, headers });
    hand(response, await pass());
  });
  const environment = { ...asFirstClient(service), ROLLCALL_URL: front.url };
  const late = await rollcall(['users', 'update', user.employeeID, '--phone', '67890'], environment);
  expect(late).toMatchObject({ code: 4, stdout: '' });
  expect(late.stderr).toContain('was changed by someone else at the same time. Nothing was done.');
  expect(await service.readUser(user.serial)).toMatchObject({ phone: '12345' });
});

test('retries a create whose response was lost; other commands say that they may have succeeded', async () => {
  const employeeID = newId();
  const environment = { ...asFirstClient(service), ROLLCALL_URL: front.url };
  front.answer('/service/users', unheard);
  const args = [
    'users',
    'create',
    '--employee-id',
    employeeID,
    '--name',
    'Ada',
    '--email',
    'ada@example.com',
  ];
  const created = await rollcall(args, environment);
  expect(created.code, created.stderr).toBe(0);
  const { serial } = (await service.get(`/service/users?employeeID=${employeeID}`)).json.data.items[0];
  expect(created.stdout).toBe(`${serial}\n`);

  front.answer(`/service/users/${serial}/role`, unheard);
  const open = await rollcall(['users', 'role', employeeID, 'viewer'], environment);
  expect(open).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('It may have succeeded nevertheless'),
  });
});

test('deactivates and activates several users, with a result for each', async () => {
  const [ada, grace] = await Promise.all([service.givenUser(), service.givenUser({ isActive: false })]);
  const nobody = newId();
  const off = await run(['deactivate', ada.employeeID, grace.employeeID, nobody]);
  expect(off.code).toBe(1);
  expect(off.stdout).toMatch(new RegExp(`${ada.employeeID} .* now inactive\n`));
  expect(off.stdout).toMatch(new RegExp(`${grace.employeeID} .* already inactive\n`));
  expect(off.stdout).toContain(`failed: No user has the employee ID "${nobody}".`);
  expect(await service.readUser(ada.serial)).toMatchObject({ isActive: false });

  const on = await run(['activate', ada.serial, '--serial', '--json']);
  expect(on.code).toBe(0);
  expect(JSON.parse(on.stdout)).toEqual([{ id: ada.serial, ok: true, name: 'Ada Lovelace', changed: true }]);
  expect(await service.readUser(ada.serial)).toMatchObject({ isActive: true });
});

test('resets passwords, sets roles and shows the history of a user', async () => {
  const administrator = await givenSignedInUser(service, 'administrator');
  const { employeeID, serial } = await service.givenUser();
  const asUser = { ROLLCALL_URL: service.url, ROLLCALL_TOKEN: administrator.token };
  const set = await rollcall(['users', 'role', employeeID, 'operator'], asUser);
  expect(set).toMatchObject({ code: 0, stdout: 'operator\n' });
  const renamed = await rollcall(['users', 'update', employeeID, '--name', 'Ada King'], asUser);
  expect(renamed.code, renamed.stderr).toBe(0);

  const [role, wrong, reset, history] = await Promise.all([
    run(['role', employeeID, '--json']),
    run(['role', employeeID, 'boss']),
    run(['reset-password', employeeID]),
    run(['history', employeeID]),
  ]);
  expect(JSON.parse(role.stdout)).toEqual({ serial, role: 'operator', formerRole: null });
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('viewer, operator, administrator, none'),
  });
  const deliveries = await service.get(`/service/deliveries?userSerial=${serial}`);
  expect(deliveries.json.data.items[0]).toMatchObject({ id: reset.stdout.trim(), kind: 'reset-password' });
  // Newest first, with actors shown by employee ID.
  const rows = history.stdout.trimEnd().split('\n');
  expect(rows[1]).toMatch(
    new RegExp(` updated +${administrator.employeeID} +name: Ada Lovelace → Ada King$`),
  );
  expect(rows[2]).toMatch(/ updated .* role: nothing → operator$/);
  expect(rows[3]).toMatch(/ created .* name: Ada Lovelace, email: ada@example.com/);

  expect(await run(['role', employeeID, 'none'])).toMatchObject({ code: 0, stdout: 'none\n' });
});
