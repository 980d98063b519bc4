import { describe, expect, test } from 'vitest';
import { callIdOf, failuresOf, readCall, successesOf, undo } from '../../support/calls.js';
import { confirmed } from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aClient, givenHolder, roleOf } from '../../support/protected-users.js';
import { aUser, newId, useOwnService, useService } from '../../support/service.js';
import { changedBetween, tableStates } from '../../support/table-states.js';

const path = '/service/users/update-matching';
const service = useService();

async function givenUsers(users: readonly Record<string, unknown>[]) {
  const organizationSerial = newId('ORG');
  const given = [];
  for (const user of users) given.push(await service.givenUser({ organizationSerial, ...user }));
  return { organizationSerial, users: given, serials: given.map(({ serial }) => serial) };
}

const read = (serials: readonly string[], field: string) =>
  Promise.all(serials.map(async (serial) => (await service.readUser(serial))[field]));

describe('POST /service/users/update-matching', () => {
  test('adds and removes tags, each once and in order, and is recorded and undone like any bulk call', async () => {
    const given = [['A', 'B'], ['C'], [], ['B', 'X', 'A']];
    const { organizationSerial, serials, users } = await givenUsers(
      given.map((tagSerials) => ({ tagSerials })),
    );
    const before = await tableStates(service);
    const body = {
      filter: { organizationSerial },
      patch: { addTagSerials: ['X', 'C', 'X'], removeTagSerials: ['B'] },
    };
    const preview = await service.post(`${path}?dryRun=true`, body);
    expect(successesOf(preview)).toHaveLength(4);
    expect(preview.headers.get('x-call-id')).toBeNull();
    expect(changedBetween(before, await tableStates(service))).toEqual([]);

    const reply = await confirmed(service, path, body);
    expect(successesOf(reply).map(({ payload, response }) => [payload.employeeID, response.serial])).toEqual(
      users.map(({ employeeID, serial }) => [employeeID, serial]),
    );
    expect(await read(serials, 'tagSerials')).toEqual([
      ['A', 'X', 'C'],
      ['C', 'X'],
      ['X', 'C'],
      ['X', 'A', 'C'],
    ]);
    const patch = [
      ...[
        { kind: 'addTag', target: 'X' },
        { kind: 'addTag', target: 'C' },
      ],
      { kind: 'removeTag', target: 'B' },
    ];
    const call = { kind: 'update-matching', items: 4, succeeded: 4, failed: 0, changes: 4, patch };
    expect(await readCall(service, callIdOf(reply))).toMatchObject(call);
    const listed = await service.get('/service/calls?kind=update-matching&limit=200');
    expect(listed.json.data.items.map(({ id }: { id: string }) => id)).toContain(callIdOf(reply));
    await undo(service, callIdOf(reply));
    expect(await read(serials, 'tagSerials')).toEqual(given);
  });

  test('changes each user once, even if the patch changes who matches', async () => {
    const { organizationSerial, serials } = await givenUsers([{}, { isActive: false }, {}]);
    const elsewhere = newId('ORG');
    const reply = await confirmed(service, path, {
      filter: { organizationSerial: [organizationSerial], isActive: true },
      patch: { isActive: false, organizationSerial: elsewhere },
    });
    expect(successesOf(reply)).toHaveLength(2);
    expect(await read(serials, 'organizationSerial')).toEqual([elsewhere, organizationSerial, elsewhere]);
    expect(await read(serials, 'isActive')).toEqual([false, false, false]);
    const removed = { filter: { organizationSerial: elsewhere }, patch: { organizationSerial: null } };
    await confirmed(service, path, removed);
    expect(await read(serials, 'organizationSerial')).toEqual([null, organizationSerial, null]);
    await confirmed(service, path, { filter: { organizationSerial }, patch: { isActive: true } });
    expect(await read(serials, 'isActive')).toEqual([false, true, false]);
  });

  test('requires the current number of matches, also if nobody matches', async () => {
    const filter = { organizationSerial: newId('ORG'), search: 'ada' };
    const body = { filter, patch: { addTagSerials: ['X'] } };
    const unconfirmed = await service.post(path, body);
    expectFailure(unconfirmed, 409, 10306, 'CALL_CONFIRMATION_REQUIRED', /0 users match/);
    const reply = await service.post(`${path}?confirm=0`, body);
    expect([reply.status, successesOf(reply), failuresOf(reply)]).toEqual([200, [], []]);
    await service.givenUser({ organizationSerial: filter.organizationSerial });
    expectFailure(
      await service.post(`${path}?confirm=0`, body),
      409,
      10306,
      'CALL_CONFIRMATION_REQUIRED',
      /1 user matches.*confirm=1/,
    );
  });

  test('fails for a user who would have more than 100 tags, and for no one else', async () => {
    const full = Array.from({ length: 100 }, (_, index) => `T${index}`);
    const { organizationSerial, serials } = await givenUsers([
      { tagSerials: full },
      { tagSerials: full.slice(1) },
    ]);
    const patch = { addTagSerials: ['T0', 'new'], removeTagSerials: ['T1'] };
    const enough = await confirmed(service, path, { filter: { organizationSerial }, patch });
    expect(failuresOf(enough)).toEqual([]);
    const more = await confirmed(service, path, {
      filter: { organizationSerial },
      patch: { addTagSerials: ['T1', 'T2'] },
    });
    expect(failuresOf(more).map(({ error }) => error)).toMatchObject([
      { errorCode: 10107, detail: expect.stringMatching(/^"tagSerials" must be .* at most 100/) },
      { errorCode: 10107 },
    ]);
    expect((await read(serials, 'tagSerials')).map((tags) => (tags as string[]).length)).toEqual([100, 100]);
  });

  test('treats users with a role like a bulk update: only access:admin reactivates them', async () => {
    const organizationSerial = newId('ORG');
    const active = await givenHolder(service, 'operator', { organizationSerial });
    const inactive = await givenHolder(service, 'viewer', { organizationSerial, isActive: false });
    const client = await aClient(service);
    const change = (isActive: boolean) => ({ filter: { organizationSerial }, patch: { isActive } });
    const refused = await client.post(`${path}?confirm=2`, change(true));
    expect(failuresOf(refused).map(({ payload, error }) => [payload.employeeID, error.errorCode])).toEqual([
      [inactive.employeeID, 10111],
    ]);
    // Nobody sent items, so no message refers to their positions.
    const preview = await client.post(`${path}?dryRun=true`, change(true));
    for (const reply of [refused, preview]) {
      expect(failuresOf(reply)[0]?.error.detail).toMatch(/^The user has a role/);
    }
    expect(successesOf(await service.post(`${path}?confirm=2`, change(true)))).toHaveLength(2);
    expect(successesOf(await client.post(`${path}?confirm=2`, change(false)))).toHaveLength(2);
    expect(await roleOf(service, active.serial)).toMatchObject({ role: null });
  });

  test('accepts what lists accept, and finds the same users', async () => {
    const { organizationSerial, users } = await givenUsers([{ name: 'Zoë Müller' }, { name: 'Ada' }, {}]);
    const [first, second] = users;
    for (const [filter, count] of [
      [{ search: 'mueller zoe' }, 1],
      [{ employeeID: [first?.employeeID, second?.employeeID] }, 2],
      [{ serial: [first?.serial, 'no serial'] }, 1],
      [{ notTagSerial: 'T1', isActive: true }, 3],
      [{ role: 'none', neverSignedIn: true, mustChangePassword: true }, 3],
      [{ notRole: ['none'] }, 0],
      [{ createdUntil: '2020-01-01T00:00:00Z' }, 0],
      [{ search: '!!!' }, 0],
    ] as const) {
      const body = { filter: { organizationSerial, ...filter }, patch: { addTagSerials: ['X'] } };
      const preview = await service.post(`${path}?dryRun=true`, body);
      expect([filter, preview.json.data?.successItems?.length]).toEqual([filter, count]);
    }
  });

  test('accepts up to 1,000 serials', async () => {
    const { serials } = await givenUsers([{}, {}]);
    const others = Array.from({ length: 998 }, () => crypto.randomUUID());
    const body = { filter: { serial: [...others, ...serials] }, patch: { isActive: false } };
    expect(successesOf(await confirmed(service, path, body))).toHaveLength(2);
    expect(await read(serials, 'isActive')).toEqual([false, false]);
  });

  test.each([
    // The rules of filters are tested in test/unit/list-parameters.test.ts.
    ['no filter', { patch: { isActive: true } }, 'filter'],
    ['an empty filter', { filter: {}, patch: { isActive: true } }, 'filter'],
    ['only a blank search', { filter: { search: ' \u200b' }, patch: { isActive: true } }, 'filter'],
    [
      'null',
      { filter: { organizationSerial: null }, patch: { isActive: true } },
      'filter.organizationSerial',
    ],
    ['a flag for text', { filter: { search: true }, patch: { isActive: true } }, 'filter.search'],
    ['an unknown filter', { filter: { name: 'x' }, patch: { isActive: true } }, 'filter.name'],
    ['an empty list', { filter: { tagSerial: [] }, patch: { isActive: true } }, 'filter.tagSerial'],
    ['1,001 serials', { filter: { serial: Array(1001).fill('x') }, patch: {} }, 'filter.serial'],
    ['no patch', { filter: { isActive: true } }, 'patch'],
    ['an empty patch', { filter: { isActive: true }, patch: {} }, 'patch'],
    ['a patch of empty lists', { filter: { isActive: true }, patch: { addTagSerials: [] } }, 'patch'],
    ['an unknown field', { filter: { isActive: true }, patch: { name: 'x' } }, 'patch.name'],
    [
      'a tag that is added and removed',
      { filter: { isActive: true }, patch: { addTagSerials: ['X'], removeTagSerials: ['X'] } },
      'patch.addTagSerials',
    ],
    ['another field', { filter: { isActive: true }, patch: { isActive: true }, all: true }, 'all'],
  ])('rejects %s with 10004', async (_, body, field) => {
    const reply = await service.post(`${path}?dryRun=true`, body);
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /^"/);
    expect(reply.json.data).toEqual({ field });
  });

  test.each([
    ['{"filter":{"isActive":true,"isActive":false},"patch":{"isActive":true}}', 'filter.isActive'],
    ['{"filter":{"isActive":true},"patch":{"isActive":true,"isActive":false}}', 'patch.isActive'],
    ['{"filter":{"isActive":true},"filter":{},"patch":{"isActive":true}}', 'filter'],
  ])('rejects a field that occurs twice: %s', async (raw, field) => {
    const reply = await service.request('POST', `${path}?dryRun=true`, { rawBody: raw });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', new RegExp(`^"${field}" appears twice`));
  });

  test('rejects an Idempotency-Key, which would not protect anything', async () => {
    const { organizationSerial } = await givenUsers([{}]);
    const body = { filter: { organizationSerial }, patch: { isActive: false } };
    const headers = { 'idempotency-key': 'k' };
    const reply = await service.request('POST', `${path}?confirm=1`, { body, headers });
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', /^"Idempotency-Key" is not supported/);
  });
});

describe('in a directory of its own, POST /service/users/update-matching', () => {
  const own = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });

  test('never deactivates the last administrator, across chunks', async () => {
    await own.createBulk(Array.from({ length: 5 }, () => aUser({ username: newId('u') })));
    // The first user is the administrator that every service starts with.
    const listed = (await own.get('/service/users')).json.data.items;
    const body = { role: 'administrator' };
    await own.request('PUT', `/service/users/${listed[3].serial}/role`, { body });
    const update = { filter: { isActive: true }, patch: { isActive: false } };
    const preview = await own.post(`${path}?dryRun=true`, update);
    const reply = await own.post(`${path}?confirm=6`, update);
    for (const each of [preview, reply]) {
      expect(failuresOf(each).map(({ payload, error }) => [payload.employeeID, error.errorCode])).toEqual([
        [listed[3].employeeID, 10109],
      ]);
    }
    const active = await own.get('/service/users?isActive=true&total=exact');
    expect(active.json.data.total).toEqual({ count: 1, isExact: true });
  });
});
