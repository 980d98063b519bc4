import { beforeAll, describe, expect, test } from 'vitest';
import { urns } from '../../../src/scim/schemas.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { aResource, givenScimProvider, idsIn, type ScimProvider } from '../../support/scim.js';
import { newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

/** Rules of RFC 7643, RFC 7644 and RFC 9865 that no other test is about. docs/scim-conformance.md lists them all. */
const service = useService();
let provider: ScimProvider;

beforeAll(async () => {
  provider = await givenScimProvider(service);
});

const query = (parameters: Record<string, string | number>) =>
  `?${new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]))}`;
const list = (path: string, parameters: Record<string, string | number>, by = provider) =>
  by.get(`${path}${query(parameters)}`);
const failed = ({ status, json }: Reply) => [status, json.scimType];

describe('requests and responses', () => {
  test('are of both media types, and responses of that of SCIM', async () => {
    for (const type of ['application/scim+json', 'application/json']) {
      const reply = await provider.send('POST', '/Users', aResource(), {
        headers: { 'content-type': `${type}; charset=utf-8`, accept: type },
      });
      expect(reply.status, reply.text).toBe(201);
      expect(reply.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    }
  });

  test('without a token say how to authenticate', async () => {
    const reply = await service.get('/scim/v2/Users', { token: null });
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test('have the location of the resource in headers and in meta', async () => {
    const [user, group] = [await provider.givenUser(), await provider.givenGroup()];
    for (const [path, resource] of [
      [`/Users/${user.id}`, user],
      [`/Groups/${group.id}`, group],
    ]) {
      for (const reply of [
        await provider.get(path),
        await provider.put(path, resource),
        await provider.patch(`${path}?attributes=meta`, { op: 'add', path: 'externalId', value: newId() }),
      ]) {
        const { location, version } = reply.json.meta;
        expect(location).toBe(`http://localhost:8080/scim/v2${path}`);
        expect(['location', 'content-location', 'etag'].map((name) => reply.headers.get(name))).toEqual([
          ...[location, location, version],
        ]);
      }
    }
  });

  test('of another version of SCIM are rejected', async () => {
    const reply = await service.get('/scim/v1/Users', { token: null });
    expect([reply.status, reply.json.schemas]).toEqual([404, [urns.error]]);
  });
});

describe('what the service assigns', () => {
  test('is ignored in POST and PUT', async () => {
    const assigned = {
      ...{ id: 'mine', groups: [{ value: 'T1' }] },
      meta: { resourceType: 'Group', created: '1999-01-01T00:00:00Z', location: 'x', version: 'W/"9"' },
    };
    const user = await provider.givenUser(assigned);
    expect(user.id).not.toBe('mine');
    expect(user).not.toHaveProperty('groups');
    expect(user.meta).toMatchObject({ resourceType: 'User', version: 'W/"1"' });
    expect((await provider.put(`/Users/${user.id}`, { ...user, ...assigned })).json).toEqual(user);
  });

  test('and what is required cannot be removed by a PATCH', async () => {
    const [user, group] = [await provider.givenUser(), await provider.givenGroup()];
    for (const [path, attribute] of [
      [`/Users/${user.id}`, 'userName'],
      [`/Users/${user.id}`, 'groups'],
      [`/Groups/${group.id}`, 'displayName'],
      [`/Groups/${group.id}`, 'id'],
    ] as const) {
      const reply = await provider.patch(path, { op: 'remove', path: attribute });
      expect(failed(reply), attribute).toEqual([400, 'mutability']);
    }
    expect((await provider.get(`/Users/${user.id}`)).json).toEqual(user);
  });
});

describe('PUT', () => {
  test('without a required attribute fails, and of an unknown ID creates nothing', async () => {
    const [user, group] = [await provider.givenUser(), await provider.givenGroup()];
    expect(failed(await provider.put(`/Users/${user.id}`, { title: 'x' }))).toEqual([400, 'invalidValue']);
    expect(failed(await provider.put(`/Groups/${group.id}`, {}))).toEqual([400, 'invalidValue']);
    const id = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
    for (const path of [`/Users/${id}`, `/Groups/${id}`]) {
      expect((await provider.put(path, { ...user, id })).status).toBe(404);
      expect((await provider.get(path)).status).toBe(404);
    }
  });
});

describe('PATCH', () => {
  test('makes no new version if it changes nothing', async () => {
    const user = await provider.givenUser({ title: 'Countess' });
    const [email] = user.emails;
    const same = [
      { op: 'add', path: 'emails', value: [email] },
      { op: 'replace', path: 'title', value: 'Countess' },
    ];
    expect((await provider.patch(`/Users/${user.id}`, ...same)).headers.get('etag')).toBe(user.meta.version);
    expect((await provider.get(`/Users/${user.id}`)).json).toEqual(user);
  });

  test('applies its operations in order, each to the outcome of the one before', async () => {
    const { id } = await provider.givenUser({ title: 'one' });
    const { json } = await provider.patch(
      `/Users/${id}?attributes=title,nickName`,
      { op: 'remove', path: 'title' },
      { op: 'add', path: 'nickName', value: 'two' },
      { op: 'replace', path: 'nickName', value: 'three' },
    );
    expect(json).toEqual({ schemas: [urns.user, urns.enterprise], id, nickName: 'three' });
  });
});

describe('versions', () => {
  test('are answered with 304 if the client knows them, and with the resource otherwise', async () => {
    const { id, meta } = await provider.givenUser();
    const read = (tag: string) => provider.get(`/Users/${id}`, { headers: { 'if-none-match': tag } });
    for (const known of [meta.version, meta.version.slice(2), `W/"9", ${meta.version}`, '*']) {
      const reply = await read(known);
      expect([known, reply.status, reply.text, reply.headers.get('etag')]).toEqual([
        known,
        304,
        '',
        meta.version,
      ]);
    }
    expect((await read('W/"9"')).status).toBe(200);
  });

  test('that are not current fail with 412, whatever the method', async () => {
    const [user, group] = [await provider.givenUser(), await provider.givenGroup()];
    const operations = { Operations: [{ op: 'add', path: 'externalId', value: 'x' }] };
    for (const [path, body] of [
      [`/Users/${user.id}`, user],
      [`/Groups/${group.id}`, group],
    ]) {
      const send = (method: string, tag: string, sent?: object) =>
        provider.send(method, path, sent, { headers: { 'if-match': tag } });
      const stale = [
        await send('PUT', '"7"', body),
        await send('PATCH', 'W/"7"', operations),
        await send('DELETE', 'W/"7"'),
      ];
      expect(stale.map(({ status }) => status)).toEqual([412, 412, 412]);
      expect((await send('DELETE', '*')).status).toBe(204);
    }
  });
});

test('what was deleted is gone for every method, and for lists', async () => {
  const [user, group] = [await provider.givenUser(), await provider.givenGroup()];
  for (const [endpoint, { id }] of [
    ['/Users', user],
    ['/Groups', group],
  ]) {
    const path = `${endpoint}/${id}`;
    const deleted = await provider.delete(path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const replies = [
      await provider.get(path),
      await provider.put(path, user),
      await provider.patch(path, { op: 'add', path: 'externalId', value: 'x' }),
      await provider.delete(path),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await list(endpoint, { filter: `id eq "${id}"` })).json.totalResults).toBe(0);
  }
});

test('a password is never returned, and an ID always', async () => {
  const user = await provider.givenUser({ password: 'correct horse battery' });
  const path = `/Users/${user.id}`;
  const replies = [
    await provider.get(`${path}?attributes=password`),
    await provider.get(`${path}?excludedAttributes=id,schemas,meta`),
    await provider.put(`${path}?attributes=password`, { ...user, password: 'correct horse battery' }),
    await list('/Users', { filter: `id eq "${user.id}"`, attributes: 'password' }),
  ];
  for (const { text } of replies) {
    expect(text).not.toContain('password');
    expect(text).not.toContain('horse');
    expect(text).toContain(`"id":"${user.id}"`);
    expect(text).toContain(urns.user);
  }
});

describe('lists', () => {
  test('of nothing are no errors', async () => {
    for (const path of ['/Users', '/Groups']) {
      const reply = await list(path, { filter: 'externalId eq "nobody has this"', cursor: '' });
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ schemas: [urns.list], totalResults: 0, itemsPerPage: 0, Resources: [] });
    }
  });

  test('have resources without a value last in ascending order, and first in descending order', async () => {
    const nickName = newId('Nick');
    const given = [{ title: 'b' }, {}, { title: 'C' }, { title: 'a' }];
    const ids: string[] = [];
    for (const fields of given) ids.push((await provider.givenUser({ nickName, ...fields })).id);
    const found = async (parameters: Record<string, string>) =>
      (await list('/Users', { filter: `nickName eq "${nickName}"`, ...parameters })).json.Resources.map(
        ({ id }: { id: string }) => ids.indexOf(id),
      );
    expect(await found({ sortBy: 'title' })).toEqual([3, 0, 2, 1]);
    expect(await found({ sortBy: 'TITLE', sortOrder: 'descending' })).toEqual([1, 2, 0, 3]);
  });

  test('are in the order of the primary values, or else of the first ones', async () => {
    const nickName = newId('Nick');
    const value = (text: string, primary?: boolean) => ({ value: text, ...(primary && { primary }) });
    const given = [[value('c')], [value('d'), value('a', true)], [value('b'), value('e')]];
    const ids: string[] = [];
    for (const ims of given) ids.push((await provider.givenUser({ nickName, ims })).id);
    const { Resources } = (await list('/Users', { filter: `nickName eq "${nickName}"`, sortBy: 'ims' })).json;
    expect(Resources.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual([1, 2, 0]);
  });

  test('of all types have no value of attributes that a type lacks', async () => {
    const name = newId('Common ');
    const user = await provider.givenUser({ displayName: name, nickName: name });
    const group = await provider.givenGroup({ displayName: name });
    const found = async (filter: string) =>
      idsIn(
        await provider.post('/.search', {
          schemas: [urns.search],
          filter: `displayName eq "${name}" and ${filter}`,
        }),
      );
    expect(await found('id pr')).toEqual([user.id, group.id].sort());
    expect(await found(`nickName eq "${name}"`)).toEqual([user.id]);
    expect(await found('not (userName pr)')).toEqual([group.id]);
  });

  test('follow cursors in searches, whose pages have no more than count', async () => {
    const prefix = newId('Cursor ');
    const ids: string[] = [];
    for (const end of ['a', 'b', 'c'])
      ids.push((await provider.givenGroup({ displayName: `${prefix} ${end}` })).id);
    const found: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      expect(cursor, 'only unreserved characters').toMatch(/^[\w.~-]*$/);
      const search = { schemas: [urns.search], filter: `displayName sw "${prefix}"`, sortBy: 'displayName' };
      const { json } = await provider.post('/Groups/.search', { ...search, count: 2, cursor });
      expect(json.itemsPerPage).toBeLessThanOrEqual(2);
      found.push(...json.Resources.map(({ id }: { id: string }) => id));
      cursor = json.nextCursor;
    }
    expect(found).toEqual(ids);
  });

  test('have cursors that are of no use to others', async () => {
    const { json } = await list('/Users', { count: 1, cursor: '' });
    const other = await givenScimProvider(service);
    for (const [cursor, by] of [
      [json.nextCursor, other],
      [`x${json.nextCursor}`, provider],
      ['x', provider],
    ] as const) {
      expect(failed(await list('/Users', { count: 1, cursor }, by))).toEqual([400, 'invalidCursor']);
    }
  });
});

describe('discovery', () => {
  test('lists types and schemas whole, and finds each by its ID', async () => {
    for (const path of ['/ResourceTypes', '/Schemas']) {
      const { json } = await list(path, { count: 1, startIndex: 2, sortBy: 'name' });
      expect(json).toMatchObject({ schemas: [urns.list], totalResults: json.Resources.length });
      for (const resource of json.Resources) {
        const read = await provider.get(`${path}/${resource.id}`);
        expect(read.json).toEqual(resource);
        expect(resource.meta.location).toBe(`http://localhost:8080/scim/v2${path}/${resource.id}`);
      }
      expect((await provider.get(`${path}/urn:nothing`)).status).toBe(404);
      expect((await list(path, { filter: 'id pr' })).status).toBe(403);
    }
    expect((await provider.get('/ServiceProviderConfig')).json.schemas).toEqual([urns.config]);
  });
});

test('/Me is the user who has signed in, at their own location, and nobody for a client', async () => {
  const { serial, token } = await givenSignedInUser(service, 'administrator');
  const me = await service.get('/scim/v2/Me', { token });
  const location = `http://localhost:8080/scim/v2/Users/${serial}`;
  expect(me.json).toMatchObject({ id: serial, meta: { location } });
  expect(me.headers.get('location')).toBe(location);
  expect((await provider.get('/Me')).status).toBe(404);
});

test('a bulk request beyond maxPayloadSize is rejected with 413 and the limit', async () => {
  const { maxPayloadSize } = (await provider.get('/ServiceProviderConfig')).json.bulk;
  const headers = {
    ...{ authorization: `Bearer ${await service.tokenFor('scim')}`, 'content-type': 'application/scim+json' },
    'content-length': String(maxPayloadSize + 1),
  };
  const reply = await sendRaw(service.url, rawRequest('POST', '/scim/v2/Bulk', headers));
  expect([reply.status, reply.json.status]).toEqual([413, '413']);
  expect(reply.json.detail).toContain(String(maxPayloadSize));
});
