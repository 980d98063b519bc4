import { describe, expect, test } from 'vitest';
import { callIdOf, failuresOf, readCall, successesOf, undo } from '../../support/calls.js';
import { confirmed, deleteEntry, givenEntry, putEntry, readEntry } from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { type GivenUser, newId, useService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

const service = useService();

const fieldOf = async (serial: string, field: string) => (await service.readUser(serial))[field];

describe('renaming an organization', () => {
  test('moves its users, its name, its parent and its parts, and is undone for the users', async () => {
    const [whole, serial, part, newSerial] = [newId('W'), newId('O'), newId('P'), newId('N')];
    await givenEntry(service, 'organizations', serial, { displayName: 'Säles', parentSerial: whole });
    await givenEntry(service, 'organizations', part, { parentSerial: serial });
    const users = [
      await service.givenUser({ organizationSerial: serial }),
      await service.givenUser({ organizationSerial: serial, isActive: false }),
    ];
    const reply = await confirmed(service, '/service/directories/organizations/rename', {
      serial,
      newSerial,
    });
    expect(successesOf(reply).map(({ payload }) => payload)).toEqual(
      users.map(({ employeeID }) => ({ employeeID })),
    );
    expect(await readEntry(service, 'organizations', newSerial)).toEqual({
      serial: newSerial,
      displayName: 'Säles',
      parentSerial: whole,
      users: { total: 2, active: 1 },
    });
    expect(await readEntry(service, 'organizations', part)).toMatchObject({ parentSerial: newSerial });
    expect(await readEntry(service, 'organizations', serial)).toMatchObject({ users: { total: 0 } });

    const callId = callIdOf(reply);
    expect(await readCall(service, callId)).toMatchObject({ kind: 'rename-organization', changes: 2 });
    expect((await undo(service, callId)).status).toBe(200);
    expect(await readEntry(service, 'organizations', serial)).toMatchObject({
      displayName: 'Säles',
      users: { total: 2, active: 1 },
    });
  });

  test.each([
    ['its own parent', 1],
    ['the parent of its parent', 2],
  ])('to %s, which is not in the directory, leaves no circle', async (_, levels) => {
    const serials = Array.from({ length: levels + 1 }, () => newId('O'));
    const [serial = '', parent = ''] = serials;
    for (const [index, each] of serials.slice(0, -1).entries())
      await givenEntry(service, 'organizations', each, { parentSerial: serials[index + 1] });
    const newSerial = serials.at(-1) ?? '';
    const reply = await confirmed(service, '/service/directories/organizations/rename', {
      serial,
      newSerial,
    });
    expect(reply.status, reply.text).toBe(200);
    expect(await readEntry(service, 'organizations', newSerial)).toMatchObject({ parentSerial: null });
    if (levels > 1)
      expect(await readEntry(service, 'organizations', parent)).toMatchObject({ parentSerial: newSerial });
  });

  test('that nobody has moves only what the directory says', async () => {
    const [serial, newSerial] = [newId('O'), newId('N')];
    await givenEntry(service, 'organizations', serial, { displayName: 'Empty' });
    const reply = await confirmed(service, '/service/directories/organizations/rename', {
      serial,
      newSerial,
    });
    expect([successesOf(reply), failuresOf(reply)]).toEqual([[], []]);
    expect(await readEntry(service, 'organizations', newSerial)).toMatchObject({ displayName: 'Empty' });
  });
});

describe('merging tags', () => {
  test('keeps the order of the tags of each user, and each tag once', async () => {
    const [serial, into, other] = [newId('T'), newId('T'), newId('T')];
    await givenEntry(service, 'tags', serial);
    const given = [[serial, other], [other, serial, into], [into, serial], [other, into], [serial]];
    const users: GivenUser[] = [];
    for (const tagSerials of given) users.push(await service.givenUser({ tagSerials }));
    const reply = await confirmed(service, '/service/directories/tags/merge', { serial, into });
    expect(successesOf(reply)).toHaveLength(4);
    const tags = () => Promise.all(users.map((user) => fieldOf(user.serial, 'tagSerials')));
    expect(await tags()).toEqual([[into, other], [other, into], [into], [other, into], [into]]);
    expect(await readEntry(service, 'tags', serial)).toMatchObject({ users: { total: 0 } });
    expect(await readEntry(service, 'tags', into)).toMatchObject({ users: { total: 5 } });
    expect(await readCall(service, callIdOf(reply))).toMatchObject({ kind: 'merge-tag', changes: 4 });
    await undo(service, callIdOf(reply));
    expect(await tags()).toEqual(given);
    expect(await readEntry(service, 'tags', serial)).toMatchObject({ users: { total: 4 } });
  });
});

describe.each([
  ['organizations', 'rename', 'newSerial', (serial: string) => ({ organizationSerial: serial })],
  ['organizations', 'merge', 'into', (serial: string) => ({ organizationSerial: serial })],
  ['tags', 'rename', 'newSerial', (serial: string) => ({ tagSerials: [serial] })],
  ['tags', 'merge', 'into', (serial: string) => ({ tagSerials: [serial] })],
] as const)('POST /service/directories/%s/%s', (directory, operation, field, having) => {
  const path = `/service/directories/${directory}/${operation}`;

  /** A serial with one user, and a target for the operation. */
  async function given() {
    const [serial, target] = [newId('S'), newId('S')];
    const user = await service.givenUser(having(serial));
    if (operation === 'merge') await givenEntry(service, directory, target);
    return { user, serial, body: { serial, [field]: target } };
  }

  test('writes nothing as a preview, or without the number of users', async () => {
    const { user, body } = await given();
    const before = await tableStates(service);
    const preview = await service.post(`${path}?dryRun=true`, body);
    expect(successesOf(preview)).toMatchObject([
      { payload: { employeeID: user.employeeID }, effect: { kind: 'updated' } },
    ]);
    for (const query of ['', '?confirm=0', '?confirm=2']) {
      const reply = await service.post(`${path}${query}`, body);
      expectFailure(reply, 409, 10306, 'CALL_CONFIRMATION_REQUIRED', /confirm=1/);
      expect(reply.json.data).toEqual({ confirm: 1 });
    }
    const invalid = await service.post(`${path}?confirm=many`, body);
    expectFailure(invalid, 400, 10005, 'REQUEST_PARAMETER_INVALID', /"confirm" must be a whole number/);
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
  });

  test('rejects the same serial, an unknown one, and a wrong target', async () => {
    const { serial, body } = await given();
    const same = await service.post(path, { serial, [field]: serial });
    expectFailure(same, 400, 10004, 'REQUEST_BODY_INVALID', /are the same/);
    const unknown = await service.post(path, { ...body, serial: newId('Unknown') });
    expectFailure(unknown, 404, 10401, 'DIRECTORY_ENTRY_NOT_FOUND', /has this serial/);
    const incomplete = await service.post(path, { serial });
    expectFailure(incomplete, 400, 10004, 'REQUEST_BODY_INVALID', new RegExp(`"${field}"`));
    if (operation === 'merge') {
      const missing = await service.post(path, { ...body, into: newId('Unknown') });
      expectFailure(missing, 404, 10401, 'DIRECTORY_ENTRY_NOT_FOUND', /has this serial/);
    } else {
      const taken = newId('S');
      await service.givenUser(having(taken));
      const reply = await service.post(path, { serial, newSerial: taken });
      expectFailure(reply, 409, 10402, 'DIRECTORY_ENTRY_EXISTS', /merge the two/);
    }
  });

  test('leaves an entry that can be deleted at once', async () => {
    const { serial, body } = await given();
    await putEntry(service, directory, serial, { displayName: 'Former' });
    expect((await confirmed(service, path, body)).status).toBe(200);
    expect((await deleteEntry(service, directory, serial)).status).toBe(200);
    expect(await readEntry(service, directory, serial)).toBe(404);
  });
});
