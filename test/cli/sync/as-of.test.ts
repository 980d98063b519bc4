import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useOwnService, useService } from '../../support/service.js';
import { givenFile, sync, told } from './sync-command.js';

const service = useService();
const alone = useOwnService();

/** A file from before its user was renamed and somebody else got the employee ID. */
async function givenLateFile(own = service) {
  const [old, next] = [newId('A'), newId('B')];
  const leaver = await own.givenUser({ employeeID: old, name: 'Leaver' });
  await pause(10);
  const file = givenFile(`employeeID,isActive\n${old},false\n`);
  const written = new Date();
  await pause(10);
  await own.post('/service/users/update-bulk', {
    items: [{ employeeID: old, newEmployeeID: next, name: 'Leaver', isActive: true }],
  });
  const hire = await own.givenUser({ employeeID: old, name: 'Hire' });
  utimesSync(join(file.home, file.name), written, written);
  return { file, old, next, leaver, hire, written };
}

const isActive = async ({ serial }: { serial: string }, own = service) =>
  (await own.readUser(serial)).isActive;

describe('rollcall sync of a late file', () => {
  test('with --as-of reaches who was meant', async () => {
    for (const asOf of [() => 'file', ({ written }: { written: Date }) => written.toISOString()]) {
      const given = await givenLateFile();
      const { report, stderr } = await sync(service, given.file, '--as-of', asOf(given));
      expect(told(report)).toEqual([[2, 'deactivated']]);
      expect(report[0]?.serial).toBe(given.leaver.serial);
      expect([await isActive(given.leaver), await isActive(given.hire)]).toEqual([false, true]);
      expect(stderr).not.toContain('changed hands');
    }
  });

  test('without it warns that the employee ID has changed hands', async () => {
    const { file, old } = await givenLateFile();
    const { stderr } = await sync(service, file, '--dry-run');
    expect(stderr).toContain(`The employee ID ${old} has changed hands since people.csv was written`);
    expect(stderr).toContain('use --as-of file');
  });

  test('finds the users who are missing from it', async () => {
    const own = alone;
    const { file, leaver, hire } = await givenLateFile(own);
    const gone = await own.givenUser({ name: 'Created later, so not missing' });
    const { report } = await sync(
      own,
      file,
      '--as-of',
      'file',
      '--deactivate-missing',
      '--max-deactivate',
      '0',
      '--keep',
      'admin',
    );
    expect(told(report)).toEqual([[2, 'deactivated']]);
    expect(await Promise.all([leaver, hire, gone].map((user) => isActive(user, own)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('deactivates who is missing under the employee ID of now, not whoever had it then', async () => {
    const [then, now] = [newId('M'), newId('N')];
    const missing = await alone.givenUser({ employeeID: then, name: 'Not in the file' });
    const { file, leaver } = await givenLateFile(alone);
    await alone.post('/service/users/update-bulk', {
      items: [{ employeeID: then, newEmployeeID: now, name: 'Not in the file', isActive: true }],
    });
    const listed = (await alone.get('/service/users?isActive=true&limit=200')).json.data.items;
    const others = listed.map(({ employeeID }: { employeeID: string }) => employeeID);
    const keep = others.filter((id: string) => id !== now).join(',');
    const { report } = await sync(
      alone,
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
    expect([await isActive(leaver, alone), await isActive(missing, alone)]).toEqual([false, false]);
  });

  test('rejects --as-of file for stdin', async () => {
    const { code, stderr } = await rollcall(['sync', '-', '--as-of', 'file'], asFirstClient(service), {
      input: 'employeeID,name\nE1,Ada\n',
    });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--as-of file needs a file'),
    });
  });
});

test('rollcall users id-history shows who had an employee ID', async () => {
  const { old, next, hire, leaver } = await givenLateFile();
  const { stdout } = await rollcall(['users', 'id-history', old], asFirstClient(service));
  expect(stdout).toMatch(new RegExp(`Hire +${hire.serial} +\\S+ +now`));
  expect(stdout).toMatch(new RegExp(`${leaver.serial} +\\S+ +\\S+ +changed to ${next}`));
});
