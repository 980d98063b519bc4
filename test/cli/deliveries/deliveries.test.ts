import { expect, test } from 'vitest';
import { givenCreates } from '../../support/calls.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['deliveries', ...args], asFirstClient(service));

async function givenHeld(requestId: string, employeeIDs: readonly string[]): Promise<string[]> {
  const items = employeeIDs.map((employeeID) => aUser({ employeeID }));
  const headers = { 'x-request-id': requestId };
  const reply = await service.post('/service/users/create-bulk?deliver=hold', { items }, { headers });
  expect(reply.json.data.failedItems).toEqual([]);
  const held = await service.get(`/service/deliveries?requestId=${requestId}`);
  return held.json.data.items.map(({ id }: { id: string }) => id);
}

test('lists deliveries with the employee ID of the recipient', async () => {
  const employeeID = newId();
  const { serials } = await givenCreates(service, [aUser({ employeeID })]);
  const [mine, asJson, none, nobody] = await Promise.all([
    run('list', '--user', employeeID),
    run('list', '--user', serials[0] as string, '--serial', '--json'),
    run('list', '--user', employeeID, '--state', 'parked'),
    run('list', '--user', newId()),
  ]);
  const [delivery] = JSON.parse(asJson.stdout);
  expect(delivery).toMatchObject({ userSerial: serials[0], kind: 'initial-password', state: 'waiting' });
  expect(mine.stdout).toMatch(new RegExp(`^${delivery.id} +\\S+Z +${employeeID} +initial +waiting`, 'm'));
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No matches.') });
  expect(nobody).toMatchObject({ code: 4, stderr: expect.stringContaining('No user has the employee ID') });
});

test('releases held deliveries by ID or request, and resends a delivery', async () => {
  const requestId = newId('request-');
  const [first, second, third] = await givenHeld(requestId, [newId(), newId(), newId()]);
  const byId = await run('release', first as string, second as string);
  expect(byId).toMatchObject({ code: 0, stderr: '2 deliveries released.\n' });
  const byRequest = await run('release', '--request-id', requestId, '--json');
  expect(JSON.parse(byRequest.stdout)).toEqual({ released: 1 });
  const [again, nothing, two, resent, unknown] = await Promise.all([
    run('release', third as string),
    run('release'),
    run('release', third as string, '--all'),
    run('resend', third as string, '--json'),
    run('resend', '0198c0de-7a11-7000-8000-5f1e2d3c4b5b'),
  ]);
  expect(again).toMatchObject({ code: 0, stderr: 'None of these deliveries is held.\n' });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('--request-id or --all') });
  expect(two.code).toBe(2);
  expect(JSON.parse(resent.stdout)).toMatchObject({ id: third, state: 'waiting' });
  expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining('No delivery has this ID') });
});
