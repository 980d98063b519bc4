import { beforeAll, describe, expect, test } from 'vitest';
import { rebuildIndex } from '../../../src/storage/indexing/index-state.js';
import { failuresOf, givenUpdates, successesOf, undo } from '../../support/calls.js';
import { confirmed, deleteEntry, givenEntry, readEntry } from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { anItem, aUser, type GivenUser, newId, type Reply, useOwnService } from '../../support/service.js';

const service = useOwnService({ ROLLCALL_DIRECTORIES: 'strict' });

beforeAll(async () => {
  await givenEntry(service, 'organizations', 'O1');
  await givenEntry(service, 'tags', 'T1');
  await givenEntry(service, 'tags', 'T2');
});

const known = { organizationSerial: 'O1', tagSerials: ['T1', 'T2'] };
const unknown = [
  [{ organizationSerial: 'O9' }, 'organizationSerial', /names the organization "O9", which is not in/],
  [{ tagSerials: ['T1', 'T9'] }, 'tagSerials', /names the tag "T9", which is not in the directory/],
] as const;

/** Positions and reasons of the items that failed; all others must have succeeded. */
function expectFailedItems(reply: Reply, items: number, failed: Record<number, RegExp>): void {
  expect(reply.status, reply.text).toBe(200);
  const failures = failuresOf(reply) as unknown as {
    position: number;
    error: { errorCode: number; detail: string };
  }[];
  expect(successesOf(reply)).toHaveLength(items - Object.keys(failed).length);
  expect(failures.map(({ error }) => [error.errorCode, error.detail])).toEqual(
    Object.values(failed).map((detail) => [10107, expect.stringMatching(detail)]),
  );
  for (const [index, position] of Object.keys(failed).entries())
    expect(failures[index]?.error.detail).toMatch(new RegExp(`^items\\[${position}\\]`));
}

describe('with ROLLCALL_DIRECTORIES=strict', () => {
  test.each(unknown)('single requests with %o fail and change nothing', async (fields, field, detail) => {
    const reply = await service.post('/service/users', aUser(fields));
    expectFailure(reply, 400, 10107, 'USER_FIELD_INVALID', detail);
    const user = await service.givenUser(known);
    const before = await service.readUser(user.serial);
    const patched = await service.request('PATCH', `/service/users/${user.serial}`, {
      body: { name: 'Changed', ...fields },
    });
    expectFailure(patched, 400, 10107, 'USER_FIELD_INVALID', detail);
    expect(patched.json.data).toMatchObject({ field });
    expect(await service.readUser(user.serial)).toEqual(before);
  });

  test('bulk calls fail for items with unknown serials, and for no others', async () => {
    const [byOrganization, byTag] = [unknown[0][2], unknown[1][2]];
    const users = [aUser(known), aUser(unknown[0][0]), aUser(), aUser(unknown[1][0])];
    expectFailedItems(await service.createBulk(users), 4, { 1: byOrganization, 3: byTag });

    const stored = [
      await service.givenUser(known),
      await service.givenUser(),
      await service.givenUser(known),
    ];
    const [one, two, three] = stored as [GivenUser, GivenUser, GivenUser];
    const items = [
      anItem(one, unknown[1][0]),
      anItem(two, known),
      anItem(three, { organizationSerial: '', tagSerials: [] }),
      anItem(two, { ...unknown[0][0], newEmployeeID: newId() }),
    ];
    for (const query of ['?dryRun=true', '', '?mode=finalState']) {
      const reply = await service.updateBulk(items.slice(0, query === '?mode=finalState' ? 3 : 4), query);
      if (query === '?mode=finalState') expectFailedItems(reply, 3, { 0: byTag });
      else expectFailedItems(reply, 4, { 0: byTag, 3: byOrganization });
    }
    const read = async ({ serial }: GivenUser) => {
      const { organizationSerial, tagSerials, employeeID } = await service.readUser(serial);
      return { organizationSerial, tagSerials, employeeID };
    };
    expect(await read(one)).toEqual({ ...known, employeeID: one.employeeID });
    expect(await read(two)).toEqual({ ...known, employeeID: two.employeeID });
    expect(await read(three)).toMatchObject({ organizationSerial: null, tagSerials: [] });

    const upserts = [
      aUser(unknown[0][0]),
      aUser(known),
      { ...aUser(unknown[1][0]), employeeID: one.employeeID },
      { ...aUser(known), employeeID: three.employeeID },
    ];
    expectFailedItems(await service.upsertBulk(upserts), 4, { 0: byOrganization, 2: byTag });
    expect(await read(three)).toMatchObject(known);
    expect(await readEntry(service, 'organizations', 'O9')).toBe(404);
    expect(await readEntry(service, 'tags', 'T9')).toBe(404);
  });

  test('update-matching rejects unknown serials as a whole, and accepts removing any', async () => {
    await service.givenUser({ tagSerials: ['T2'], employeeID: 'matching' });
    const filter = { employeeID: 'matching' };
    const update = (patch: unknown) =>
      service.post('/service/users/update-matching?confirm=1', { filter, patch });
    expectFailure(
      await update({ organizationSerial: 'O9' }),
      400,
      10107,
      'USER_FIELD_INVALID',
      /organization "O9"/,
    );
    expectFailure(await update({ addTagSerials: ['T9'] }), 400, 10107, 'USER_FIELD_INVALID', /tag "T9"/);
    const reply = await update({
      organizationSerial: 'O1',
      addTagSerials: ['T1'],
      removeTagSerials: ['T2', 'T9'],
    });
    expectFailedItems(reply, 1, {});
  });

  test('a renamed serial is no longer known', async () => {
    const [serial, newSerial] = [newId('O'), newId('O')];
    await givenEntry(service, 'organizations', serial);
    await service.givenUser({ organizationSerial: serial });
    await confirmed(service, '/service/organizations/rename', { serial, newSerial });
    await indexNow(service);
    const create = (organizationSerial: string) =>
      service.post('/service/users', aUser({ organizationSerial }));
    expect((await create(serial)).status).toBe(400);
    expect((await create(newSerial)).status).toBe(201);
  });

  test('while the index is being built, serials that a user has are known', async () => {
    const [organizationSerial, tag] = [newId('O'), newId('T')];
    const fields = { organizationSerial, tagSerials: [tag] };
    const { pool } = service.database;
    const user = await service.givenUser();
    const other = await service.givenUser();
    await indexNow(service);
    service.context.bulkCalls.running++; // keeps the indexer from running in the background
    try {
      // Without the service, as before `rollcall reindex`.
      await pool.query('UPDATE users SET organization_serial = $1, tag_serials = $2 WHERE serial = $3', [
        organizationSerial,
        [tag],
        user.serial,
      ]);
      expect((await service.post('/service/users', aUser(fields))).status).toBe(400);
      await rebuildIndex(pool);
      expect((await service.post('/service/users', aUser(fields))).status).toBe(201);
      const items = [anItem(other, fields), anItem(user, unknown[0][0]), anItem(user, unknown[1][0])];
      expectFailedItems(await service.updateBulk(items), 3, { 1: unknown[0][2], 2: unknown[1][2] });
    } finally {
      service.context.bulkCalls.running--;
    }
    await indexNow(service);
    expect((await service.post('/service/users', aUser(fields))).status).toBe(201);
  });

  test('a serial that an undo brings back is known at once', async () => {
    const [former, present] = [newId('ORG'), newId('ORG')];
    for (const serial of [former, present]) await givenEntry(service, 'organizations', serial);
    const user = await service.givenUser({ organizationSerial: former });
    const callId = await givenUpdates(service, [anItem(user, { organizationSerial: present })]);
    expect((await deleteEntry(service, 'organizations', former)).status).toBe(200);
    await undo(service, callId);
    expect(await readEntry(service, 'organizations', former)).toMatchObject({ users: { total: 1 } });
    await service.givenUser({ organizationSerial: former });
  });

  test('PUT and a rename make a serial known, and DELETE makes it unknown again', async () => {
    const tag = newId('T');
    const creates = async (serial: string) =>
      (await service.post('/service/users', aUser({ tagSerials: [serial] }))).status;
    expect(await creates(tag)).toBe(400);
    await givenEntry(service, 'tags', tag);
    expect(await creates(tag)).toBe(201);
    const renamed = await service.post('/service/tags/rename?confirm=1', {
      serial: tag,
      newSerial: `${tag}x`,
    });
    expectFailedItems(renamed, 1, {});
    expect(await creates(`${tag}x`)).toBe(201);
    await givenEntry(service, 'tags', `${tag}y`);
    expect((await service.request('DELETE', `/service/tags/${tag}y`)).status).toBe(200);
    expect(await creates(`${tag}y`)).toBe(400);
  });
});
