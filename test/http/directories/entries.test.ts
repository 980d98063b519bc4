import { describe, expect, test } from 'vitest';
import { givenCreates, givenUpdates, undone } from '../../support/calls.js';
import {
  type Directory,
  deleteEntry,
  foundEntries,
  givenEntry,
  putEntry,
  readEntry,
} from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';

const service = useService();
const directories = ['organizations', 'tags'] as const;

/** The fields that give a user this serial. */
function having(directory: Directory, serial: string): Record<string, unknown> {
  return directory === 'organizations' ? { organizationSerial: serial } : { tagSerials: ['T1', serial] };
}

/** The fields that take it away again. */
const nothing: Record<Directory, Record<string, unknown>> = {
  organizations: { organizationSerial: '' },
  tags: { tagSerials: [] },
};

const indexed = () => indexNow(service);

describe.each(directories)('%s', (directory) => {
  test('contain a serial as soon as a user has it, with current numbers', async () => {
    const serial = newId('S');
    expect(await readEntry(service, directory, serial)).toBe(404);
    const [one, other] = [
      await service.givenUser(having(directory, serial)),
      await service.givenUser(having(directory, serial)),
    ];
    const counts = async () => (await readEntry(service, directory, serial)).users;
    expect(await readEntry(service, directory, serial)).toEqual({
      serial,
      displayName: null,
      ...(directory === 'organizations' && { parentSerial: null, hasParts: false }),
      users: { total: 2, active: 2, isExact: true },
    });
    await givenUpdates(service, [anItem(one, { isActive: false })]);
    expect(await counts()).toEqual({ total: 2, active: 1, isExact: true });
    await indexed();
    expect(await counts()).toEqual({ total: 2, active: 1, isExact: true });
    await givenUpdates(service, [anItem(one, nothing[directory]), anItem(other, nothing[directory])]);
    expect(await counts()).toEqual({ total: 0, active: 0, isExact: true });
    await indexed();
    expect(await counts()).toEqual({ total: 0, active: 0, isExact: true });
    expect(await foundEntries(service, directory, serial)).toEqual([serial]);
  });

  test('contain a serial that a user got and lost before the indexer ran', async () => {
    const [kept, brief] = [newId('S'), newId('S')];
    service.context.bulkCalls.running++; // keeps the indexer from running in the background
    try {
      const user = await service.givenUser(having(directory, brief));
      await givenUpdates(service, [anItem(user, having(directory, kept))]);
      await indexed();
    } finally {
      service.context.bulkCalls.running--;
    }
    for (const [serial, total] of [
      [kept, 1],
      [brief, 0],
    ] as const) {
      expect(await readEntry(service, directory, serial)).toMatchObject({ serial, users: { total } });
      expect(await foundEntries(service, directory, serial)).toEqual([serial]);
    }
  });

  test.each(['before', 'after'])(
    'lose what only an undone call brought, undone %s it was indexed',
    async (when) => {
      const [former, brought, shared, named] = [newId('S'), newId('S'), newId('S'), newId('S')];
      const user = await service.givenUser(having(directory, former));
      await givenUpdates(service, [anItem(user, nothing[directory])]);
      await indexed();
      service.context.bulkCalls.running++; // keeps the indexer from running in the background
      try {
        const items = [former, brought, shared, named].map((serial) => aUser(having(directory, serial)));
        const { callId } = await givenCreates(service, items);
        await service.givenUser(having(directory, shared));
        if (when === 'after') await indexed();
        await givenEntry(service, directory, named, { displayName: `Named ${named}` });
        const undoId = await undone(service, callId);
        const total = async (serial: string) => {
          const entry = await readEntry(service, directory, serial);
          return entry === 404 ? entry : entry.users.total;
        };
        const totals = () => Promise.all([former, brought, shared, named].map(total));
        expect(await totals()).toEqual([0, 404, 1, 0]);
        await indexed();
        expect(await totals()).toEqual([0, 404, 1, 0]);
        expect(await foundEntries(service, directory, brought)).toEqual([]);
        await undone(service, undoId);
        expect(await totals()).toEqual([1, 1, 2, 1]);
      } finally {
        service.context.bulkCalls.running--;
      }
    },
  );

  test('do not get a deleted entry back from changes of before', async () => {
    const serial = newId('S');
    service.context.bulkCalls.running++;
    try {
      const user = await service.givenUser(having(directory, serial));
      await givenEntry(service, directory, serial);
      await givenUpdates(service, [anItem(user, nothing[directory])]);
      expect((await deleteEntry(service, directory, serial)).status).toBe(200);
      await indexed();
    } finally {
      service.context.bulkCalls.running--;
    }
    expect(await readEntry(service, directory, serial)).toBe(404);
  });

  test('lose an entry only if nobody has it', async () => {
    const serial = newId('S');
    await service.givenUser(having(directory, serial));
    expectFailure(
      await deleteEntry(service, directory, serial),
      409,
      10403,
      'DIRECTORY_ENTRY_IN_USE',
      /^1 user has it/,
    );
    expectFailure(
      await deleteEntry(service, directory, newId('Unknown')),
      404,
      10401,
      'DIRECTORY_ENTRY_NOT_FOUND',
      /has the serial "Unknown.*"/,
    );
  });

  test('count correctly after an entry was deleted whose last user is still indexed with it', async () => {
    const serial = newId('S');
    const user = await service.givenUser(having(directory, serial));
    await indexed();
    service.context.bulkCalls.running++; // keeps the indexer from running in the background
    try {
      await givenUpdates(service, [anItem(user, nothing[directory])]);
      expect((await deleteEntry(service, directory, serial)).status).toBe(200);
      expect(await readEntry(service, directory, serial)).toBe(404);
      await indexed();
      expect(await readEntry(service, directory, serial)).toBe(404);
      await givenUpdates(service, [anItem(user, having(directory, serial))]);
      await indexed();
      expect((await readEntry(service, directory, serial)).users).toEqual({
        total: 1,
        active: 1,
        isExact: true,
      });
    } finally {
      service.context.bulkCalls.running--;
    }
  });

  test.each([` a / b // ... 100% %2F %00 \\ _ `, `?a=b&c#d;e+f'"{},<i> Ärzte 東京 محمد`])(
    'accept any characters in the path: %s',
    async (part) => {
      const serial = `${newId()}${part}`;
      await givenEntry(service, directory, serial, { displayName: 'Odd' });
      await service.givenUser(having(directory, serial));
      const users = { total: 1, active: 1, isExact: true };
      expect(await readEntry(service, directory, serial)).toMatchObject({
        serial,
        displayName: 'Odd',
        users,
      });
      expect(await foundEntries(service, directory, serial)).toEqual([serial]);
      const reply = await deleteEntry(service, directory, serial);
      expectFailure(reply, 409, 10403, 'DIRECTORY_ENTRY_IN_USE', /1 user/);
    },
  );

  test('accept a serial of 64 characters, but no more', async () => {
    const longest = [...newId(''), ...Array<string>(64).fill('🙂')].slice(0, 64).join('');
    await givenEntry(service, directory, longest);
    expect(await readEntry(service, directory, longest)).toMatchObject({ serial: longest });
    const reply = await putEntry(service, directory, `${longest}x`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', /"serial" must be a string of 1 to 64/);
    for (const serial of ['a\u0000b', `${longest}x`]) {
      expect(await readEntry(service, directory, serial)).toBe(404);
      const gone = await deleteEntry(service, directory, serial);
      expectFailure(gone, 404, 10401, 'DIRECTORY_ENTRY_NOT_FOUND', /^No \w+ in the directory has the serial/);
    }
  });

  test('reject a serial that no user can have', async () => {
    const reply = await putEntry(service, directory, 'a\nb');
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', /"serial" must be/);
  });

  test('are listed in pages by serial, with a cursor for this search only', async () => {
    const run = newId('P');
    const serials = ['1', 'A', 'a', 'ä'].map((end) => run + end);
    for (const serial of serials.slice(0, 2)) await givenEntry(service, directory, serial);
    for (const serial of serials.slice(2)) await service.givenUser(having(directory, serial));
    const url = `/service/${directory}?search=${run}&limit=3`;
    const first = await service.get(url);
    const rest = await service.get(`${url}&cursor=${first.json.data.nextCursor}`);
    const listed = [...first.json.data.items, ...rest.json.data.items].map(({ serial }) => serial);
    expect(listed).toEqual(serials);
    expect(rest.json.data.nextCursor).toBeNull();
    const other = await service.get(`/service/${directory}?search=x&cursor=${first.json.data.nextCursor}`);
    expectFailure(other, 400, 10006, 'REQUEST_CURSOR_INVALID', /same filters/);
  });

  test('replace what they say, and reject what they do not know', async () => {
    const serial = newId('S');
    await givenEntry(service, directory, serial, { displayName: '  Sales,\tBerlin  ' });
    expect((await readEntry(service, directory, serial)).displayName).toBe('Sales, Berlin');
    await givenEntry(service, directory, serial, { displayName: null });
    expect((await readEntry(service, directory, serial)).displayName).toBeNull();
    for (const body of [{ displayName: 7 }, { displayName: 'a\u0000b' }, { name: 'x' }]) {
      const reply = await putEntry(service, directory, serial, body);
      expect([reply.status, reply.json.errorCode]).toEqual([400, 10004]);
    }
  });
});

describe('the parent of an organization', () => {
  const parentOf = async (serial: string) => (await readEntry(service, 'organizations', serial)).parentSerial;
  const expectRefused = async (serial: string, parentSerial: string, detail: RegExp) => {
    const before = await parentOf(serial);
    const reply = await putEntry(service, 'organizations', serial, { parentSerial });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect(reply.json.data).toEqual({ field: 'parentSerial' });
    expect(await parentOf(serial)).toBe(before);
  };

  test('cannot be the organization itself or a part of it', async () => {
    const [a, b, c] = [newId('A'), newId('B'), newId('C')];
    await givenEntry(service, 'organizations', a, { parentSerial: b });
    await givenEntry(service, 'organizations', b, { parentSerial: c });
    await givenEntry(service, 'organizations', c);
    for (const parent of [a, b, c]) await expectRefused(c, parent, /is this organization, or a part of it/);
    expect(await parentOf(a)).toBe(b);
  });

  test('can be nested in 32 levels, from either end', async () => {
    const levels = Array.from({ length: 33 }, () => newId('L'));
    const [top = '', second = ''] = levels;
    for (const [index, serial] of levels.entries()) {
      const parentSerial = levels[index - 1];
      if (index < 2 || parentSerial === undefined) await givenEntry(service, 'organizations', serial);
      else await givenEntry(service, 'organizations', serial, { parentSerial });
    }
    await expectRefused(second, top, /more than 32 levels/);
    const below = newId('L');
    await givenEntry(service, 'organizations', below);
    await expectRefused(below, levels.at(-1) ?? '', /more than 32 levels/);
    await givenEntry(service, 'organizations', below, { parentSerial: levels.at(-2) });
  });

  test('stays in the directory while organizations are part of it', async () => {
    const [whole, part] = [newId('W'), newId('P')];
    await givenEntry(service, 'organizations', whole);
    await givenEntry(service, 'organizations', part, { parentSerial: whole });
    const reply = await deleteEntry(service, 'organizations', whole);
    expectFailure(reply, 409, 10403, 'DIRECTORY_ENTRY_IN_USE', /Other organizations are part of it/);
    expect((await deleteEntry(service, 'organizations', part)).status).toBe(200);
    expect((await deleteEntry(service, 'organizations', whole)).status).toBe(200);
  });

  test('is not a field of tags', async () => {
    const reply = await putEntry(service, 'tags', newId('T'), { parentSerial: 'T1' });
    expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', /"parentSerial"/);
  });
});
