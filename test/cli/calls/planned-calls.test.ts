import { expect, test } from 'vitest';
import { askForToken, createdClient } from '../../support/api-clients.js';
import { callIdOf, givenUpdates, readCall } from '../../support/calls.js';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { later, makeDue } from '../../support/planned-calls.js';
import { anItem, newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['calls', ...args], asFirstClient(service));

async function asAnotherClient() {
  const { clientId, clientSecret } = await createdClient(service);
  return {
    ROLLCALL_URL: service.url,
    ROLLCALL_CLIENT_ID: clientId,
    ROLLCALL_CLIENT_SECRET: clientSecret,
  };
}

/** Planned by the first client, with an item that would fail. */
async function planned(query: string) {
  const user = await service.givenUser();
  const gone = newId();
  const items = [anItem(user, { name: 'Ada King' }), anItem({ employeeID: gone, name: '=1+1' })];
  const reply = await service.updateBulk(items, query);
  expect(reply.status, reply.text).toBe(202);
  return { id: callIdOf(reply), user, gone };
}

test('lists and shows what planned calls wait for', async () => {
  const { id, user, gone } = await planned('?effectiveAt=2099-12-31&approval=required&ifChanged=stop');
  const [list, shown, items, failed] = await Promise.all([
    run('list', '--state', 'awaitingApproval', '--all'),
    run('show', id),
    run('items', id),
    run('items', id, '--failed'),
  ]);
  expect(list.stdout).toMatch(
    new RegExp(`^${id} +\\S+Z +update-bulk +awaiting approval +2099-12-31T00:00:00Z +2 `, 'm'),
  );
  expect(shown.stdout).toMatch(/^effective +31 December 2099 at 00:00 UTC$/m);
  expect(shown.stdout).toMatch(/^approval +needed, by someone other than the author$/m);
  expect(shown.stderr).toContain(`To see its preview: rollcall calls items ${id}`);
  expect(items.stdout).toMatch(
    new RegExp(`^ +0 +${user.employeeID} +would change +name: Ada Lovelace → Ada King$`, 'm'),
  );
  expect(failed.stdout).toMatch(new RegExp(`^ +1 +${gone} +would fail +[Nn]o user has the employee ID`, 'm'));
  expect(failed.stdout).not.toContain(user.employeeID);
});

test('prints the outcomes of a call as a table, JSON and CSV that is safe in a spreadsheet', async () => {
  const user = await service.givenUser();
  const gone = newId();
  const items = [
    anItem(user, { name: 'Ada King' }),
    anItem({ employeeID: gone, name: 'x' }),
    { name: '=1+1' },
  ];
  const id = callIdOf(await service.updateBulk(items));
  const [table, json, csv, none] = await Promise.all([
    run('items', id, '--limit', '1'),
    run('items', id, '--failed', '--json'),
    run('items', id, '--failed', '--csv'),
    run('items', await givenUpdates(service, [anItem(user, { name: 'Ada' })]), '--failed'),
  ]);
  expect(table.stdout).toMatch(
    new RegExp(`^ +0 +${user.employeeID} +succeeded +name: Ada Lovelace → Ada King$`, 'm'),
  );
  expect(table.stderr).toContain('--all');
  expect(JSON.parse(json.stdout)).toMatchObject([
    { position: 1, employeeID: gone, outcome: 'failed', error: { message: 'USER_NOT_FOUND' } },
    { position: 2, employeeID: null, outcome: 'failed' },
  ]);
  const lines = csv.stdout.trimEnd().split('\r\n');
  expect(lines[0]).toBe('\uFEFFposition,employeeID,outcome,serial,error,what');
  expect(lines[1]).toMatch(new RegExp(`^1,${gone},failed,,USER_NOT_FOUND,`));
  expect(lines).toHaveLength(3);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No item failed.\n' });
});

test('approves, cancels and takes over, but never as the author', async () => {
  const { id } = await planned('?effectiveAt=2099-12-31&approval=required');
  const own = await run('approve', id, '--yes');
  expect(own).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('someone else, with users:read and users:write'),
  });
  expect(await run('approve', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });

  const other = await asAnotherClient();
  const approved = await rollcall(['calls', 'approve', id, '--yes'], other);
  expect(approved).toEqual({
    code: 0,
    stdout: '',
    stderr: `Approved: call ${id} runs on 31 December 2099 at 00:00 UTC.\n`,
  });
  const taken = await rollcall(['calls', 'take-over', id, '--yes'], other);
  expect(taken.stderr).toBe(
    `Taken over: call ${id} runs with your permissions. Someone else has to approve it.\n`,
  );
  expect(await readCall(service, id)).toMatchObject({
    state: 'awaitingApproval',
    plan: { author: { id: other.ROLLCALL_CLIENT_ID } },
  });
  const cancelled = await run('cancel', id, '--yes', '--json');
  expect(JSON.parse(cancelled.stdout)).toMatchObject([{ id, state: 'cancelled' }]);
  const again = await run('cancel', id, '--yes');
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('The call was cancelled.') });
});

test('asks before a decision, and says what the call does', async () => {
  const { id } = await planned('?effectiveAt=2099-12-31');
  const terminal = inTerminal(['calls', 'cancel', id], asFirstClient(service));
  await terminal.until('Cancel this call?');
  const screen = terminal.screen();
  expect(screen).toContain('Bulk update of 2 items by ');
  expect(screen).toContain('Planned for 31 December 2099 at 00:00 UTC.');
  expect(screen).toContain('Preview: 1 would change, 0 unchanged, 1 would fail.');
  terminal.type('n\r');
  expect(await terminal.ended).toBe(4);
  expect(await readCall(service, id)).toMatchObject({ state: 'planned' });
});

test('plans an undo', async () => {
  const user = await service.givenUser();
  const id = await givenUpdates(service, [anItem(user, { name: 'Ada King' })]);
  const undo = await run('undo', id, '--effective-at', '2099-12-31', '--yes');
  expect(undo.code, undo.stderr).toBe(0);
  expect(undo.stderr).toMatch(
    /Would undo the bulk update .* 1 reverted, 0 kept\.\nPlanned for 31 December 2099 at 00:00 UTC, call (\S+)\. Nothing has changed yet\.\n/,
  );
  expect(undo.stderr).not.toContain('To redo');
  expect(await service.readUser(user.serial)).toMatchObject({ name: 'Ada King' });
  const two = await run('undo', id, await givenUpdates(service, [anItem(user)]), '--approval', '--yes');
  expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('a single call') });
  const alone = await run('undo', id, '--if-changed', 'stop', '--yes');
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--effective-at or --approval') });
});

test('says so when a call waits because its author has lost access', async () => {
  const author = await createdClient(service);
  const token = (await askForToken(service, author)).json.access_token;
  const user = await service.givenUser();
  const path = `/service/users/update-bulk?effectiveAt=${later}`;
  const id = callIdOf(await service.post(path, { items: [anItem(user, { name: 'Ada King' })] }, { token }));
  await service.request('PATCH', author.path, { body: { isActive: false } });
  await makeDue(service, id);
  await expect.poll(async () => (await readCall(service, id)).plan.needsTakeover).toBe(true);
  const [list, shown] = await Promise.all([run('list', '--state', 'planned', '--all'), run('show', id)]);
  expect(list.stdout).toMatch(new RegExp(`^${id} .* needs takeover `, 'm'));
  expect(shown.stdout).toMatch(/^takeover +needed: the author/m);
  await run('take-over', id, '--yes');
  await makeDue(service, id);
  await expect.poll(async () => (await readCall(service, id)).state).toBe('done');
  expect(await service.readUser(user.serial)).toMatchObject({ name: 'Ada King' });
});
