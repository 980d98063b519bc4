import { describe, expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';
import { givenFile, sync, told, userOf } from './sync-command.js';

describe('a sync with --effective-at', () => {
  const service = useService();

  test('plans every change, including email addresses, and changes nothing', async () => {
    const [ada, grace] = [await service.givenUser(), await service.givenUser()];
    const fresh = newId();
    const file = givenFile(
      `employeeID,name,email\n${ada.employeeID},Ada King,ada@example.com\n` +
        `${grace.employeeID},Ada Lovelace,grace@example.com\n${fresh},Joan Clarke,joan@example.com\n`,
    );
    const planned = await sync(service, file, '--effective-at', '2099-12-31');
    expect(planned.code, planned.stderr).toBe(0);
    expect(told(planned.report)).toEqual([
      [2, 'planned'],
      [3, 'planned'],
      [4, 'planned'],
    ]);
    expect(planned.summary).toMatchObject({ planned: 3, created: 0, updated: 0 });
    expect(planned.summary.plannedCalls).toHaveLength(2);
    expect(await userOf(service, ada.employeeID)).toMatchObject({ name: 'Ada Lovelace' });
    expect(await userOf(service, grace.employeeID)).toMatchObject({ email: 'ada@example.com' });
    expect(await userOf(service, fresh)).toBeUndefined();
    const upcoming = (await service.readUserWithPlans(grace.serial)).upcomingChanges;
    expect(upcoming).toMatchObject([{ effect: { fields: { email: { after: 'grace@example.com' } } } }]);
  });

  test('says when the calls run and how to cancel them', async () => {
    const ada = await service.givenUser();
    const { home, name } = givenFile(`employeeID,name\n${ada.employeeID},Ada King\n`);
    const args = ['sync', name, '--effective-at', '2099-12-31'];
    const { code, stdout, stderr } = await rollcall(args, asFirstClient(service), { cwd: home });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^ {2}planned +1$/m);
    expect(stderr).toMatch(
      /1 row is planned, in 1 call\. Nothing has changed for it yet\.\n {2}Planned for 31 December 2099 at 00:00 UTC, call (\S+)\n.*To cancel: rollcall calls cancel \1/,
    );
    expect(stderr).not.toContain('To undo');
  });

  test('refuses renames that depend on each other', async () => {
    const [ada, grace] = [await service.givenUser(), await service.givenUser()];
    const { home, name } = givenFile(
      `employeeID,name,old\n${grace.employeeID},Ada,${ada.employeeID}\n${newId()},Grace,${grace.employeeID}\n`,
    );
    const args = ['sync', name, '--rename-from', 'old', '--approval'];
    const refused = await rollcall(args, asFirstClient(service), { cwd: home });
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('cannot be planned') });
  });
});
