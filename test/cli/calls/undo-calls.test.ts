import { expect, test } from 'vitest';
import { callIdOf, givenUpdates } from '../../support/calls.js';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { anItem, type GivenUser, newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['calls', 'undo', ...args], asFirstClient(service));

async function renamed(user: GivenUser, name: string, requestId = newId('request-')): Promise<string> {
  const headers = { 'x-request-id': requestId };
  const reply = await service.post(
    '/service/users/update-bulk',
    { items: [anItem(user, { name })] },
    { headers },
  );
  return callIdOf(reply);
}

const nameOf = async ({ serial }: GivenUser) => (await service.readUser(serial)).name;

test('undoes all calls of a request, newest first, and has nothing to do the second time', async () => {
  const user = await service.givenUser();
  const requestId = newId('request-');
  const first = await renamed(user, 'Ada One', requestId);
  const second = await renamed(user, 'Ada Two', requestId);
  const preview = await run('--request-id', requestId, '--dry-run');
  expect(preview.stdout).toMatch(
    new RegExp(`^${user.employeeID} +Ada Two +reverted +name: Ada Two → Ada One$`, 'm'),
  );
  expect(preview.stderr).toContain('Each call is previewed on its own');
  expect(preview.stderr).toMatch(/^Would undo the bulk update of \S+Z \(\S{36}\)\. 1 reverted, 0 kept\.$/m);
  expect(await nameOf(user)).toBe('Ada Two');

  const unsure = await run('--request-id', requestId);
  expect(unsure).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
  const undone = await run('--request-id', requestId, '--yes', '--json');
  expect(undone.code, undone.stderr).toBe(0);
  expect(JSON.parse(undone.stdout)).toMatchObject([
    { callId: second, succeeded: 1, failed: 0 },
    { callId: first, succeeded: 1, failed: 0 },
  ]);
  expect(await nameOf(user)).toBe('Ada Lovelace');

  const again = await run('--request-id', requestId, '--yes');
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing to undo') });
  expect(await nameOf(user)).toBe('Ada Lovelace');

  // An undo is a call too: undoing it restores the original calls, which can then be undone again.
  const redone = await run(
    ...JSON.parse(undone.stdout).map((each: { undoneBy: string }) => each.undoneBy),
    '--yes',
  );
  expect(redone.code, redone.stderr).toBe(0);
  expect(await nameOf(user)).toBe('Ada Two');
  expect((await run('--request-id', requestId, '--yes')).code).toBe(0);
  expect(await nameOf(user)).toBe('Ada Lovelace');
});

test('undoes the newest call first, whatever the argument order, and keeps later changes', async () => {
  const [ada, grace] = await Promise.all([service.givenUser(), service.givenUser()]);
  const items = [anItem(ada, { name: 'Ada One' }), anItem(grace, { name: 'Grace One' })];
  const first = await givenUpdates(service, items);
  const second = await renamed(ada, 'Ada Two');
  await renamed(grace, 'Grace Hopper');
  const undone = await run(first, second, '--yes');
  expect(undone.code).toBe(1);
  expect(undone.stdout).toMatch(
    new RegExp(`^${grace.employeeID} +Grace Hopper +kept +.*"name" has changed since the call`, 'm'),
  );
  expect(undone.stdout).not.toContain(ada.employeeID);
  expect(undone.stderr).toMatch(/1 reverted, 1 kept\.\nTo redo: rollcall calls undo \S{36}/);
  expect([await nameOf(ada), await nameOf(grace)]).toEqual(['Ada Lovelace', 'Grace Hopper']);

  const unknown = '0198c0de-7a11-7000-8000-5f1e2d3c4b5d';
  const [missing, nothing, both, nobodys] = await Promise.all([
    run(first, unknown, '--yes'),
    run(),
    run(first, '--request-id', 'x'),
    run('--request-id', newId('request-'), '--yes'),
  ]);
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining('No bulk call has this ID') });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('IDs or --request-id') });
  expect(both.code).toBe(2);
  expect(nobodys).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('No bulk call has the request ID'),
  });
});

test('asks for confirmation and says how many changes it would undo', async () => {
  const user = await service.givenUser();
  const id = await renamed(user, 'Ada King');
  const terminal = inTerminal(['calls', 'undo', id], asFirstClient(service));
  await terminal.until(/Undo the bulk update of \S+Z, which made 1 change\? \[y\/N\]/);
  terminal.type('n\r');
  expect(await terminal.ended).toBe(4);
  expect(await nameOf(user)).toBe('Ada King');
});
