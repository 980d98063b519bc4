import { describe, expect, test } from 'vitest';
import { callIdOf, givenCreates, readCall } from '../support/calls.js';
import { asFirstClient, rollcall } from '../support/command.js';
import { aUser, newId, useOwnService } from '../support/service.js';
import { givenFile, sync, told, userOf } from './sync/sync-command.js';

describe('a safety limit', () => {
  const service = useOwnService({ ROLLCALL_SAFETY_LIMIT_PERCENT: '20' });

  test('is shown by an undo, with the command that confirms', async () => {
    const id = callIdOf(await service.createBulk([aUser(), aUser(), aUser()]));
    const undo = (...args: string[]) =>
      rollcall(['calls', 'undo', id, '--yes', ...args], asFirstClient(service));
    const refused = await undo();
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(`run \`rollcall calls undo ${id} --confirm 3\``);
    expect(refused.stderr).not.toContain('?confirm');
    const confirmed = await undo('--confirm', '3');
    expect(confirmed.code, confirmed.stderr).toBe(0);
    expect((await undo('--confirm', '0')).code).toBe(2);
  });

  test('rejects a sync that renames too many users until it is confirmed', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => service.givenUser()));
    const renamed = users.map(({ employeeID }) => ({ from: employeeID, to: newId() }));
    const file = givenFile(`employeeID,old\n${renamed.map(({ from, to }) => `${to},${from}\n`).join('')}`);
    const args = ['sync', file.name, '--rename-from', 'old'];
    const refused = await rollcall(args, asFirstClient(service), { cwd: file.home });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(
      /change the employee ID of 4 of \d+ users.*To proceed, run the sync again with --confirm/s,
    );
    const { report } = await sync(service, file, '--rename-from', 'old', '--confirm');
    expect(report.map(({ outcome }) => outcome)).toEqual(['renamed', 'renamed', 'renamed', 'renamed']);
  });
});

describe('a safety limit that requires approval', () => {
  const service = useOwnService({
    ROLLCALL_SAFETY_LIMIT_PERCENT: '1',
    ROLLCALL_SAFETY_APPROVAL: 'required',
  });

  test('undoes nothing older than an undo that awaits approval', async () => {
    const created = [await givenCreates(service, [aUser()]), await givenCreates(service, [aUser()])];
    const [older, newer] = created.map(({ callId }) => callId) as [string, string];
    const undone = await rollcall(['calls', 'undo', older, newer, '--yes'], asFirstClient(service));
    expect(undone.code, undone.stderr).toBe(1);
    expect(undone.stderr).toContain('Awaits approval, call ');
    expect(undone.stderr).toContain(`Not undone: ${older}`);
    expect(undone.stderr).not.toContain('Undid');
    expect(await readCall(service, newer)).toMatchObject({ undoneBy: null });
  });

  test('makes a sync report rows that await approval as planned', async () => {
    const ada = await service.givenUser();
    const fresh = newId();
    const file = givenFile(
      `employeeID,name,email,isActive\n${ada.employeeID},Ada Lovelace,,false\n${fresh},Joan,joan@example.com,true\n`,
    );
    const { code, stderr, report } = await sync(service, file);
    expect(code, stderr).toBe(0);
    expect(told(report)).toEqual([
      [2, 'planned'],
      [3, 'created'],
    ]);
    expect(await userOf(service, ada.employeeID)).toMatchObject({ isActive: true });
  });
});
