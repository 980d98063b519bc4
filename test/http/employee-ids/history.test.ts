import { describe, expect, test } from 'vitest';
import { failuresOf } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

const rename = (employeeID: string, newEmployeeID: string) =>
  service.post('/service/users/update-bulk', {
    items: [{ employeeID, newEmployeeID, name: 'Renamed', isActive: true }],
  });
const history = (employeeID: string) =>
  service.get(`/service/employee-ids/${encodeURIComponent(employeeID)}`);

describe('GET /service/employee-ids/{id}', () => {
  test('names the holder and all former holders', async () => {
    const [first, second, third] = [newId('H'), newId('H'), newId('H')];
    const one = await service.givenUser({ employeeID: first });
    await rename(first, second);
    const two = await service.givenUser({ employeeID: first });
    await rename(first, third);
    const three = await service.givenUser({ employeeID: first, name: 'Grace Hopper' });
    const { data } = (await history(first)).json;
    expect(data).toMatchObject({
      employeeID: first,
      holder: { serial: three.serial, name: 'Grace Hopper' },
      formerHolders: [
        { serial: two.serial, newEmployeeID: third },
        { serial: one.serial, newEmployeeID: second },
      ],
    });
    const [later, earlier] = data.formerHolders;
    expect(earlier.since < earlier.until && earlier.until <= later.since && later.since < later.until).toBe(
      true,
    );
    expect(data.holder.since >= later.until).toBe(true);
    expect((await history(second)).json.data).toMatchObject({
      holder: { serial: one.serial },
      formerHolders: [],
    });
  });

  test.each(['nobody-has-it', 'a b', '%00', '~x', 'x'.repeat(300)])('is unknown: %s', async (id) => {
    const reply = await service.get(`/service/employee-ids/${id === '%00' ? id : encodeURIComponent(id)}`);
    expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /^No user has or had the employee ID /);
  });
});

describe('an employee ID that was changed', () => {
  test('error 10102 tells what happened to it', async () => {
    const [old, next] = [newId('O'), newId('N')];
    const { serial } = await service.givenUser({ employeeID: old });
    await rename(old, next);
    const items = [{ employeeID: old, name: 'Late', isActive: true }];
    for (const more of ['', '&dryRun=true', '&mode=finalState']) {
      const reply = await service.post(`/service/users/update-bulk?details=true${more}`, { items });
      expect(failuresOf(reply)[0]?.error).toMatchObject({
        errorCode: 10102,
        detail: expect.stringMatching(
          new RegExp(
            `^items\\[0\\]: no user has the employee ID "${old}"\\. It was changed to "${next}" on \\d+ \\w+ 20\\d\\d\\.$`,
          ),
        ),
        data: { employeeID: old, changed: { serial, newEmployeeID: next } },
      });
    }
  });

  test('but not to a caller who may not read users', async () => {
    const [old, next] = [newId('O'), newId('N')];
    const { serial } = await service.givenUser({ employeeID: old });
    await rename(old, next);
    const token = await service.tokenFor('users:write');
    const items = [{ employeeID: old, name: 'Late', isActive: true }];
    const reply = await service.request('POST', '/service/users/update-bulk?details=true', {
      body: { items },
      token,
    });
    expect(reply.text).toContain('10102');
    expect(reply.text).not.toContain(next);
    expect(reply.text).not.toContain(serial);
  });

  test('finds its user by filter and by search, marked as a former ID', async () => {
    const [old, next] = [newId('Formerly'), newId('N')];
    const { serial } = await service.givenUser({ employeeID: old });
    expect((await service.get(`/service/users?search=${old}`)).json.data.items[0]).not.toHaveProperty(
      'formerEmployeeID',
    );
    await rename(old, next);
    const marked = { serial, employeeID: next, formerEmployeeID: old };
    for (const query of [`formerEmployeeID=${old}`, `search=${old}`, `search=${old}%20renamed`]) {
      const { items } = (await service.get(`/service/users?${query}`)).json.data;
      expect(items, query).toMatchObject([marked]);
    }
    const { items } = (await service.get(`/service/users?search=${next}`)).json.data;
    expect(items).toMatchObject([{ serial }]);
    expect(items[0]).not.toHaveProperty('formerEmployeeID');
    expect((await service.get(`/service/users?formerEmployeeID=${next}`)).json.data.items).toEqual([]);
  });
});
