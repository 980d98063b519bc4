import { describe, expect, test } from 'vitest';
import { callIdOf, givenCreates, undo } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();

const rename = (employeeID: string, newEmployeeID: string) =>
  service.updateBulk([{ employeeID, newEmployeeID, name: 'Renamed', isActive: true }]);
const idsOf = (serial: string) => service.get(`/service/users/${serial}/employee-ids`);

describe('GET /service/users/{serial}/employee-ids', () => {
  test('lists the present employee ID and all former ones, newest first', async () => {
    const ids = [newId('U'), newId('U'), newId('U')] as const;
    const { serial } = await service.givenUser({ employeeID: ids[0] });
    await rename(ids[0], ids[1]);
    await rename(ids[1], ids[2]);
    const reply = await idsOf(serial);
    expect(reply.status, reply.text).toBe(200);
    const { items } = reply.json.data;
    expect(items.map(({ employeeID }: { employeeID: string }) => employeeID)).toEqual(ids.toReversed());
    const [present, previous, first] = items;
    expect(present).toMatchObject({ since: previous.until, until: null });
    expect(previous.since).toBe(first.until);
    expect(first.since < first.until && first.until < previous.until).toBe(true);
  });

  test('lists one since the creation of a user who was never renamed', async () => {
    const { serial, employeeID } = await service.givenUser();
    const { createdAt } = await service.readUser(serial);
    expect((await idsOf(serial)).json.data.items).toEqual([{ employeeID, since: createdAt, until: null }]);
  });

  test('lists an ID twice if the user has got it back', async () => {
    const [one, other] = [newId('U'), newId('U')];
    const { serial } = await service.givenUser({ employeeID: one });
    await undo(service, callIdOf(await rename(one, other)));
    const { items } = (await idsOf(serial)).json.data;
    expect(items.map(({ employeeID }: { employeeID: string }) => employeeID)).toEqual([one, other, one]);
  });

  test.each(['0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'nobody'])('knows no user %s', async (serial) => {
    expectFailure(await idsOf(serial), 404, 10102, 'USER_NOT_FOUND', /./);
  });

  test('knows nobody who was removed', async () => {
    const { callId, serials } = await givenCreates(service, [aUser()]);
    await undo(service, callId);
    expectFailure(await idsOf(serials[0] as string), 404, 10102, 'USER_NOT_FOUND', /./);
  });

  test('returns 410 for an erased user', async () => {
    const { serial } = await service.givenUser();
    await service.request('DELETE', `/service/users/${serial}`);
    expectFailure(await idsOf(serial), 410, 10112, 'USER_ERASED', /was erased/);
  });
});
