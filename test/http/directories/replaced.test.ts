import { describe, expect, test } from 'vitest';
import {
  callIdOf,
  failuresOf,
  givenUpdates,
  readCall,
  successesOf,
  undo,
  undone,
} from '../../support/calls.js';
import {
  confirmed,
  deleteEntry,
  foundEntries,
  givenEntry,
  putEntry,
  readEntry,
} from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { anItem, type GivenUser, newId, useService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

const service = useService();

const fieldOf = async (serial: string, field: string) => (await service.readUser(serial))[field];

describe('renaming an organization', () => {
  test('moves its users, its name, its parent and its parts, and back when it is undone', async () => {
    const [whole, serial, part, newSerial] = [newId('W'), newId('O'), newId('P'), newId('N')];
    await givenEntry(service, 'organizations', serial, { displayName: 'Säles', parentSerial: whole });
    await givenEntry(service, 'organizations', part, { parentSerial: serial });
    const users = [
      await service.givenUser({ organizationSerial: serial }),
      await service.givenUser({ organizationSerial: serial, isActive: false }),
    ];
    const reply = await confirmed(service, '/service/organizations/rename', {
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
      hasParts: true,
      users: { total: 2, active: 1, isExact: true },
    });
    expect(await readEntry(service, 'organizations', part)).toMatchObject({ parentSerial: newSerial });
    expect(await readEntry(service, 'organizations', serial)).toBe(404);
    expect(await foundEntries(service, 'organizations', serial)).toEqual([]);

    const callId = callIdOf(reply);
    expect(await readCall(service, callId)).toMatchObject({
      ...{ kind: 'rename-organization', changes: 2, undone: null },
      replaces: { from: serial, to: newSerial },
    });
    const undoId = await undone(service, callId);
    expect(await readCall(service, undoId)).toMatchObject({
      replaces: null,
      undone: { kind: 'rename-organization', replaces: { from: serial, to: newSerial } },
    });
    const counts = { total: 2, active: 1, isExact: true };
    const former = { serial, displayName: 'Säles', parentSerial: whole, hasParts: true, users: counts };
    expect(await readEntry(service, 'organizations', serial)).toEqual(former);
    expect(await readEntry(service, 'organizations', part)).toMatchObject({ parentSerial: serial });
    expect(await readEntry(service, 'organizations', newSerial)).toBe(404);

    await undone(service, undoId);
    expect(await readEntry(service, 'organizations', newSerial)).toEqual({ ...former, serial: newSerial });
    expect(await readEntry(service, 'organizations', part)).toMatchObject({ parentSerial: newSerial });
    expect(await readEntry(service, 'organizations', serial)).toBe(404);
  });

  test('takes a new serial only once, if two are renamed to it at the same time', async () => {
    const [one, other, wanted] = [newId('ORG'), newId('ORG'), newId('ORG')];
    for (const organizationSerial of [one, other]) await service.givenUser({ organizationSerial });
    const replies = await Promise.all(
      [one, other].map((serial) =>
        service.post('/service/organizations/rename?confirm=1', { serial, newSerial: wanted }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await readEntry(service, 'organizations', wanted)).toMatchObject({ users: { total: 1 } });
  });

  test('can be followed by renaming it back', async () => {
    const [serial, newSerial, part] = [newId('O'), newId('N'), newId('P')];
    await givenEntry(service, 'organizations', serial, { displayName: 'Sales' });
    await givenEntry(service, 'organizations', part, { parentSerial: serial });
    await service.givenUser({ organizationSerial: serial });
    const path = '/service/organizations/rename';
    await confirmed(service, path, { serial, newSerial });
    const back = await confirmed(service, path, { serial: newSerial, newSerial: serial });
    expect(back.status, back.text).toBe(200);
    expect(await readEntry(service, 'organizations', serial)).toMatchObject({
      displayName: 'Sales',
      users: { total: 1 },
    });
    expect(await readEntry(service, 'organizations', part)).toMatchObject({ parentSerial: serial });
    expect(await readEntry(service, 'organizations', newSerial)).toBe(404);
  });

  test('leaves the directory alone when it is undone after the old serial was added again', async () => {
    const [serial, newSerial] = [newId('O'), newId('N')];
    await givenEntry(service, 'organizations', serial, { displayName: 'Sales' });
    const user = await service.givenUser({ organizationSerial: serial });
    const reply = await confirmed(service, '/service/organizations/rename', {
      serial,
      newSerial,
    });
    await givenEntry(service, 'organizations', serial, { displayName: 'Another' });
    await undone(service, callIdOf(reply));
    expect(await fieldOf(user.serial, 'organizationSerial')).toBe(serial);
    const names = [serial, newSerial].map(
      async (each) => (await readEntry(service, 'organizations', each)).displayName,
    );
    expect(await Promise.all(names)).toEqual(['Another', 'Sales']);
  });

  test('stays done if its undo skips every user', async () => {
    const [serial, newSerial, other] = [newId('O'), newId('N'), newId('X')];
    await givenEntry(service, 'organizations', serial, { displayName: 'Sales' });
    const user = await service.givenUser({ organizationSerial: serial });
    const reply = await confirmed(service, '/service/organizations/rename', {
      serial,
      newSerial,
    });
    await givenUpdates(service, [anItem(user, { organizationSerial: other })]);
    expect(failuresOf(await undo(service, callIdOf(reply)))).toHaveLength(1);
    expect(await readEntry(service, 'organizations', newSerial)).toMatchObject({ displayName: 'Sales' });
    expect(await readEntry(service, 'organizations', serial)).toBe(404);
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
    const reply = await confirmed(service, '/service/organizations/rename', {
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
    const reply = await confirmed(service, '/service/organizations/rename', {
      serial,
      newSerial,
    });
    expect([successesOf(reply), failuresOf(reply)]).toEqual([[], []]);
    expect(await readEntry(service, 'organizations', newSerial)).toMatchObject({ displayName: 'Empty' });
    expect(await readEntry(service, 'organizations', serial)).toBe(404);
    await undone(service, callIdOf(reply));
    expect(await readEntry(service, 'organizations', newSerial)).toMatchObject({ displayName: 'Empty' });
  });
});

describe('renaming a tag', () => {
  test('leaves a serial that is listed again once a user has it', async () => {
    const [serial, newSerial] = [newId('T'), newId('T')];
    await service.givenUser({ tagSerials: [serial] });
    await confirmed(service, '/service/tags/rename', { serial, newSerial });
    await service.givenUser({ tagSerials: [serial] });
    expect(await readEntry(service, 'tags', serial)).toMatchObject({
      displayName: null,
      users: { total: 1 },
    });
    expect(await foundEntries(service, 'tags', serial)).toEqual([serial]);
  });
});

describe('merging tags', () => {
  test('keeps the order of the tags of each user, and each tag once', async () => {
    const [serial, into, other] = [newId('T'), newId('T'), newId('T')];
    await givenEntry(service, 'tags', serial);
    const given = [[serial, other], [other, serial, into], [into, serial], [other, into], [serial]];
    const users: GivenUser[] = [];
    for (const tagSerials of given) users.push(await service.givenUser({ tagSerials }));
    const reply = await confirmed(service, '/service/tags/merge', { serial, into });
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
] as const)('POST /service/%s/%s', (directory, operation, field, having) => {
  const path = `/service/${directory}/${operation}`;

  /** A serial with one user, and a target for the operation. */
  async function given() {
    const [serial, target] = [newId('S'), newId('S')];
    const user = await service.givenUser(having(serial));
    if (operation === 'merge') await givenEntry(service, directory, target);
    return { user, serial, body: { serial, [field]: target } };
  }

  test('writes nothing as a preview, or without the number of users', async () => {
    const { user, body } = await given();
    const before = operation === 'rename' ? await tableStates(service) : undefined;
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
    if (before) expect(changedBetween(before, await tableStates(service))).toEqual([]);
  });

  test('rejects the same serial, an unknown one, and a wrong target', async () => {
    const { serial, body } = await given();
    const same = await service.post(path, { serial, [field]: serial });
    expectFailure(same, 400, 10004, 'REQUEST_BODY_INVALID', /are the same/);
    const unknown = await service.post(path, { ...body, serial: newId('Unknown') });
    expectFailure(unknown, 404, 10401, 'DIRECTORY_ENTRY_NOT_FOUND', /has the serial "Unknown.*"\.$/);
    const incomplete = await service.post(path, { serial });
    expectFailure(incomplete, 400, 10004, 'REQUEST_BODY_INVALID', new RegExp(`"${field}"`));
    if (operation === 'merge') {
      const missing = await service.post(path, { ...body, into: newId('Unknown') });
      expectFailure(missing, 404, 10401, 'DIRECTORY_ENTRY_NOT_FOUND', /has the serial "Unknown.*"\.$/);
    } else {
      const taken = newId('S');
      await service.givenUser(having(taken));
      const reply = await service.post(path, { serial, newSerial: taken });
      expectFailure(reply, 409, 10402, 'DIRECTORY_ENTRY_EXISTS', /merge the two/);
    }
  });

  test('leaves no entry, or one that can be deleted at once', async () => {
    const { serial, body } = await given();
    await putEntry(service, directory, serial, { displayName: 'Former' });
    expect((await confirmed(service, path, body)).status).toBe(200);
    if (operation === 'merge') expect((await deleteEntry(service, directory, serial)).status).toBe(200);
    expect(await readEntry(service, directory, serial)).toBe(404);
  });
});

test.each(['organizations', 'tags'] as const)(
  'entries of %s can have the name of an action',
  async (kind) => {
    for (const serial of ['rename', 'merge', 'resolve-names', 'remember-names']) {
      await givenEntry(service, kind, serial, { displayName: 'Like an action' });
      expect(await readEntry(service, kind, serial)).toMatchObject({ serial, displayName: 'Like an action' });
      expect((await deleteEntry(service, kind, serial)).status).toBe(200);
    }
  },
);
