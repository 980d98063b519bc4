import { expect, test } from 'vitest';
import { givenUpdates } from '../../support/calls.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { anItem, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['changes', ...args], asFirstClient(service));

test('lists changes by user, actor, call, kind, field and time', async () => {
  const user = await service.givenUser();
  const call = await givenUpdates(service, [anItem(user, { name: 'Ada King', phone: '12345' })]);
  const { ROLLCALL_CLIENT_ID: client } = asFirstClient(service);
  const [table, byField, byCall, created, before, misused, conflict] = await Promise.all([
    run('--user', user.employeeID),
    run('--user', user.employeeID, '--field', 'phone', '--json'),
    run('--call', call, '--actor', client, '--json'),
    run('--user', user.serial, '--serial', '--kind', 'created', '--since', '1h', '--json'),
    run('--user', user.employeeID, '--until', '2020-01-01'),
    run('--types', 'user.created'),
    run('--follow', '--since', '1h'),
  ]);
  const rows = table.stdout.trimEnd().split('\n');
  expect(rows[0]).toMatch(/^SEQUENCE +WHEN +EMPLOYEE ID +KIND +BY +WHAT$/);
  expect(rows[1]).toMatch(
    new RegExp(
      `${user.employeeID} +updated +${client} +name: Ada Lovelace → Ada King, phone: nothing → 12345$`,
    ),
  );
  expect(rows[2]).toMatch(/ created .* name: Ada Lovelace, /);
  expect(rows).toHaveLength(3);
  expect(JSON.parse(byField.stdout)).toMatchObject([{ callId: call, fields: { phone: { after: '12345' } } }]);
  expect(JSON.parse(byCall.stdout)).toMatchObject([
    { callId: call, userSerial: user.serial, kind: 'updated' },
  ]);
  expect(JSON.parse(created.stdout)).toMatchObject([{ userSerial: user.serial, kind: 'created' }]);
  expect(before).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No matches.') });
  expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('require --follow') });
  expect(conflict).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used with') });
});
