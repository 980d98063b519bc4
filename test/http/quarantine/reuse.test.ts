import { describe, expect, test } from 'vitest';
import { callIdOf, undo } from '../../support/calls.js';
import { indexNow } from '../../support/index-checks.js';
import { errorOf, letDaysPass, quarantineSettings } from '../../support/quarantine.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';

const service = useService(quarantineSettings);
const day = 86_400_000;

const withDetails = '?details=true';
const update = (items: unknown[], query = withDetails) =>
  service.post(`/service/users/update-bulk${query}`, { items });
const renaming = (employeeID: string, newEmployeeID: string) => ({
  employeeID,
  newEmployeeID,
  name: 'Renamed',
  isActive: true,
});
const patch = (serial: string, body: unknown) =>
  service.request('PATCH', `/service/users/${serial}`, { body });

const kinds = ['employeeID', 'username'] as const;
type Kind = (typeof kinds)[number];
const daysOf = { employeeID: 30, username: 10 };
const codeOf = { employeeID: 10101, username: 10103 };

/** A user who had a name and has another one now. */
async function givenReleased(kind: Kind) {
  const name = newId('Q');
  const user = await service.givenUser({ username: newId('u'), [kind]: name });
  await patch(user.serial, { [kind]: newId('N') });
  return { name, serial: user.serial };
}

/** Everything that gives a name to somebody else. */
const takers: readonly [string, (kind: Kind, name: string) => Promise<Reply>][] = [
  ['a create', (kind, name) => service.post(`/service/users${withDetails}`, aUser({ [kind]: name }))],
  [
    'a create with a password',
    (kind, name) =>
      service.post(`/service/users${withDetails}`, aUser({ [kind]: name, password: 'a given password' })),
  ],
  [
    'a create with an idempotency key',
    (kind, name) =>
      service.post(`/service/users${withDetails}`, aUser({ [kind]: name }), {
        headers: { 'idempotency-key': newId() },
      }),
  ],
  ['a bulk create', (kind, name) => service.createBulk([aUser({ [kind]: name })])],
  ['a bulk upsert', (kind, name) => service.upsertBulk([aUser({ [kind]: name })])],
  [
    'a bulk upsert by its final state',
    (kind, name) => service.upsertBulk([aUser({ [kind]: name })], '?mode=finalState'),
  ],
  ['a dry run', (kind, name) => service.createBulk([aUser({ [kind]: name })], '?dryRun=true')],
  ['a bulk update', async (kind, name) => update([changeTo(kind, name, await service.givenUser())])],
  [
    'a bulk update by its final state',
    async (kind, name) =>
      update([changeTo(kind, name, await service.givenUser())], '?details=true&mode=finalState'),
  ],
  ['a patch', async (kind, name) => patch((await service.givenUser()).serial, { [kind]: name })],
];

function changeTo(kind: Kind, name: string, { employeeID }: { employeeID: string }) {
  const field = kind === 'employeeID' ? 'newEmployeeID' : kind;
  return { employeeID, name: 'Taker', isActive: true, [field]: name };
}

describe.each(kinds)('a released %s', (kind) => {
  test('cannot be taken in any way, until its quarantine is over', async () => {
    const { name, serial } = await givenReleased(kind);
    for (const [how, take] of takers) {
      const error = errorOf(await take(kind, name));
      expect(error, how).toMatchObject({
        errorCode: codeOf[kind],
        detail: expect.stringMatching(
          / was released on \d+ \w+ 20\d\d and can be given to someone else from \d+ \w+ 20\d\d, \d\d:\d\d UTC\. Use another one, or ask an administrator to release it\.$/,
        ),
        data: { quarantined: { field: kind, value: name, serial, position: null } },
      });
      const { releasedAt, quarantinedUntil } = error.data.quarantined;
      expect(Date.parse(quarantinedUntil) - Date.parse(releasedAt)).toBe(daysOf[kind] * day);
      expect(error.data).not.toHaveProperty('takenBy');
    }
    const ways = takers.filter((_, index) => index % 2 === 0);
    const released = await Promise.all(ways.map(() => givenReleased(kind)));
    const serials = released.map((each) => each.serial);
    await letDaysPass(service, serials, daysOf[kind] + 1);
    for (const [index, [how, take]] of ways.entries())
      expect(errorOf(await take(kind, released[index]?.name ?? '')), how).not.toHaveProperty('errorCode');
  });

  test('cannot be taken on its last day, indexed or not', async () => {
    const { name, serial } = await givenReleased(kind);
    await letDaysPass(service, [serial], daysOf[kind] - 1);
    expect(errorOf(await service.post('/service/users', aUser({ [kind]: name })))).toMatchObject({
      errorCode: codeOf[kind],
    });
    await indexNow(service);
    expect(errorOf(await service.post('/service/users', aUser({ [kind]: name })))).toMatchObject({
      errorCode: codeOf[kind],
    });
  });

  test('can be taken back by its last holder, in every way', async () => {
    const { name, serial } = await givenReleased(kind);
    expect((await patch(serial, { [kind]: name })).status).toBe(200);
    await patch(serial, { [kind]: newId('N') });
    const { employeeID } = (await service.readUser(serial)) as { employeeID: string };
    for (const query of ['', '?mode=finalState']) {
      const reply = await update([changeTo(kind, name, { employeeID })], query);
      expect(reply.json.data.failedItems).toEqual([]);
      await patch(serial, { [kind]: newId('N'), employeeID });
    }
  });

  test('is kept for its last holder, not for an earlier one', async () => {
    const { name, serial } = await givenReleased(kind);
    await letDaysPass(service, [serial], daysOf[kind] + 1);
    const second = await service.givenUser({ [kind]: name });
    await patch(second.serial, { [kind]: newId('N') });
    expect(errorOf(await patch(serial, { [kind]: name }))).toMatchObject({
      errorCode: codeOf[kind],
      data: { quarantined: { serial: second.serial } },
    });
  });

  test('of a user removed by an undo is quarantined, and restored by undoing the undo', async () => {
    const name = newId('Q');
    const created = await service.createBulk([aUser({ [kind]: name })]);
    const undone = await undo(service, callIdOf(created));
    expect(errorOf(await service.post('/service/users', aUser({ [kind]: name })))).toMatchObject({
      errorCode: codeOf[kind],
    });
    const redone = await undo(service, callIdOf(undone));
    expect(redone.json.data.failedItems).toEqual([]);
  });

  test('is restored by an undo, whoever had it last', async () => {
    const { name, serial } = await givenReleased(kind);
    await letDaysPass(service, [serial], daysOf[kind] + 1);
    const other = await service.givenUser({ username: newId('u'), [kind]: name });
    const freed = await update([
      { ...changeTo(kind, newId('N'), { employeeID: other.employeeID as string }) },
    ]);
    expect((await undo(service, callIdOf(freed))).json.data.failedItems).toEqual([]);
    expect(await service.readUser(other.serial)).toMatchObject({ [kind]: name });
  });

  test('does not keep its holder from being changed', async () => {
    const { name, serial } = await givenReleased(kind);
    await letDaysPass(service, [serial], daysOf[kind] + 1);
    const holder = await service.givenUser({ username: newId('u'), [kind]: name });
    await letDaysPass(service, [serial], -daysOf[kind]); // as if the quarantine had been turned on later
    expect((await patch(holder.serial, { phone: '+44 20 7946 0958' })).status).toBe(200);
    const items = [
      { employeeID: holder.employeeID, username: holder.username, name: 'Same', isActive: true },
    ];
    for (const query of ['', '?mode=finalState'])
      expect((await update(items, query)).json.data.failedItems).toEqual([]);
  });

  test('tells a caller who may not read users only until when', async () => {
    const { name, serial } = await givenReleased(kind);
    const token = await service.tokenFor('users:write');
    const body = aUser({ [kind]: name });
    const single = await service.request('POST', '/service/users?details=true', { body, token });
    const bulk = await service.request('POST', '/service/users/create-bulk', {
      body: { items: [body] },
      token,
    });
    for (const reply of [single, bulk]) {
      expect(errorOf(reply)).toMatchObject({
        errorCode: codeOf[kind],
        detail: expect.stringMatching(/ was released recently and can be given to someone else from /),
        data: { quarantined: { serial: null, releasedAt: null, quarantinedUntil: expect.any(String) } },
      });
      expect(reply.text).not.toContain(serial);
    }
  });
});

test('a username is quarantined whatever its case, and once it is cleared', async () => {
  const name = newId('Q');
  const { serial } = await service.givenUser({ username: name });
  await patch(serial, { username: null });
  expect(
    errorOf(await service.post('/service/users', aUser({ username: name.toLowerCase() }))),
  ).toMatchObject({
    errorCode: 10103,
  });
});

test('a rehire cannot take a username that somebody else has released', async () => {
  const { name } = await givenReleased('username');
  const body = async () =>
    aUser({ employeeID: (await service.givenUser({ isActive: false })).employeeID, username: name });
  const replies = [
    await service.post('/service/users?rehire=true', await body()),
    await service.createBulk([await body()], '?rehire=true'),
    await service.upsertBulk([await body()], '?rehire=true'),
    await service.upsertBulk([await body()], '?rehire=true&mode=finalState'),
  ];
  for (const reply of replies) expect(errorOf(reply), reply.text).toMatchObject({ errorCode: 10103 });
});

test('an employee ID that is quarantined comes before a username that is taken', async () => {
  const { name } = await givenReleased('employeeID');
  const { username } = await service.givenUser({ username: newId('u') });
  const reply = await service.post('/service/users', aUser({ employeeID: name, username }));
  expect(errorOf(reply)).toMatchObject({ errorCode: 10101 });
});

// Chains and cycles of one call are tested in test/storage/bulk-equals-single-updates.test.ts.
describe('within one call', () => {
  const givenEmployeeIds = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => service.givenUser()))).map(
      ({ employeeID }) => employeeID,
    ) as [string, string, ...string[]];

  test.each(['oneByOne', 'finalState'])('what an item releases is quarantined in mode %s', async (mode) => {
    const [a, b] = await givenEmployeeIds(2);
    const reply = await update([renaming(a, newId()), renaming(b, a)], `?details=true&mode=${mode}`);
    expect(reply.json.data.successItems).toHaveLength(1);
    expect(errorOf(reply)).toMatchObject({
      errorCode: 10101,
      detail: expect.stringMatching(
        /^items\[1\]: the employee ID ".*" is released by items\[0\] of this call and /,
      ),
      data: { quarantined: { position: 0 } },
    });
  });

  test('its user can have it back, and nobody else what the user had only in between', async () => {
    const [a, b] = await givenEmployeeIds(2);
    const between = newId();
    const reply = await update([renaming(a, between), renaming(between, a), renaming(b, between)]);
    expect(reply.json.data.successItems).toHaveLength(2);
    expect(errorOf(reply)).toMatchObject({ errorCode: 10101, data: { quarantined: { position: 1 } } });
  });
});
