import { expect, test } from 'vitest';
import { stream, useFront } from '../../http/client/front.js';
import { asFirstClient, beginCommand, rollcall } from '../../support/command.js';
import { startRollcall } from '../../support/command-process.js';
import { freePort } from '../../support/postgres-server.js';
import { anItem, newId, useService } from '../../support/service.js';

const service = useService();
const front = useFront(service);

async function lastSequence(): Promise<string> {
  const { json } = await service.get('/service/changes?limit=1');
  return String(json.data.items[0].sequence);
}

test('prints one line per change as it happens, until Ctrl-C', async () => {
  await service.givenUser();
  const after = await lastSequence();
  const environment = asFirstClient(service);
  const employeeID = newId();
  const follow = ['changes', '--follow', '--after', after];
  const lines = startRollcall([...follow, '--types', 'user.created,user.renamed'], environment);
  const objects = beginCommand([...follow, '--json'], environment);
  const user = await service.givenUser({ employeeID, name: 'Eve' });
  const renamed = newId();
  await service.updateBulk([anItem(user, { newEmployeeID: renamed })]);
  await expect.poll(() => lines.text.stdout).toContain(renamed);
  await expect.poll(() => objects.text.stdout).toContain('call.completed');

  lines.child.kill('SIGINT');
  objects.signal('SIGTERM');
  const [asLines, asJson] = await Promise.all([lines.ended, objects.ended]);
  expect([asLines.code, asJson.code]).toEqual([0, 0]);
  expect(asLines.stderr).toBe(`Following changes at ${service.url}. Press Ctrl-C to stop.\n`);
  const mine = asLines.stdout.split('\n').filter((line) => line.includes(employeeID));
  expect(mine).toEqual([
    expect.stringMatching(/^\S+Z {2}\d+ {2}user\.created {2}\S+ {2}\S+ {2}employeeID: \S+, name: Eve,/),
    expect.stringMatching(
      new RegExp(`user\\.renamed {2}${renamed} .*employeeID: ${employeeID} → ${renamed}`),
    ),
  ]);
  const events = asJson.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'user.created', data: expect.objectContaining({ employeeID }) }),
  );
});

test('follows a single user or field', async () => {
  const [ada, grace] = await Promise.all([service.givenUser(), service.givenUser()]);
  const after = await lastSequence();
  const follow = (...filter: string[]) =>
    beginCommand(['changes', '--follow', '--after', after, ...filter], asFirstClient(service));
  const [byUser, byField] = [follow('--user', ada.employeeID), follow('--field', 'phone')];
  await service.updateBulk([anItem(grace, { phone: '030 1234' }), anItem(ada, { name: 'Ada King' })]);
  await expect.poll(() => byUser.text.stdout).toContain('Ada King');
  await expect.poll(() => byField.text.stdout).toContain('030 1234');
  for (const { signal, ended } of [byUser, byField]) {
    signal('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  }
});

test('reports a broken connection and reconnects without losing or repeating changes', async () => {
  await service.givenUser();
  const after = await lastSequence();
  const connection = stream();
  front.answer('/service/events', connection.answer);
  const environment = { ...asFirstClient(service), ROLLCALL_URL: front.url };
  const followed = beginCommand(['changes', '--follow', '--after', after], environment);
  const before = await service.givenUser();
  await expect.poll(() => followed.text.stdout).toContain(before.employeeID);
  connection.breakOff();
  const later = await service.givenUser();
  await expect.poll(() => followed.text.stdout).toContain(later.employeeID);
  followed.signal('SIGINT');
  const { code, stdout, stderr } = await followed.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('Reconnecting');
  for (const { employeeID } of [before, later]) {
    expect(stdout.split('\n').filter((line) => line.includes(`user.created  ${employeeID}`))).toHaveLength(1);
  }
});

test('exits if changes cannot be followed at all', async () => {
  const dead = { ...asFirstClient(service), ROLLCALL_URL: `http://127.0.0.1:${await freePort()}` };
  const reader = { ROLLCALL_URL: service.url, ROLLCALL_TOKEN: await service.tokenFor('users:read') };
  const [unreachable, notAllowed] = await Promise.all([
    rollcall(['changes', '--follow'], dead),
    rollcall(['changes', '--follow'], reader),
  ]);
  expect(unreachable).toMatchObject({ code: 3, stdout: '' });
  expect(notAllowed).toMatchObject({ code: 4, stderr: expect.stringContaining('audit:read') });
});
