import { beforeAll, describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { undone } from '../../support/calls.js';
import { erased } from '../../support/erasure.js';
import { indexNow } from '../../support/index-checks.js';
import {
  add,
  filterBy,
  givenScimProvider,
  idsIn,
  removeMember,
  type ScimProvider,
  valuesOf,
} from '../../support/scim.js';
import { aUser, newId, useOwnService } from '../../support/service.js';

const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '50' });
let entra: ScimProvider;

beforeAll(async () => {
  entra = await givenScimProvider(service, { kind: 'entra' });
});

const tagsOf = async (serial: string) => (await service.readUser(serial)).tagSerials;
const lastCall = async (): Promise<string> =>
  (await service.get('/service/calls?limit=1')).json.data.items[0].id;

describe('a group', () => {
  test('is a tag, which its members have', async () => {
    const user = await service.givenUser({ tagSerials: ['T1'] });
    const displayName = newId('Sales ');
    const created = await entra.post('/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName,
      externalId: 'e-1',
      members: [{ value: user.serial }],
    });
    const { id } = created.json;
    const member = {
      value: user.serial,
      $ref: expect.stringContaining(`/Users/${user.serial}`),
      type: 'User',
    };
    expect(created).toMatchObject({
      status: 201,
      json: { displayName, externalId: 'e-1', members: [{ ...member, display: user.name }] },
    });
    expect(created.json.meta).toMatchObject({ resourceType: 'Group', version: 'W/"1"' });
    expect(created.headers.get('location')).toBe(created.json.meta.location);
    expect(await tagsOf(user.serial)).toEqual(['T1', id]);
    expect((await entra.get(`/Groups/${id}`)).json).toEqual(created.json);
    const { groups } = (await entra.get(`/Users/${user.serial}`)).json;
    expect(groups).toMatchObject([{ value: 'T1' }, { value: id, display: displayName }]);
  });

  test('is also a tag that nobody has created by SCIM, as soon as a user has it', async () => {
    const tag = newId('Tag/é ');
    expect((await entra.get(`/Groups/${encodeURIComponent(tag)}`)).status).toBe(404);
    const user = await service.givenUser({ tagSerials: [tag] });
    const read = await entra.get(`/Groups/${encodeURIComponent(tag)}`);
    expect(read).toMatchObject({ status: 200, json: { id: tag, displayName: tag } });
    expect(valuesOf(read)).toEqual([user.serial]);
    expect(idsIn(await entra.get(filterBy(`displayName eq "${tag.toUpperCase()}"`)))).toEqual([tag]);
    await indexNow(service);
    expect(idsIn(await entra.get(filterBy(`displayName eq "${tag.toUpperCase()}"`)))).toEqual([tag]);
    expect(
      (await entra.patchGroup(tag, [{ op: 'replace', value: { displayName: tag.slice(1) } }])).status,
    ).toBe(204);
    expect((await entra.get(`/Groups/${encodeURIComponent(tag)}`)).json).toMatchObject({
      id: tag,
      displayName: tag.slice(1),
      meta: { version: 'W/"2"' },
    });
  });

  test('shows at once what others change, and what an undo takes back', async () => {
    const { id } = await entra.givenGroup();
    const user = await service.givenUser();
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { tagSerials: [id] } });
    expect(valuesOf(await entra.get(`/Groups/${id}`))).toEqual([user.serial]);
    expect((await entra.patchGroup(id, [{ op: 'remove', path: 'members' }])).status).toBe(204);
    expect(valuesOf(await entra.get(`/Groups/${id}`))).toEqual([]);
    await undone(service, await lastCall());
    expect(valuesOf(await entra.get(`/Groups/${id}`))).toEqual([user.serial]);
    expect(await tagsOf(user.serial)).toEqual([id]);
  });

  test('cannot be called like another one', async () => {
    const { displayName, id } = await entra.givenGroup();
    const conflict = { status: 409, json: { status: '409', scimType: 'uniqueness' } };
    expect(await entra.post('/Groups', { displayName: displayName.toUpperCase() })).toMatchObject(conflict);
    const other = await entra.givenGroup();
    expect(
      await entra.patchGroup(other.id, [{ op: 'replace', path: 'displayName', value: displayName }]),
    ).toMatchObject(conflict);
    expect((await entra.send('DELETE', `/Groups/${id}`)).status).toBe(204);
    await entra.givenGroup({ displayName });
  });
});

describe('PATCH', () => {
  test('adds and removes members in every way that providers use', async () => {
    const { id } = await entra.givenGroup();
    const [one, two, three] = [
      await service.givenUser(),
      await service.givenUser(),
      await service.givenUser(),
    ];
    const patched = async (...operations: object[]) => {
      const reply = await entra.patchGroup(id, operations);
      expect(reply.status, reply.text).toBe(204);
      return valuesOf(await entra.get(`/Groups/${id}`));
    };
    const values = (...users: { serial: string }[]) => users.map(({ serial }) => serial).sort();
    expect(await patched(add([{ value: one.serial }, { value: two.serial }]))).toEqual(values(one, two));
    expect(await patched(add([{ value: one.serial }]))).toEqual(values(one, two));
    expect(await patched(removeMember(one.serial))).toEqual(values(two));
    expect(await patched({ op: 'Remove', path: 'members', value: [{ value: two.serial }] })).toEqual([]);
    expect(await patched({ op: 'Add', value: { members: [{ value: three.serial }] } })).toEqual(
      values(three),
    );
    expect(await patched({ op: 'replace', path: 'members', value: [{ value: one.serial }] })).toEqual(
      values(one),
    );
    expect(await patched(add({ value: two.serial }), removeMember(one.serial))).toEqual(values(two));
    expect(await patched({ op: 'remove', path: 'members[type eq "User"]' })).toEqual([]);
    expect(await patched(removeMember(one.serial))).toEqual([]);
  });

  test('changes nothing if one of the users cannot have another tag', async () => {
    const { id } = await entra.givenGroup();
    const [free, full] = [
      await service.givenUser(),
      await service.givenUser({ tagSerials: Array.from({ length: 100 }, (_, index) => `T${index}`) }),
    ];
    const reply = await entra.patchGroup(id, [add([{ value: free.serial }, { value: full.serial }])]);
    expect(reply).toMatchObject({ status: 400, json: { scimType: 'invalidValue' } });
    expect(reply.json.detail).toContain(full.serial);
    expect(valuesOf(await entra.get(`/Groups/${id}`))).toEqual([]);
    expect(await tagsOf(free.serial)).toEqual([]);
  });

  test('keeps members that are no users, and what it says about users', async () => {
    const { id } = await entra.givenGroup();
    const user = await service.givenUser();
    expect((await entra.patchGroup(id, [add('string id 1')])).status).toBe(204);
    await entra.patchGroup(id, [
      add([
        { value: 'nested', type: 'Group' },
        { displayName: 'new User', value: user.serial },
      ]),
    ]);
    const { members } = (await entra.get(`/Groups/${id}`)).json;
    expect(members).toEqual([
      expect.objectContaining({ value: user.serial, display: user.name, displayName: 'new User' }),
      { value: 'nested', type: 'Group' },
      { value: 'string id 1' },
    ]);
    expect(idsIn(await entra.get(filterBy('members.value eq "nested"')))).toEqual([id]);
    await entra.patchGroup(id, [{ op: 'remove', path: 'members' }]);
    expect((await entra.get(`/Groups/${id}`)).json).not.toHaveProperty('members');
  });

  test('refuses more members that are no users than a group can keep', async () => {
    const { id } = await entra.givenGroup();
    const many = Array.from({ length: 1_001 }, (_, index) => ({ value: `nobody ${index}` }));
    expect(await entra.patchGroup(id, [add(many)])).toMatchObject({
      status: 400,
      json: { scimType: 'invalidValue' },
    });
    expect((await entra.patchGroup(id, [add(many.slice(1))])).status).toBe(204);
  });

  test('refuses what was changed since the version in If-Match', async () => {
    const { id } = await entra.givenGroup();
    const user = await service.givenUser();
    const patch = (tag: string) =>
      entra.send(
        'PATCH',
        `/Groups/${id}`,
        { Operations: [add([{ value: user.serial }])] },
        { headers: { 'if-match': tag } },
      );
    expect((await patch('W/"2"')).status).toBe(412);
    const changed = await patch('W/"1"');
    expect([changed.status, changed.headers.get('etag')]).toEqual([204, 'W/"2"']);
    expect((await patch('W/"1"')).status).toBe(412);
    const unchanged = await patch('W/"2"');
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([204, 'W/"2"']);
  });

  test('answers with the group if attributes are asked for', async () => {
    const { id, displayName } = await entra.givenGroup();
    const reply = await entra.patchGroup(
      id,
      [{ op: 'add', path: 'externalId', value: 'x' }],
      '?attributes=displayName',
    );
    expect([reply.status, reply.json]).toEqual([
      200,
      { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], id, displayName },
    ]);
  });
});

test('external IDs that cannot be stored are refused', async () => {
  const { id } = await entra.givenGroup();
  const user = await service.givenUser();
  const refused = { status: 400, json: { scimType: 'invalidValue' } };
  for (const externalId of ['a\u0000b', '\ud800', 'x'.repeat(257)]) {
    const replace = { op: 'replace', path: 'externalId', value: externalId };
    const group = { displayName: newId('Group '), externalId };
    expect(await entra.send('POST', '/Groups', group)).toMatchObject(refused);
    expect(await entra.send('PUT', `/Groups/${id}`, group)).toMatchObject(refused);
    expect(await entra.patchGroup(id, [replace])).toMatchObject(refused);
    expect(await entra.send('PATCH', `/Users/${user.serial}`, { Operations: [replace] })).toMatchObject(
      refused,
    );
  }
  await entra.givenGroup({ externalId: 'x'.repeat(256) });
});

describe('a provider that sees only its own users', () => {
  let own: ScimProvider;
  const ofProvider = async () => {
    const userName = `${newId('u')}@example.com`;
    const reply = await own.send('POST', '/Users', {
      ...{ userName, displayName: 'Ada' },
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { employeeNumber: newId('E') },
    });
    expect(reply.status, reply.text).toBe(201);
    return reply.json.id as string;
  };
  const withTag = async (serial: string, tag: string) => {
    const body = { tagSerials: [tag] };
    expect((await service.request('PATCH', `/service/users/${serial}`, { body })).status).toBe(200);
  };

  beforeAll(async () => {
    own = await givenScimProvider(service, { kind: 'other', visibleUsers: 'own' });
  });

  test('takes a tag only from them when it deletes the group', async () => {
    const [mine, hidden] = [await ofProvider(), await service.givenUser()];
    const group = await own.givenGroup({ externalId: 'e', members: [{ value: mine }] });
    await withTag(hidden.serial, group.id);
    expect((await own.send('DELETE', `/Groups/${group.id}`)).status).toBe(204);
    expect([await tagsOf(mine), await tagsOf(hidden.serial)]).toEqual([[], [group.id]]);
    expect((await own.get(`/Groups/${group.id}`)).status).toBe(404);
    expect((await entra.get(`/Groups/${group.id}`)).json).toMatchObject({
      displayName: group.displayName,
      members: [{ value: hidden.serial }],
    });
  });

  test('sees none of their other tags', async () => {
    const mine = await ofProvider();
    const { id } = await own.givenGroup({ members: [{ value: mine }] });
    const other = newId('Other ');
    const body = { tagSerials: [other, id] };
    expect((await service.request('PATCH', `/service/users/${mine}`, { body })).status).toBe(200);
    expect((await own.get(`/Users/${mine}`)).json.groups).toMatchObject([{ value: id }]);
    const found = async (filter: string) =>
      idsIn(await own.get(`/Users?filter=${encodeURIComponent(`id eq "${mine}" and ${filter}`)}`));
    expect(await found(`groups.value eq "${id}"`)).toEqual([mine]);
    for (const attribute of ['groups.value', 'groups.display']) {
      expect(await found(`${attribute} eq "${other}"`)).toEqual([]);
    }
    expect(await found(`groups[value eq "${other}"]`)).toEqual([]);
  });

  test('cannot tell from pages and filters that groups have other members', async () => {
    const hidden = [await service.givenUser(), await service.givenUser()];
    const mine = await ofProvider();
    const { id } = await own.givenGroup({ members: [{ value: mine }] });
    for (const { serial } of hidden) await withTag(serial, id);
    const page = await own.get(`/Groups/${id}?attributes=members&startIndex=1&count=1`);
    expect([valuesOf(page), page.headers.get('link')]).toEqual([[mine], null]);
    expect(idsIn(await own.get(filterBy(`members.value eq "${mine}"`)))).toEqual([id]);
    expect(idsIn(await own.get(filterBy(`members.value eq "${hidden[0]?.serial}"`)))).toEqual([]);
  });
});

test('a user whom a provider had deleted when they were added is no member after they are back', async () => {
  const user = await service.givenUser();
  expect((await entra.send('DELETE', `/Users/${user.serial}`)).status).toBe(204);
  const { id } = await entra.givenGroup({ members: [{ value: user.serial }] });
  await service.database.pool.query(`UPDATE users SET scim = scim - 'deleted' WHERE serial = $1`, [
    user.serial,
  ]);
  expect(await tagsOf(user.serial)).toEqual([]);
  for (const query of ['', '?attributes=members']) {
    expect(valuesOf(await entra.get(`/Groups/${id}${query}`))).toEqual([]);
  }
  expect(idsIn(await entra.get(filterBy(`members.value eq "${user.serial}"`)))).toEqual([]);
});

describe('PUT', () => {
  test('replaces the members, and keeps them if it has none', async () => {
    const [one, two] = [await service.givenUser(), await service.givenUser()];
    const { id } = await entra.givenGroup({ externalId: 'e', members: [{ value: one.serial }] });
    const put = (fields: object) => entra.send('PUT', `/Groups/${id}`, { displayName: id, ...fields });
    const replaced = await put({ members: [{ value: two.serial }] });
    expect(replaced).toMatchObject({ status: 200, json: { displayName: id, externalId: 'e' } });
    expect(valuesOf(replaced)).toEqual([two.serial]);
    expect(valuesOf(await put({ displayName: newId('Renamed ') }))).toEqual([two.serial]);
    expect(valuesOf(await put({ members: [] }))).toEqual([]);
    expect(await put({ displayName: '' })).toMatchObject({ status: 400, json: { scimType: 'invalidValue' } });
  });
});

describe('DELETE', () => {
  test('takes the tag from all members, in chunks, and an undo brings the group back', async () => {
    const serials = serialsOf(await service.createBulk(Array.from({ length: 120 }, () => aUser())));
    const members = serials.map((value) => ({ value }));
    const { id, displayName } = await entra.givenGroup({ members });
    expect(valuesOf(await entra.get(`/Groups/${id}`))).toHaveLength(120);
    expect((await entra.send('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await entra.get(`/Groups/${id}`)).status).toBe(404);
    expect((await entra.send('DELETE', `/Groups/${id}`)).status).toBe(404);
    expect(idsIn(await entra.get(filterBy(`displayName eq "${displayName}"`)))).toEqual([]);
    await undone(service, await lastCall());
    const back = await entra.get(`/Groups/${id}`);
    expect(back.json.displayName).toBe(displayName);
    expect(valuesOf(back)).toHaveLength(120);
  });
});

describe('GET /Groups', () => {
  test('filters by name, external ID, members, and anything else that groups have', async () => {
    const user = await service.givenUser();
    const [one, two] = [newId('List a '), newId('List b ')];
    const a = await entra.givenGroup({
      displayName: one,
      externalId: one,
      members: [{ value: user.serial }],
    });
    const b = await entra.givenGroup({ displayName: two });
    const found = async (filter: string) => idsIn(await entra.get(filterBy(filter)));
    const among = `(id eq "${a.id}" or id eq "${b.id}")`;
    expect(await found(`displayName eq "${one.toUpperCase()}"`)).toEqual([a.id]);
    expect(await found(`externalId eq "${one}"`)).toEqual([a.id]);
    expect(await found(`externalId eq "${one.toUpperCase()}"`)).toEqual([]);
    expect(await found(`members.value eq "${user.serial}"`)).toEqual([a.id]);
    expect(await found(`members[value eq "${user.serial}"]`)).toEqual([a.id]);
    expect(await found(`not (members eq "${user.serial}") and ${among}`)).toEqual([b.id]);
    expect(await found(`${among} and displayName sw "list"`)).toEqual([a.id, b.id].sort());
    expect(await found(`${among} and externalId pr and meta.lastModified gt "2020-01-01T00:00:00Z"`)).toEqual(
      [a.id],
    );
    expect(await entra.get(filterBy('members.display co "x"'))).toMatchObject({
      status: 400,
      json: { scimType: 'invalidFilter' },
    });
  });

  test('pages by index and by cursor, in any order', async () => {
    const prefix = newId('Paged ');
    const names = ['c', 'a', 'b'].map((each) => `${prefix} ${each}`);
    for (const displayName of names) await entra.givenGroup({ displayName });
    const base = filterBy(
      `displayName sw "${prefix}"`,
      '&excludedAttributes=members&sortBy=displayName&count=2',
    );
    const namesIn = ({ json }: { json: { Resources: { displayName: string }[] } }) =>
      json.Resources.map(({ displayName }) => displayName.slice(-1)).join('');
    const byIndex = [await entra.get(base), await entra.get(`${base}&startIndex=3`)];
    expect(byIndex.map(namesIn)).toEqual(['ab', 'c']);
    expect(byIndex[0]?.json).toMatchObject({ totalResults: 3, itemsPerPage: 2, startIndex: 1 });
    const first = await entra.get(`${base}&cursor=&sortOrder=descending`);
    const second = await entra.get(`${base}&cursor=${first.json.nextCursor}&sortOrder=descending`);
    expect([first, second].map(namesIn)).toEqual(['cb', 'a']);
    const found = await entra.send('POST', '/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: `displayName sw "${prefix}"`,
    });
    expect(idsIn(found)).toHaveLength(3);
  });

  test('shows only groups of its own to a provider that may see no others, with its own users', async () => {
    const own = await givenScimProvider(service, { kind: 'other', visibleUsers: 'own' });
    const [foreign, user] = [await entra.givenGroup(), await service.givenUser()];
    const group = await own.givenGroup({ members: [{ value: user.serial }] });
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { tagSerials: [group.id] } });
    expect(idsIn(await own.get('/Groups'))).toEqual([group.id]);
    expect((await own.get(`/Groups/${foreign.id}`)).status).toBe(404);
    expect((await own.send('DELETE', `/Groups/${foreign.id}`)).status).toBe(404);
    expect((await own.get(`/Groups/${group.id}`)).json.members).toEqual([{ value: user.serial }]);
  });
});

test('the erasure of a user removes what groups say about them', async () => {
  const [userName, externalId, email] = [newId('a'), newId('x'), newId('e')].map(
    (each) => `${each}@Example.com`,
  );
  const created = await entra.send('POST', '/Users', {
    ...{ userName, externalId, displayName: 'Ada', emails: [{ value: email, type: 'work', primary: true }] },
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { employeeNumber: newId('E') },
  });
  expect(created.status, created.text).toBe(201);
  const user = await service.readUser(created.json.id);
  const { id } = await entra.givenGroup({
    members: [
      { value: user.serial, display: 'Known as' },
      ...[user.employeeID, userName?.toUpperCase(), externalId, email?.toUpperCase()],
      { value: 'unknown', display: userName },
      { value: 'other', type: 'Group' },
    ],
  });
  await erased(service, created.json.id);
  const { rows } = await service.database.pool.query(
    'SELECT members FROM scim_groups WHERE tag_serial = $1',
    [id],
  );
  expect(rows).toEqual([{ members: { other: { type: 'Group' } } }]);
});
