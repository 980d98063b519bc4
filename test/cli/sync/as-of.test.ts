import { describe, expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { useService } from '../../support/service.js';
import { givenLateFile } from './late-file.js';
import { sync, told } from './sync-command.js';

const service = useService();

const isActive = async ({ serial }: { serial: string }) => (await service.readUser(serial)).isActive;

describe('rollcall sync of a late file', () => {
  test('with --as-of reaches who was meant', async () => {
    for (const asOf of [() => 'file', ({ written }: { written: Date }) => written.toISOString()]) {
      const given = await givenLateFile(service);
      const { report, stderr } = await sync(service, given.file, '--as-of', asOf(given));
      expect(told(report)).toEqual([[2, 'deactivated']]);
      expect(report[0]?.serial).toBe(given.leaver.serial);
      expect([await isActive(given.leaver), await isActive(given.hire)]).toEqual([false, true]);
      expect(stderr).not.toContain('changed hands');
    }
  });

  test('without it warns that the employee ID has changed hands', async () => {
    const { file, old } = await givenLateFile(service);
    const { stderr } = await sync(service, file, '--dry-run');
    expect(stderr).toContain(`The employee ID ${old} has changed hands since users.csv was written`);
    expect(stderr).toContain('use --as-of file');
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
  const { old, next, hire, leaver } = await givenLateFile(service);
  const { stdout } = await rollcall(['users', 'id-history', old], asFirstClient(service));
  expect(stdout).toMatch(new RegExp(`Hire +${hire.serial} +\\S+ +now`));
  expect(stdout).toMatch(new RegExp(`${leaver.serial} +\\S+ +\\S+ +changed to ${next}`));
});
