import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { callIdOf, failuresOf, successesOf, undo } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();

const rename = (employeeID: string, newEmployeeID: string) =>
  service.post('/service/users/update-bulk', {
    items: [{ employeeID, newEmployeeID, name: 'Renamed', isActive: true }],
  });

async function now(): Promise<string> {
  await pause(5);
  const time = new Date().toISOString();
  await pause(5);
  return time;
}

/** The user who had A2 when the file was exported was renamed to A1, and a new hire got A2. */
async function givenReassignedId() {
  const [A1, A2] = [newId('A1'), newId('A2')];
  const leaver = await service.givenUser({ employeeID: A2 });
  const exported = await now();
  await rename(A2, A1);
  const hire = await service.givenUser({ employeeID: A2 });
  return { A1, A2, leaver, hire, exported };
}

const isActive = async ({ serial }: { serial: string }) => (await service.readUser(serial)).isActive;
const query = (asOf: string, more = '') => `?asOf=${encodeURIComponent(asOf)}${more}`;

describe('as-of addressing', () => {
  test.each(['', '&mode=finalState'])('a late file reaches the right users (%s)', async (mode) => {
    const { A2, leaver, hire, exported } = await givenReassignedId();
    const items = [{ employeeID: A2, name: 'Gone', isActive: false }];
    const path = `/service/users/update-bulk${query(exported, mode)}`;
    const preview = await service.post(`${path}&dryRun=true`, { items });
    expect(successesOf(preview)[0]?.response.serial).toBe(leaver.serial);
    const reply = await service.post(path, { items });
    expect(successesOf(reply)[0]).toMatchObject({
      payload: { employeeID: A2 },
      response: { serial: leaver.serial },
    });
    expect(await isActive(leaver)).toBe(false);
    expect(await isActive(hire)).toBe(true);
  });

  test('in a call so long that its users are read before its end', async () => {
    const { A1, A2, leaver, hire, exported } = await givenReassignedId();
    const late = await service.givenUser(); // created after the file was exported
    const nobody = Array.from({ length: 1_000 }, () => ({
      employeeID: newId('X'),
      name: 'X',
      isActive: false,
    }));
    const items = [A2, A1, late.employeeID].map((employeeID) => ({
      employeeID,
      name: 'Gone',
      isActive: false,
    }));
    const reply = await service.post(`/service/users/update-bulk${query(exported)}`, {
      items: [...items, ...nobody],
    });
    expect(successesOf(reply).map(({ response }) => response.serial)).toEqual([leaver.serial]);
    expect(failuresOf(reply)).toHaveLength(1_002);
    expect(await isActive(hire)).toBe(true);
    expect(await isActive(late)).toBe(true);
  });

  test('needs users:read, because it tells who had an employee ID', async () => {
    const items = [{ employeeID: newId(), name: 'X', isActive: true }];
    const token = await service.tokenFor('users:write');
    const path = `/service/users/update-bulk${query(new Date().toISOString())}`;
    expectFailure(
      await service.post(path, { items }, { token }),
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /users:read/,
    );
  });

  test('items of one call do not get in each other’s way', async () => {
    const { A1, A2, leaver, exported } = await givenReassignedId();
    const [newId1, other] = [newId('N'), await service.givenUser()];
    const path = `/service/users/update-bulk${query(exported)}`;
    const reply = await service.post(path, {
      items: [
        { employeeID: A2, newEmployeeID: newId1, name: 'First', isActive: true },
        { employeeID: A2, name: 'Second', isActive: true },
        { employeeID: A2, newEmployeeID: A2, name: 'Third', isActive: true },
      ],
    });
    expect(successesOf(reply).map(({ response }) => response.serial)).toEqual(Array(3).fill(leaver.serial));
    expect(await service.readUser(leaver.serial)).toMatchObject({ employeeID: newId1, name: 'Third' });
    expect(await isActive(other)).toBe(true);
    expect(A1).not.toBe(newId1);
  });

  test.each(['', '&mode=finalState'])('an ID that nobody had then fails (%s)', async (mode) => {
    const { A1, exported } = await givenReassignedId();
    const reply = await service.post(`/service/users/update-bulk${query(exported, `&details=true${mode}`)}`, {
      items: [{ employeeID: A1, name: 'Nobody', isActive: false }],
    });
    expect(failuresOf(reply)[0]?.error).toMatchObject({
      errorCode: 10102,
      detail: expect.stringMatching(
        /^items\[0\]: no user had the employee ID "A1\S+" on \d+ \w+ 20\d\d, \d\d:\d\d UTC\.$/,
      ),
      data: { employeeID: A1, asOf: exported },
    });
  });

  test('an upsert creates who is new, and refuses an ID that somebody else has got since', async () => {
    const { A1, leaver, exported } = await givenReassignedId();
    const fresh = newId('F');
    const reply = await service.post(`/service/users/upsert-bulk${query(exported)}`, {
      items: [fresh, A1].map((employeeID) => ({ ...aUser(), employeeID })),
    });
    expect(successesOf(reply).map(({ payload }) => payload.employeeID)).toEqual([fresh]);
    expect(failuresOf(reply)[0]?.error).toMatchObject({
      errorCode: 10101,
      data: { takenBy: { field: 'employeeID', serial: leaver.serial } },
    });
  });

  test('a user who was removed since is reported as such', async () => {
    const employeeID = newId('R');
    const created = await service.post('/service/users/create-bulk', {
      items: [{ ...aUser(), employeeID }],
    });
    const exported = await now();
    await undo(service, callIdOf(created));
    const reply = await service.post(`/service/users/update-bulk${query(exported, '&details=true')}`, {
      items: [{ employeeID, name: 'Gone', isActive: false }],
    });
    expect(failuresOf(reply)[0]?.error.detail).toMatch(
      /the user who had the employee ID .* no longer exists\.$/,
    );
  });

  test('a lookup finds them under the employee ID of then', async () => {
    const { A1, A2, leaver, exported } = await givenReassignedId();
    const reply = await service.post(`/service/users/lookup${query(exported)}`, { employeeIDs: [A1, A2] });
    expect(reply.json.data).toMatchObject({
      items: [{ serial: leaver.serial, employeeID: A1, employeeIDAsOf: A2 }],
      notFound: [A1],
    });
  });

  test.each([
    ['2026-11-15', /^"asOf" must be a time with an offset, such as/],
    ['9999-01-01T00:00:00Z', /^"asOf" must not be in the future/],
  ])('rejects %s', async (asOf, message) => {
    for (const [path, body] of [
      ['update-bulk', { items: [] }],
      ['upsert-bulk', { items: [] }],
      ['lookup', { employeeIDs: [] }],
    ] as const) {
      const reply = await service.post(`/service/users/${path}${query(asOf)}`, body);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', message);
    }
  });

  test('rejects a time before the first change, in an upsert, too, which would create users', async () => {
    const { employeeID } = await service.givenUser();
    const items = [{ employeeID, name: 'Ada', isActive: true }];
    for (const [path, body] of [
      ['update-bulk', { items }],
      ['upsert-bulk', { items }],
      ['lookup', { employeeIDs: [employeeID] }],
    ] as const) {
      const reply = await service.post(`/service/users/${path}${query('2000-01-01T00:00:00Z')}`, body);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', /where the change log begins/);
    }
  });
});
