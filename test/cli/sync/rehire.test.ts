import { expect, test } from 'vitest';
import { newId, useService } from '../../support/service.js';
import { givenFile, sync, told, userOf } from './sync-command.js';

const service = useService();
const heading = 'employeeID,name,email,phone,isActive\n';

async function givenLeaver() {
  return service.givenUser({ isActive: false, phone: '+44 1234', username: newId('u'), tagSerials: ['T1'] });
}

test('--rehire reactivates inactive users with the data of their rows, and reports them', async () => {
  const [leaver, stays, gone] = [await givenLeaver(), await service.givenUser(), await givenLeaver()];
  const file = givenFile(
    `${heading}${leaver.employeeID},Ada King,new@example.com,,true\n` +
      `${stays.employeeID},Ada King,,,true\n` +
      `${gone.employeeID},Still Gone,,,false\n`,
  );
  const plan = await sync(service, file, '--rehire', '--dry-run');
  expect(told(plan.report)).toEqual([
    [2, 'rehire'],
    [3, 'update'],
    [4, 'update'],
  ]);
  const { code, report, summary, stderr } = await sync(service, file, '--rehire');
  expect(code, stderr).toBe(0);
  expect(told(report)).toEqual([
    [2, 'rehired'],
    [3, 'updated'],
    [4, 'updated'],
  ]);
  expect(summary).toMatchObject({ rehired: 1, updated: 2, created: 0 });
  expect(await userOf(service, leaver.employeeID)).toMatchObject({
    serial: leaver.serial,
    name: 'Ada King',
    email: 'new@example.com',
    phone: null,
    username: null,
    tagSerials: [],
    isActive: true,
  });
  expect(await userOf(service, gone.employeeID)).toMatchObject({ name: 'Still Gone', phone: '+44 1234' });
});

test('a user can return under a new employee ID', async () => {
  const leaver = await givenLeaver();
  const fresh = newId();
  const file = givenFile(
    `employeeID,Old ID,name,email,isActive\n${fresh},${leaver.employeeID},Ada King,new@example.com,true\n`,
  );
  const { report, stderr } = await sync(service, file, '--rehire', '--rename-from', 'Old ID');
  expect(told(report), stderr).toEqual([[2, 'rehired']]);
  expect(await userOf(service, fresh)).toMatchObject({ serial: leaver.serial, phone: null });
});
