import { beforeEach, describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { giveRole } from '../../support/protected-users.js';
import { type GivenUser, newId, useOwnService } from '../../support/service.js';
import { givenLateFile } from './late-file.js';
import { givenFile, read, sync, told, userOf } from './sync-command.js';

/** These tests are about all users of a service, so they need their own. */
const service = useOwnService();

let [stays, goes, left]: GivenUser[] = [];

beforeEach(async () => {
  // Users left over from the previous test would be missing in this one.
  const all = await service.get('/service/users?isActive=true&limit=200');
  const others = all.json.data.items.filter((user: { employeeID: string }) => user.employeeID !== 'admin');
  await service.updateBulk(
    others.map(({ employeeID, name }: GivenUser) => ({ employeeID, name, isActive: false })),
  );
  stays = await service.givenUser({ name: 'Stays' });
  goes = await service.givenUser({ name: 'Goes' });
  left = await service.givenUser({ name: 'Left long ago', isActive: false });
});

/** A full export that lacks one user and has no status column. */
const fullExport = () =>
  givenFile(`employeeID,name\n${stays?.employeeID},Stays\n${left?.employeeID},Left long ago\n`);

describe('rollcall sync --deactivate-missing', () => {
  test('deactivates missing users, activates listed ones and leaves those with a role', async () => {
    const options = ['--deactivate-missing', '--max-deactivate', '50%'];
    const plan = await sync(service, fullExport(), ...options, '--dry-run');
    expect(plan.summary).toMatchObject({ deactivate: 1, reactivate: 1, update: 0, unchanged: 1, fail: 0 });
    expect(await userOf(service, goes?.employeeID ?? '')).toMatchObject({ isActive: true });

    const { report, code, stderr } = await sync(service, fullExport(), ...options);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('1 user with a role is not in the file and stays active: admin.');
    expect(told(report)).toEqual([
      [2, 'unchanged'],
      [3, 'reactivated'],
      [null, 'deactivated'],
    ]);
    expect(report[2]).toMatchObject({ employeeID: goes?.employeeID, serial: goes?.serial });
    expect(await userOf(service, goes?.employeeID ?? '')).toMatchObject({ isActive: false, name: 'Goes' });
    expect(await userOf(service, left?.employeeID ?? '')).toMatchObject({ isActive: true });
    expect(await userOf(service, 'admin')).toMatchObject({ isActive: true });
  });

  test.each([
    [
      ['--max-deactivate', '0'],
      /1 of 3 active users \(33\.3%\) are missing from the file, but --max-deactivate is 0/,
    ],
    [['--max-deactivate', '33%'], /--max-deactivate is 33%/],
    [[], /--max-deactivate is 10%.*--max-deactivate 1\./],
  ])('is rejected with %j if more users are missing, and changes nothing', async (options, message) => {
    const fresh = newId();
    const file = givenFile(
      `employeeID,name,email\n${stays?.employeeID},Changed,\n${fresh},New,n@example.com\n`,
    );
    const args = ['sync', file.name, '--deactivate-missing', ...options];
    const { code, stderr, stdout } = await rollcall(args, asFirstClient(service), { cwd: file.home });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(message);
    expect(await userOf(service, fresh)).toBeUndefined();
    expect(await userOf(service, stays?.employeeID ?? '')).toMatchObject({ name: 'Stays' });
    expect(await userOf(service, goes?.employeeID ?? '')).toMatchObject({ isActive: true });
  });

  test('is rejected if an employee ID is unreadable, because its user would count as missing', async () => {
    const file = givenFile(`employeeID,name\n${stays?.employeeID},Stays\n"${goes?.employeeID} ?",Goes\n`);
    const args = ['sync', file.name, '--deactivate-missing', '--max-deactivate', '100%'];
    const { code, stderr } = await rollcall(args, asFirstClient(service), { cwd: file.home });
    expect(code).toBe(4);
    expect(stderr).toMatch(/Row 3 has no readable employee ID/);
  });

  test('does not count a user as missing if their row is invalid or could not be renamed', async () => {
    const file = givenFile(
      `employeeID,name,phone,old\n${stays?.employeeID},Stays,${'1'.repeat(256)},\n${newId()},Goes,${'1'.repeat(256)},${goes?.employeeID}\n`,
    );
    const options = ['--deactivate-missing', '--rename-from', 'old', '--max-deactivate', '0'];
    const { code, report } = await sync(service, file, ...options);
    expect(code).toBe(1);
    expect(told(report)).toEqual([
      [2, 'failed: FIELD_INVALID'],
      [3, 'failed: FIELD_INVALID'],
    ]);
  });

  test('leaves users named by --keep', async () => {
    const file = givenFile(`employeeID,name\n${stays?.employeeID},Stays\n`);
    const keep = `${goes?.employeeID}, ${newId()}`;
    const { report } = await sync(
      service,
      file,
      '--deactivate-missing',
      '--max-deactivate',
      '0',
      '--keep',
      keep,
    );
    expect(told(report)).toEqual([[2, 'unchanged']]);
  });

  test('keeps the last administrator even with --include-roles, and suggests --keep', async () => {
    const file = givenFile(`employeeID,name\n${stays?.employeeID},Stays\n${goes?.employeeID},Goes\n`);
    const options = ['--deactivate-missing', '--include-roles', '--max-deactivate', '100%'];
    const { report } = await sync(service, file, ...options);
    expect(told(report)).toEqual([
      [2, 'unchanged'],
      [3, 'unchanged'],
      [null, 'failed: USER_LAST_ADMINISTRATOR'],
    ]);
    expect(report[2]?.error?.detail).toContain('--keep admin');
  });
});

test('rollcall sync with the scopes of a feed keeps what only administrators may change, and succeeds', async () => {
  await giveRole(service, stays?.serial ?? '', 'viewer');
  const { clientId, clientSecret } = await createdClient(service, ['users:read', 'users:write']);
  const environment = {
    ...asFirstClient(service),
    ROLLCALL_CLIENT_ID: clientId,
    ROLLCALL_CLIENT_SECRET: clientSecret,
  };
  const { home, name } = givenFile(`employeeID,name,email\n${stays?.employeeID},Renamed,other@example.com\n`);
  const args = ['sync', name, '--json', '--report', 'report.json'];
  for (const outcome of ['updated', 'unchanged']) {
    const { code, summary, report } = read(await rollcall(args, environment, { cwd: home }), home);
    expect({ code, summary }).toMatchObject({ code: 0, summary: { kept: 1 } });
    expect(report).toMatchObject([{ outcome, kept: ['email'] }]);
  }
  expect(await userOf(service, stays?.employeeID ?? '')).toMatchObject({
    name: 'Renamed',
    email: stays?.email,
  });
});

const isActive = async ({ serial }: { serial: string }) => (await service.readUser(serial)).isActive;

describe('rollcall sync --deactivate-missing --as-of', () => {
  test('finds the users who are missing from it', async () => {
    const { file, leaver, hire } = await givenLateFile(service);
    const gone = await service.givenUser({ name: 'Created later, so not missing' });
    const { report } = await sync(
      service,
      file,
      '--as-of',
      'file',
      '--deactivate-missing',
      '--max-deactivate',
      '0',
      '--keep',
      `admin,${stays?.employeeID},${goes?.employeeID}`,
    );
    expect(told(report)).toEqual([[2, 'deactivated']]);
    expect(await Promise.all([leaver, hire, gone].map((user) => isActive(user)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('deactivates who is missing under the employee ID of now, not whoever had it then', async () => {
    const [then, now] = [newId('M'), newId('N')];
    const missing = await service.givenUser({ employeeID: then, name: 'Not in the file' });
    const { file, leaver } = await givenLateFile(service);
    await service.post('/service/users/update-bulk', {
      items: [{ employeeID: then, newEmployeeID: now, name: 'Not in the file', isActive: true }],
    });
    const listed = (await service.get('/service/users?isActive=true&limit=200')).json.data.items;
    const others = listed.map(({ employeeID }: { employeeID: string }) => employeeID);
    const keep = others.filter((id: string) => id !== now).join(',');
    const { report } = await sync(
      service,
      file,
      '--as-of',
      'file',
      '--deactivate-missing',
      '--max-deactivate',
      '1',
      '--keep',
      keep,
    );
    expect(told(report)).toEqual([
      [2, 'deactivated'],
      [null, 'deactivated'],
    ]);
    expect([await isActive(leaver), await isActive(missing)]).toEqual([false, false]);
  });
});
