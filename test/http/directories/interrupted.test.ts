import { describe, expect, test } from 'vitest';
import { callIdOf, failuresOf, successesOf, undone } from '../../support/calls.js';
import { confirmed, type Directory, givenEntry, putEntry, readEntry } from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { repair, whenStored } from '../../support/sabotage.js';
import { type GivenUser, newId, useService } from '../../support/service.js';
import { smallCalls } from '../../support/small-calls.js';

// A call for more than two users has several chunks, so that it can be interrupted between them.
const service = useService(smallCalls);

function having(directory: Directory, serial: string): Record<string, unknown> {
  return directory === 'organizations' ? { organizationSerial: serial } : { tagSerials: ['T1', serial] };
}

describe.each(['organizations', 'tags'] as const)('an interrupted rename in %s', (directory) => {
  const path = `/service/${directory}/rename`;
  const total = async (serial: string) => (await readEntry(service, directory, serial)).users.total;

  /** Some users of a serial with a display name. The database rejects changes to the last one. */
  async function given(count: number) {
    const [serial, newSerial] = [newId('S'), newId('S')];
    await givenEntry(service, directory, serial, { displayName: 'Sales' });
    const users: GivenUser[] = [];
    for (let index = 0; index < count; index++)
      users.push(await service.givenUser(having(directory, serial)));
    const broken = users.at(-1)?.employeeID ?? '';
    await whenStored(service, broken, `RAISE EXCEPTION 'no'`);
    return { serial, newSerial, body: { serial, newSerial }, mend: () => repair(service, broken) };
  }

  /** Three users, of whom two have the new serial. */
  async function interrupted() {
    const rename = await given(3);
    const reply = await service.post(`${path}?confirm=3`, rename.body);
    expect([successesOf(reply).length, failuresOf(reply).length]).toEqual([2, 1]);
    await rename.mend();
    return { ...rename, callId: callIdOf(reply) };
  }

  test('has moved the name, and can be repeated for the remaining users', async () => {
    const { serial, newSerial, body, callId } = await interrupted();
    const entry = await readEntry(service, directory, newSerial);
    expect(entry).toMatchObject({ displayName: 'Sales', users: { total: 2 } });
    const repeated = await confirmed(service, path, body);
    expect([successesOf(repeated).length, failuresOf(repeated).length]).toEqual([1, 0]);
    expect(await readEntry(service, directory, newSerial)).toMatchObject({
      displayName: 'Sales',
      users: { total: 3 },
    });
    expect(await readEntry(service, directory, serial)).toBe(404);
    await undone(service, callIdOf(repeated));
    expect([await total(serial), await total(newSerial)]).toEqual([1, 2]);
    await undone(service, callId);
    expect(await readEntry(service, directory, serial)).toMatchObject({
      displayName: 'Sales',
      users: { total: 3 },
    });
    expect(await readEntry(service, directory, newSerial)).toBe(404);
  });

  // What follows doesn't depend on the kind of directory.
  if (directory === 'tags') return;

  test('keeps a name that the new serial was given before it is repeated', async () => {
    const { newSerial, body } = await interrupted();
    await putEntry(service, directory, newSerial, { displayName: 'Sales, Berlin' });
    expect((await confirmed(service, path, body)).status).toBe(200);
    expect(await readEntry(service, directory, newSerial)).toMatchObject({
      displayName: 'Sales, Berlin',
      users: { total: 3 },
    });
  });

  test('lets no other serial take the new one', async () => {
    const { newSerial } = await interrupted();
    const other = newId('S');
    await service.givenUser(having(directory, other));
    const reply = await service.post(path, { serial: other, newSerial });
    expectFailure(reply, 409, 10402, 'DIRECTORY_ENTRY_EXISTS', /merge the two/);
  });

  test('that is undone has moved the name back, and can be started again', async () => {
    const { serial, newSerial, body, callId } = await interrupted();
    await undone(service, callId);
    expect(await readEntry(service, directory, serial)).toMatchObject({
      displayName: 'Sales',
      users: { total: 3 },
    });
    expect(await readEntry(service, directory, newSerial)).toBe(404);
    expect(successesOf(await confirmed(service, path, body))).toHaveLength(3);
    expect(await readEntry(service, directory, newSerial)).toMatchObject({ displayName: 'Sales' });
  });

  test('that changed nobody has moved nothing', async () => {
    const { newSerial, body, mend } = await given(2);
    const reply = await service.post(`${path}?confirm=2`, body);
    expectFailure(reply, 500, 10999, 'SERVICE_INTERNAL_ERROR', /./);
    expect(await readEntry(service, directory, newSerial)).toBe(404);
    await mend();
    expect(successesOf(await confirmed(service, path, body))).toHaveLength(2);
    expect(await readEntry(service, directory, newSerial)).toMatchObject({ displayName: 'Sales' });
  });
});
