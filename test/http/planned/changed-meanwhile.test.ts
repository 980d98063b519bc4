import { describe, expect, test } from 'vitest';
import { eager, givenPlan, later, plannedIdOf, runNow } from '../../support/planned-calls.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';

const service = useService(eager);

const patch = (serial: string, body: object) =>
  service.request('PATCH', `/service/users/${serial}`, { body });

describe('if users have changed since the preview, a planned call', () => {
  test('skips items that would do something else, and runs the others', async () => {
    const [renamed, untouched, other] = [
      await service.givenUser(),
      await service.givenUser(),
      await service.givenUser(),
    ];
    const id = await givenPlan(service, [
      anItem(renamed, { name: 'Planned' }),
      anItem(untouched, { name: 'Planned' }),
      anItem(other, { name: 'Planned' }),
    ]);
    await patch(renamed.serial, { name: 'Meanwhile' });
    await patch(other.serial, { phone: '+49 30 1' }); // another field
    expect(await runNow(service, id)).toEqual(['CALL_ITEM_OUTDATED', untouched.serial, other.serial]);
    expect(await service.readUserWithPlans(renamed.serial)).toMatchObject({ name: 'Meanwhile' });
    expect(await service.readUserWithPlans(other.serial)).toMatchObject({
      name: 'Planned',
      phone: '+49 30 1',
    });
  });

  test('skips an item whose employee ID belongs to someone else now', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(service, [anItem(user, { isActive: false })]);
    await patch(user.serial, { employeeID: newId() });
    const newcomer = await service.givenUser({ employeeID: user.employeeID });
    expect(await runNow(service, id)).toEqual(['CALL_ITEM_OUTDATED']);
    expect(await service.readUserWithPlans(newcomer.serial)).toMatchObject({ isActive: true });
  });

  test('skips what depends on a skipped item', async () => {
    const [first, second] = [await service.givenUser(), await service.givenUser()];
    const id = await givenPlan(service, [
      anItem(first, { newEmployeeID: newId() }),
      anItem(second, { newEmployeeID: first.employeeID }),
    ]);
    await patch(first.serial, { employeeID: newId() });
    await service.givenUser({ employeeID: first.employeeID });
    expect(await runNow(service, id)).toEqual(['CALL_ITEM_OUTDATED', 'CALL_ITEM_OUTDATED']);
  });

  test('skips an item that failed in the preview and would succeed now', async () => {
    const employeeID = newId();
    const id = await givenPlan(service, [anItem({ employeeID, name: 'Late' }, { isActive: false })]);
    const user = await service.givenUser({ employeeID });
    expect(await runNow(service, id)).toEqual(['CALL_ITEM_OUTDATED']);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ isActive: true });
  });

  test('reports an item that fails for the reason of the preview', async () => {
    const id = await givenPlan(service, [anItem({ employeeID: newId(), name: 'Nobody' })]);
    expect(await runNow(service, id)).toEqual(['USER_NOT_FOUND']);
  });

  test('runs everything with ifChanged=run', async () => {
    const user = await service.givenUser();
    const id = await givenPlan(
      service,
      [anItem(user, { name: 'Planned' })],
      `effectiveAt=${later}&ifChanged=run`,
    );
    await patch(user.serial, { name: 'Meanwhile' });
    expect(await runNow(service, id)).toEqual([user.serial]);
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ name: 'Planned' });
  });

  test('changes nothing with ifChanged=stop', async () => {
    const [changed, untouched] = [await service.givenUser(), await service.givenUser()];
    const items = [anItem(untouched, { name: 'Planned' }), anItem(changed, { name: 'Planned' })];
    const id = await givenPlan(service, items, `effectiveAt=${later}&ifChanged=stop`);
    await patch(changed.serial, { name: 'Meanwhile' });
    expect(await runNow(service, id)).toEqual(['CALL_ITEM_OUTDATED', 'CALL_ITEM_OUTDATED']);
    expect(await service.readUserWithPlans(untouched.serial)).toMatchObject({ name: untouched.name });
  });

  test('does not create a user whose employee ID was taken', async () => {
    const user = aUser();
    const id = plannedIdOf(
      await service.post(`/service/users/create-bulk?effectiveAt=${later}`, { items: [user] }),
    );
    await service.givenUser({ employeeID: user.employeeID });
    expect(await runNow(service, id)).toEqual(['CALL_ITEM_OUTDATED']);
  });
});
