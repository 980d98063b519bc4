import { expect, test } from 'vitest';
import { givenUpdates } from '../../support/calls.js';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { anItem, newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();
const run = (...args: string[]) => rollcall(['calls', ...args], asFirstClient(service));

test('lists calls and shows their changes', async () => {
  const [ada, grace, operator] = await Promise.all([
    service.givenUser(),
    service.givenUser({ name: 'Grace' }),
    givenSignedInUser(service, 'operator'),
  ]);
  const requestId = newId('request-');
  const items = [
    anItem(ada, { name: 'Ada King' }),
    anItem(grace, { name: 'Grace Hopper' }),
    anItem({ employeeID: newId(), name: 'x' }),
  ];
  const options = { headers: { 'x-request-id': requestId }, token: operator.token };
  const label = 'source=users.csv&note=Weddings%20in%20May';
  const reply = await service.post(`/service/users/update-bulk?${label}`, { items }, options);
  const id = reply.headers.get('x-call-id') as string;

  const [list, listAsJson, shown, some, asOperator, missing] = await Promise.all([
    run('list', '--request-id', requestId),
    run('list', '--request-id', requestId, '--kind', 'update-bulk', '--since', '1h', '--json'),
    run('show', id),
    run('show', id, '--limit', '1', '--json'),
    rollcall(['calls', 'show', id], { ROLLCALL_URL: service.url, ROLLCALL_TOKEN: operator.token }),
    run('show', newId()),
  ]);
  expect(list.stdout).toMatch(
    new RegExp(`^${id} +\\S+Z +update-bulk +done +3 +1 +2 +${operator.employeeID} +users.csv$`, 'm'),
  );
  expect(JSON.parse(listAsJson.stdout)).toMatchObject([{ id, requestId, failed: 1 }]);
  expect(shown.stdout).toMatch(/^note +Weddings in May$/m);
  expect(shown.stdout).toMatch(/^items +3: 2 succeeded, 1 failed$/m);
  expect(shown.stdout).toMatch(
    new RegExp(`${ada.employeeID} +updated .* name: Ada Lovelace → Ada King$`, 'm'),
  );
  expect(JSON.parse(some.stdout)).toMatchObject({ call: { id, changes: 2 }, changes: [{ callId: id }] });
  expect(JSON.parse(some.stdout).changes).toHaveLength(1);
  // Permission to read calls doesn't include the change log.
  expect(asOperator).toMatchObject({ code: 0, stderr: expect.stringContaining('Cannot show the changes') });
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining('No bulk call has this ID') });
});

test('never truncates an ID, even in a narrow terminal', async () => {
  const user = await service.givenUser();
  await givenUpdates(service, [anItem(user, { name: 'Ada King' })]);
  const terminal = inTerminal(['calls', 'list', '--limit', '1'], asFirstClient(service));
  expect(await terminal.ended).toBe(0);
  expect(terminal.screen()).toMatch(/\n[0-9a-f-]{36} .*…/);
});
