import { expect, test } from 'vitest';
import { rebuildIndex } from '../../../src/storage/indexing/index-state.js';
import { erased } from '../../support/erasure.js';
import { indexNow } from '../../support/index-checks.js';
import { newId, useOwnService } from '../../support/service.js';

const service = useOwnService();

async function suggested(search: string, filters: Record<string, string> = {}): Promise<unknown> {
  await indexNow(service);
  const query = new URLSearchParams({ search, suggest: 'true', ...filters });
  const reply = await service.get(`/service/users?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.suggestions;
}

test('a misspelled search suggests similar names, which find somebody with the same filters', async () => {
  const organizationSerial = newId('ORG');
  await service.givenUser({ name: 'Claudia Brandt', organizationSerial });
  await service.givenUser({ name: 'Katharina Schmidt' });
  await service.givenUser({ name: 'Zoë Müller-Schmidt' });
  for (const [search, suggestions] of [
    ['Schmdit', ['Schmidt']],
    ['claudia brant', ['Claudia Brandt']],
    ['Brnadt, Cluadia', ['Brandt Claudia']],
    ['katerina', ['Katharina']],
    ['muelller', ['Müller']],
    ['katharina brant', []],
    ['xyzzy', []],
    ['E99999999', []],
    ['!?', []],
    ['', []],
  ] as const) {
    expect([search, await suggested(search)]).toEqual([search, suggestions]);
  }
  expect(await suggested('brant', { organizationSerial })).toEqual(['Brandt']);
  expect(await suggested('schmdit', { organizationSerial })).toEqual([]);
  expect(await suggested('brant', { isActive: 'false' })).toEqual([]);
});

test('suggestions are not among the users found, and come only with few of these, on the first page, if asked for', async () => {
  for (let count = 0; count < 3; count++) await service.givenUser({ name: 'Ottokar Vogelsang' });
  await service.givenUser({ name: 'Ottakar Vogelsang' });
  await indexNow(service);
  const { data } = (await service.get('/service/users?search=ottakar&suggest=true')).json;
  expect(data).toMatchObject({ items: [{ name: 'Ottakar Vogelsang' }], suggestions: ['Ottokar'] });
  expect(await suggested('ottokar')).toEqual([]);
  const { data: page } = (await service.get('/service/users?search=ottokar&suggest=true&limit=1')).json;
  expect(page.suggestions).toEqual([]);
  const { data: plain } = (await service.get('/service/users?search=otokar')).json;
  expect(plain).not.toHaveProperty('suggestions');
});

test('a name is no longer suggested once the last user who had it is renamed or erased, and still is after the index is rebuilt if somebody has it', async () => {
  const user = await service.givenUser({ name: 'Ursula Quetzalwing' });
  const other = await service.givenUser({ name: 'Ulrich Quetzalwing' });
  expect(await suggested('quetzalwnig')).toEqual(['Quetzalwing']);
  const body = { name: 'Ulrich Penhaligon' };
  await service.request('PATCH', `/service/users/${other.serial}`, { body });
  expect(await suggested('quetzalwnig')).toEqual(['Quetzalwing']);
  await erased(service, user.serial);
  expect(await suggested('quetzalwnig')).toEqual([]);
  const words = async () =>
    (await service.database.pool.query("SELECT word FROM name_words WHERE word = 'quetzalwing'")).rows;
  expect(await words()).toEqual([]);
  expect(await suggested('penhalligon')).toEqual(['Penhaligon']);
  await rebuildIndex(service.database.pool);
  expect(await suggested('penhalligon')).toEqual(['Penhaligon']);
});
