import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['users', ...args], asFirstClient(service));

test('plans to deactivate users, and shows it with the user', async () => {
  const user = await service.givenUser({ name: 'Ada Lovelace' });
  const gone = newId();
  const planned = await run('deactivate', user.employeeID, gone, '--on', '2099-12-31');
  expect(planned.code, planned.stderr).toBe(1);
  expect(planned.stdout).toMatch(new RegExp(`^${user.employeeID} +Ada Lovelace +will be inactive$`, 'm'));
  expect(planned.stdout).toMatch(new RegExp(`^${gone} +failed: No user has the employee ID`, 'm'));
  const [, id] =
    /^Planned for 31 December 2099 at 00:00 UTC, call (\S+)\. Nothing/m.exec(planned.stderr) ?? [];
  expect(planned.stderr).toContain(`To cancel: rollcall calls cancel ${id}`);
  expect(await service.readUser(user.serial)).toMatchObject({ isActive: true });

  const shown = await run('get', user.employeeID);
  expect(shown.stdout).toMatch(
    new RegExp(`^upcoming +on 31 December 2099 at 00:00 UTC: isActive: true → false \\(call ${id}\\)$`, 'm'),
  );
});

test('plans a change of all users who match', async () => {
  const tag = newId('T');
  const user = await service.givenUser({ tagSerials: [tag] });
  const options = ['--tag', tag, '--deactivate', '--effective-at', '2099-12-31T18:00:00+01:00', '--approval'];
  const planned = await run('update-matching', ...options, '--yes');
  expect(planned.code, planned.stderr).toBe(0);
  expect(planned.stderr).toMatch(
    /^Would change 1 user\.\nAwaits approval, planned for 31 December 2099 at 17:00 UTC, call \S+\./,
  );
  expect(planned.stderr).toContain('To approve, as someone else: rollcall calls approve ');
  expect(planned.stderr).not.toContain('To undo');
  const json = await run('update-matching', ...options, '--confirm', '1', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ planned: true, matched: 1 });
  expect(await service.readUser(user.serial)).toMatchObject({ isActive: true });
});
