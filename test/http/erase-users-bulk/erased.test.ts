import { describe, expect, test } from 'vitest';
import { callIdOf, readCall, undo } from '../../support/calls.js';
import { eraseBulk, erased } from '../../support/erasure.js';
import { type GivenUser, newId, type Reply, useService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

const service = useService();
const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

const givenUsers = async (count: number): Promise<GivenUser[]> => {
  const users: GivenUser[] = [];
  for (let each = 0; each < count; each++) users.push(await service.givenUser());
  return users;
};

const statusOf = async ({ serial }: { serial: string }) =>
  (await service.get(`/service/users/${serial}`)).status;

/** The effect or error code of each item. */
function verdicts({ json, text, status }: Reply): unknown[] {
  expect(status, text).toBe(200);
  const all: unknown[] = [];
  for (const { position, effect } of json.data.successItems) all[position] = effect?.kind ?? 'ok';
  for (const { position, error } of json.data.failedItems) all[position] = error.errorCode;
  return all;
}

describe('POST /service/users/erase-bulk', () => {
  test('reports each item, and erases only with the confirmed number of users', async () => {
    const [a, b, c] = await givenUsers(3);
    const [first, second, third] = [a, b, c].map((user) => user?.serial ?? '');
    await erased(service, third as string);
    const serials = [first, nobody, second?.toUpperCase(), 'E1001', third, first, 7];
    const expected = ['erased', 10102, 'erased', 10107, 'unchanged', 'unchanged', 10107];
    expect(verdicts(await eraseBulk(service, serials, '?dryRun=true'))).toEqual(expected);

    const before = await tableStates(service);
    for (const query of ['', '?confirm=2', '?confirm=4']) {
      const refused = await eraseBulk(service, serials, query);
      expect([refused.status, refused.json.errorCode, refused.json.data]).toEqual([
        409,
        10306,
        { confirm: 3 },
      ]);
      expect(refused.json.detail).toContain('cannot be undone');
    }
    expect(changedBetween(before, await tableStates(service))).toEqual([]);

    expect(verdicts(await eraseBulk(service, serials, '?confirm=3&effects=true'))).toEqual(expected);
    expect(await Promise.all([a, b].map((user) => statusOf(user as GivenUser)))).toEqual([410, 410]);
    const again = await eraseBulk(service, serials, '?confirm=3&effects=true');
    expect(verdicts(again)).toEqual(expected.map((kind) => (kind === 'erased' ? 'unchanged' : kind)));
  });

  test('is a call on record that cannot be undone', async () => {
    const [user] = await givenUsers(1);
    const callId = callIdOf(await eraseBulk(service, [user?.serial], '?confirm=1'));
    expect(await readCall(service, callId)).toMatchObject({
      kind: 'erase-bulk',
      state: 'done',
      changes: 1,
    });
    const { items } = (await service.get(`/service/changes?callId=${callId}`)).json.data;
    expect(items).toMatchObject([{ kind: 'erased', userSerial: user?.serial }]);
    for (const query of ['', '?dryRun=true']) {
      const undone = await undo(service, callId, query);
      expect([undone.status, undone.json.errorCode]).toEqual([409, 10315]);
    }
  });

  test('repeats its answer for an idempotency key', async () => {
    const [user] = await givenUsers(1);
    const headers = { 'idempotency-key': newId('key') };
    const first = await eraseBulk(service, [user?.serial], '?confirm=1', { headers });
    const second = await eraseBulk(service, [user?.serial], '?confirm=1', { headers });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect([second.json, callIdOf(second)]).toEqual([first.json, callIdOf(first)]);
  });

  test('rejects items with anything but a serial', async () => {
    const reply = await service.post('/service/users/erase-bulk?dryRun=true', {
      items: [{}, { serial: null }, { employeeID: 'E1' }, { serial: nobody, name: 'Ada' }, [], 'x'],
    });
    expect(verdicts(reply)).toEqual([10106, 10106, 10108, 10108, 10105, 10105]);
    const unconfirmed = await service.post('/service/users/erase-bulk', { items: [{ employeeID: 'E1' }] });
    expect(unconfirmed.json.detail).toMatch(/1 item fails: send it with \?dryRun=true to see why/);
  });
});
