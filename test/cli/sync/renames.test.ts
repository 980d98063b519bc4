import { describe, expect, test } from 'vitest';
import { newId, useService } from '../../support/service.js';
import { givenFile, sync, told, userOf } from './sync-command.js';

const service = useService();

describe('rollcall sync --rename-from', () => {
  test('renames a user, and finds them unchanged on the next run', async () => {
    const user = await service.givenUser();
    const to = newId();
    const file = givenFile(`employeeID,name,old\n${to},Ada King,${user.employeeID}\n`);
    const plan = await sync(service, file, '--rename-from', 'old', '--dry-run');
    expect(told(plan.report)).toEqual([[2, 'rename']]);
    const first = await sync(service, file, '--rename-from', 'old');
    expect(first.report).toMatchObject([
      { employeeID: to, outcome: 'renamed', serial: user.serial, changed: ['employeeID', 'name'] },
    ]);
    expect(await userOf(service, to)).toMatchObject({ serial: user.serial, name: 'Ada King' });
    const second = await sync(service, file, '--rename-from', 'old');
    expect(told(second.report)).toEqual([[2, 'unchanged']]);
  });

  test('handles a chain whose first ID goes to a new user, in the worst order and in chunks of one', async () => {
    const [a, b] = [await service.givenUser({ name: 'First' }), await service.givenUser({ name: 'Second' })];
    const end = newId();
    // The new user takes a's ID, a takes b's, and b gets a new one.
    const file = givenFile(
      'employeeID,name,email,old\n' +
        `${a.employeeID},Newcomer,n@example.com,\n` +
        `${b.employeeID},First,,${a.employeeID}\n` +
        `${end},Second,,${b.employeeID}\n`,
    );
    const plan = await sync(service, file, '--rename-from', 'old', '--chunk', '1', '--dry-run');
    expect(told(plan.report)).toEqual([
      [2, 'create'],
      [3, 'rename'],
      [4, 'rename'],
    ]);
    const { report, code, stderr } = await sync(service, file, '--rename-from', 'old', '--chunk', '1');
    expect(told(report), stderr).toEqual([
      [2, 'created'],
      [3, 'renamed'],
      [4, 'renamed'],
    ]);
    expect(code).toBe(0);
    expect(await userOf(service, end)).toMatchObject({ serial: b.serial, name: 'Second' });
    expect(await userOf(service, b.employeeID)).toMatchObject({ serial: a.serial, name: 'First' });
    expect(await userOf(service, a.employeeID)).toMatchObject({ name: 'Newcomer' });

    const again = await sync(service, file, '--rename-from', 'old');
    expect(told(again.report)).toEqual([
      [2, 'unchanged'],
      [3, 'unchanged'],
      [4, 'unchanged'],
    ]);
  });

  test('rejects a row whose ID was not given up, instead of overwriting its user', async () => {
    const user = await service.givenUser({ name: 'Keeps the ID' });
    const file = givenFile(
      'employeeID,name,email,phone,old\n' +
        `${newId()},Moves away,,${'1'.repeat(256)},${user.employeeID}\n` +
        `${user.employeeID},Newcomer,n@example.com,,\n`,
    );
    const { report, code } = await sync(service, file, '--rename-from', 'old');
    expect(code).toBe(1);
    expect(told(report)).toEqual([
      [2, 'failed: FIELD_INVALID'],
      [3, 'failed: RENAME_FIRST'],
    ]);
    expect(await userOf(service, user.employeeID)).toMatchObject({
      serial: user.serial,
      name: 'Keeps the ID',
    });
  });

  test('rejects a cycle, because the next run would reverse it', async () => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const file = givenFile(
      `employeeID,old\n${a.employeeID},${b.employeeID}\n${b.employeeID},${a.employeeID}\n`,
    );
    const { report } = await sync(service, file, '--rename-from', 'old');
    expect(told(report)).toEqual([
      [2, 'failed: RENAME_CIRCLE'],
      [3, 'failed: RENAME_CIRCLE'],
    ]);
  });

  test('rejects a reused old ID, an invalid old ID, and a target ID in use', async () => {
    const [a, b, c] = [await service.givenUser(), await service.givenUser(), await service.givenUser()];
    const file = givenFile(
      'employeeID,old\n' +
        `${newId()},${a.employeeID}\n${newId()},${a.employeeID}\n${newId()},no id\n${b.employeeID},${c.employeeID}\n`,
    );
    const { report } = await sync(service, file, '--rename-from', 'old');
    expect(told(report)).toEqual([
      [2, 'failed: RENAME_TWICE'],
      [3, 'failed: RENAME_TWICE'],
      [4, 'failed: RENAME_INVALID'],
      [5, 'failed: RENAME_TAKEN'],
    ]);
  });

  test('also renames by a column with the new ID, recognized by its heading', async () => {
    const [user, other] = [await service.givenUser(), await service.givenUser()];
    const to = newId();
    const file = givenFile(`employeeID,New employee ID\n${user.employeeID},${to}\n${other.employeeID},\n`);
    const { report } = await sync(service, file);
    expect(told(report)).toEqual([
      [2, 'renamed'],
      [3, 'unchanged'],
    ]);
    expect(await userOf(service, to)).toMatchObject({ serial: user.serial });
  });
});
