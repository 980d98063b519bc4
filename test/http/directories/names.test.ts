import { describe, expect, test } from 'vitest';
import {
  confirmed,
  type Directory,
  deleteEntry,
  givenEntry,
  givenNames,
  resolvedNames,
} from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

const resolve = (directory: Directory, names: unknown) =>
  service.post(`/service/${directory}/resolve-names`, { names });
const remember = (directory: Directory, ...items: unknown[]) =>
  service.post(`/service/${directory}/remember-names`, { items });

/** How a name is matched and what it means. */
async function meaningOf(
  directory: Directory,
  name: string,
): Promise<[match: string, serial: string | null]> {
  const [found] = await resolvedNames(service, directory, [name]);
  return [found?.match ?? '', found?.entry?.serial ?? null];
}

describe.each(['organizations', 'tags'] as const)('names of %s', (directory) => {
  test('mean the entry that has the exact serial, or is called so, ignoring case and white space', async () => {
    const [serial, other, fresh] = [newId('S'), newId('S'), newId('Fresh')];
    const name = `Größe ${newId('N')}`;
    await givenEntry(service, directory, serial, { displayName: name });
    await givenEntry(service, directory, other, { displayName: serial });
    // Its serial is all that people know it by, before the indexer has seen it and afterwards.
    await service.givenUser(directory === 'tags' ? { tagSerials: [fresh] } : { organizationSerial: fresh });
    const asked = [
      serial,
      ` ${name.toUpperCase().replace(' ', ' \u00a0')}\n`,
      fresh.toLowerCase(),
      newId('X'),
    ];
    const found = await resolvedNames(service, directory, asked);
    expect(found.map(({ name, match, entry }) => [name, match, entry])).toEqual([
      [asked[0], 'serial', { serial, displayName: name }],
      [asked[1], 'name', { serial, displayName: name }],
      [asked[2], 'name', { serial: fresh, displayName: null }],
      [asked[3], 'unknown', null],
    ]);
  });

  test('are ambiguous if several entries are called so, until somebody decides', async () => {
    const [one, two] = [newId('S'), newId('S')];
    const displayName = `Twins ${one}`;
    await givenEntry(service, directory, one, { displayName });
    await givenEntry(service, directory, two, { displayName });
    const [found] = await resolvedNames(service, directory, [displayName]);
    expect(found).toEqual({
      name: displayName,
      key: displayName.toLowerCase(),
      match: 'ambiguous',
      entry: null,
      candidates: [one, two].sort().map((serial) => ({ serial, displayName })),
    });
    await givenNames(service, directory, { name: displayName.toLowerCase(), serial: two });
    expect(await meaningOf(directory, displayName)).toEqual(['decision', two]);
    await givenNames(service, directory, { name: displayName, isForgotten: true });
    expect(await meaningOf(directory, displayName)).toEqual(['ambiguous', null]);
  });

  test('of the past mean the entry that was called so, and follow it to another serial', async () => {
    const [serial, moved, other] = [newId('S'), newId('S'), newId('S')];
    const [before, after] = [`Before ${serial}`, `After ${serial}`];
    await givenEntry(service, directory, serial, { displayName: before });
    await givenEntry(service, directory, serial, { displayName: after });
    expect(await meaningOf(directory, before)).toEqual(['formerName', serial]);
    await givenNames(service, directory, { name: `Alias ${serial}`, serial });
    const rename = await confirmed(service, `/service/${directory}/rename`, {
      serial,
      newSerial: moved,
    });
    expect(rename.status, rename.text).toBe(200);
    for (const [name, match] of [
      [before, 'formerName'],
      [serial, 'formerName'],
      [after, 'name'],
      [`Alias ${serial}`, 'decision'],
    ] as const) {
      expect(await meaningOf(directory, name), name).toEqual([match, moved]);
    }
    // Whoever is called so now comes first.
    await givenEntry(service, directory, other, { displayName: before });
    expect(await meaningOf(directory, before)).toEqual(['name', other]);
    expect((await deleteEntry(service, directory, moved)).status).toBe(200);
    expect(await meaningOf(directory, `Alias ${serial}`)).toEqual(['unknown', null]);
  });

  test('that are unknown come with entries that look like them, and can be left out', async () => {
    const serial = newId('S');
    const id = newId('Vertrieb');
    await givenEntry(service, directory, serial, { displayName: `${id} Nord` });
    const [found] = await resolvedNames(service, directory, [`Nrod ${id}`]);
    expect(found).toMatchObject({ match: 'unknown', entry: null });
    expect(found?.candidates[0]).toEqual({ serial, displayName: `${id} Nord` });
    await givenNames(service, directory, { name: `Nrod ${id}` });
    expect(await meaningOf(directory, `nrod ${id}`)).toEqual(['decision', null]);
  });

  test('that are remembered are on record, without the names', async () => {
    const items = [
      { name: newId('x'), serial: null },
      { name: newId('y'), serial: null },
    ];
    const requestId = newId('request-');
    const headers = { 'x-request-id': requestId };
    const path = `/service/${directory}/remember-names`;
    expect((await service.post(path, { items }, { headers })).status).toBe(200);
    const { json } = await service.get('/service/access-events?kind=names.remembered&limit=200');
    const recorded = json.data.items.filter((event: { requestId: string }) => event.requestId === requestId);
    expect(recorded).toMatchObject([{ detail: { directory, names: 2 }, actor: { kind: 'client' } }]);
  });

  test('are refused with the place of the mistake', async () => {
    const invalid = await resolve(directory, ['fine', 7]);
    expectFailure(invalid, 400, 10004, 'REQUEST_BODY_INVALID', /^names\[1\] must be .*, not a number\.$/);
    expectFailure(
      await resolve(directory, []),
      400,
      10004,
      'REQUEST_BODY_INVALID',
      /"names" must be an array/,
    );
    const many = await resolve(directory, Array.from({ length: 1_001 }, String));
    expectFailure(many, 413, 10013, 'REQUEST_TOO_MANY_ITEMS', /at most 1000 names/);
    const noName = await remember(directory, { serial: 'T1' });
    expectFailure(noName, 400, 10004, 'REQUEST_BODY_INVALID', /^"items\[0\]\.name" is required/);
    const nobody = await remember(directory, { name: 'A', serial: newId('S') });
    expectFailure(
      nobody,
      404,
      10401,
      'DIRECTORY_ENTRY_NOT_FOUND',
      /^No (?:organization|tag) in the directory/,
    );
  });
});
