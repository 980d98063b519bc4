import { describe, expect, test } from 'vitest';
import { aResource, company, enterprise, givenScimProvider } from '../../support/scim.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

/** As callers of the other API see the user. */
async function userOf({ id }: { id: string }) {
  return (await service.get(`/service/users/${id}`)).json.data;
}

const withoutMeta = ({ meta: _, ...resource }: Record<string, unknown>) => resource;

describe('POST /scim/v2/Users', () => {
  test('returns 201 with the resource, its location and version', async () => {
    const provider = await givenScimProvider(service);
    const employeeNumber = newId();
    const fields = {
      externalId: '00u1ero7',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      nickName: 'Enchantress',
      addresses: [{ type: 'work', locality: 'London' }],
      [enterprise]: { employeeNumber, organization: 'ORG7', department: 'Mathematics' },
    };
    const reply = await provider.post('/Users', aResource(fields));
    expect(reply.status, reply.text).toBe(201);
    const { id, meta } = reply.json;
    expect(reply.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(reply.headers.get('location')).toBe(meta.location);
    expect(reply.headers.get('etag')).toBe('W/"1"');
    expect(meta).toEqual({
      resourceType: 'User',
      created: expect.any(String),
      lastModified: meta.created,
      location: `http://localhost:8080/scim/v2/Users/${id}`,
      version: 'W/"1"',
    });
    expect(reply.json).toMatchObject({
      ...fields,
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      name: { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' },
    });
    expect((await provider.get(`/Users/${id}`)).json).toEqual(reply.json);
    expect(await userOf(reply.json)).toMatchObject({
      employeeID: employeeNumber,
      name: 'Ada Lovelace',
      username: null,
      signInName: reply.json.userName,
      email: reply.json.userName,
      organizationSerial: 'ORG7',
    });
  });

  test('stores a userName of letters and digits as the username', async () => {
    const provider = await givenScimProvider(service);
    const userName = newId('Ada');
    const user = await provider.givenUser({ userName });
    expect(user.userName).toBe(userName);
    expect(await userOf(user)).toMatchObject({ username: userName, signInName: null });
  });

  test('shows attributes by the names and values that clients of Microsoft send', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser({
      active: 'False',
      emails: [{ Primary: true, type: 'work', value: 'ada@example.com' }],
      [enterprise]: { Department: 'Mathematics', Manager: { Value: 'nobody here' } },
    });
    expect(user.active).toBe(false);
    expect(user.emails).toEqual([{ value: 'ada@example.com', type: 'work', primary: true }]);
    expect(user[enterprise]).toMatchObject({ department: 'Mathematics', manager: { value: 'nobody here' } });
  });

  test('chooses a valid email address, and keeps the others', async () => {
    const provider = await givenScimProvider(service);
    const emails = [
      { value: 'no address', type: 'work', primary: true },
      { value: 'Ada@Home.example', type: 'home' },
    ];
    const user = await provider.givenUser({ emails });
    expect(user.emails).toEqual(emails);
    expect(await userOf(user)).toMatchObject({ email: 'Ada@Home.example' });
  });

  test('finds the manager by ID, external ID and employee ID', async () => {
    const provider = await givenScimProvider(service);
    const externalId = newId('x');
    const manager = await provider.givenUser({ externalId, displayName: 'Grace Hopper' });
    for (const value of [manager.id, externalId, manager[enterprise].employeeNumber]) {
      const user = await provider.givenUser({ [enterprise]: { manager: { value } } });
      const { $ref: _, ...shown } = user[enterprise].manager;
      expect(shown).toEqual({ value: manager.id, displayName: 'Grace Hopper' });
      expect((await userOf(user)).manager).toMatchObject({ serial: manager.id });
    }
  });

  test('stores company attributes, where the standard has them or in the extension', async () => {
    const [level] = [newId('level')];
    await service.post('/service/attributes', { key: 'costCenter', type: 'text' });
    await service.post('/service/attributes', { key: level, type: 'number' });
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser({
      [enterprise]: { costCenter: 'C1' },
      [company]: { [level]: 7.5 },
    });
    expect(user[enterprise].costCenter).toBe('C1');
    expect(user[company]).toEqual({ [level]: 7.5 });
    expect((await userOf(user)).attributes).toEqual({ costCenter: 'C1', [level]: 7.5 });
    const invalid = await provider.post('/Users', aResource({ [company]: { [level]: 'high' } }));
    expect(invalid.json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  });

  const errors: [string, object, object][] = [
    ['no userName', { userName: undefined }, { scimType: 'invalidValue', detail: '"userName" is required.' }],
    ['a blank name', { displayName: '\u200b' }, { scimType: 'invalidValue' }],
    ['a userName of spaces', { userName: ' ' }, { scimType: 'invalidValue' }],
    ['a userName that only looks like one', { userName: 'ａｄａ' }, { scimType: 'invalidValue' }],
    ['NUL in an attribute that is only stored', { nickName: 'a\0b' }, { scimType: 'invalidValue' }],
    ['a lone surrogate', { addresses: [{ locality: '\ud800' }] }, { scimType: 'invalidValue' }],
    ['too much to store', { nickName: 'x'.repeat(40_000) }, { scimType: 'invalidValue' }],
    ['an unknown schema', { schemas: ['urn:nobody'] }, { scimType: 'invalidValue' }],
    [
      'a wrong type',
      { active: 'perhaps' },
      { scimType: 'invalidValue', detail: '"active" must be a boolean.' },
    ],
    ['no address at all', { emails: [], userName: 'nobodys name' }, { scimType: 'invalidValue' }],
    [
      'an employee number with a hyphen',
      { [enterprise]: { employeeNumber: 'E-1' } },
      { scimType: 'invalidValue' },
    ],
    ['two spellings of an attribute', { nickName: 'a', NickName: 'b' }, { scimType: 'invalidSyntax' }],
  ];

  test.each(errors)('rejects %s', async (_case, fields, expected) => {
    const provider = await givenScimProvider(service);
    const reply = await provider.post('/Users', aResource(fields));
    expect(reply.json).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '400',
      ...expected,
    });
    expect(reply.status).toBe(400);
  });

  test('rejects a userName that somebody has in any case with 409', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser();
    const reply = await provider.post('/Users', aResource({ userName: user.userName.toUpperCase() }));
    expect(reply.json).toMatchObject({ status: '409', scimType: 'uniqueness' });
    const employeeNumber = user[enterprise].employeeNumber;
    const same = await provider.post('/Users', aResource({ [enterprise]: { employeeNumber } }));
    expect(same.json).toMatchObject({ status: '409', scimType: 'uniqueness' });
  });

  test('of several at once with the same userName creates one', async () => {
    const provider = await givenScimProvider(service);
    const body = aResource();
    const replies = await Promise.all(Array.from({ length: 8 }, () => provider.post('/Users', body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('gives users without an employee number one by the setting of the provider', async () => {
    const generating = await givenScimProvider(service, { employeeId: 'generate' });
    expect((await generating.givenUser())[enterprise].employeeNumber).toMatch(/^S[2-9A-HJ-NP-Z]{12}$/);
    const copying = await givenScimProvider(service, { employeeId: 'externalId' });
    const externalId = `00-u_${newId()}`;
    const copied = await copying.givenUser({ externalId });
    expect(copied[enterprise].employeeNumber).toBe(externalId.replace(/[^A-Za-z0-9]/g, ''));
    const strict = await givenScimProvider(service, { employeeId: 'reject' });
    expect((await strict.post('/Users', aResource())).json).toMatchObject({ scimType: 'invalidValue' });
  });

  test('ignores unknown attributes or rejects them, by the setting of the provider', async () => {
    const lenient = await givenScimProvider(service, { unknownAttributes: 'ignore' });
    expect(await lenient.givenUser({ adreses: [1] })).not.toHaveProperty('adreses');
    await service.context.scimRequests.flush();
    const log = await service.get(`/service/clients/${lenient.clientId}/scim/requests`);
    expect(log.json.data.items[0].ignoredAttributes).toEqual(['adreses']);
    const strict = await givenScimProvider(service, { unknownAttributes: 'reject' });
    const reply = await strict.post('/Users', aResource({ adreses: [1] }));
    expect(reply.json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  });
});

describe('PUT /scim/v2/Users/{id}', () => {
  test('replaces what providers know, and keeps what no provider has sent', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser({ nickName: 'Ada', title: 'Countess' });
    await service.request('PATCH', `/service/users/${user.id}`, {
      body: { phone: '112', organizationSerial: 'ORG9' },
    });
    const { userName, emails } = user;
    const reply = await provider.put(`/Users/${user.id}`, { userName, emails, title: 'Author' });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toMatchObject({ title: 'Author', active: true, displayName: 'Ada Lovelace' });
    expect(reply.json).not.toHaveProperty('nickName');
    expect(await userOf(user)).toMatchObject({ phone: '112', organizationSerial: 'ORG9' });
  });

  test('clears what a provider has sent before and now omits', async () => {
    const provider = await givenScimProvider(service);
    const phoneNumbers = [{ value: '112', type: 'work', primary: true }];
    const user = await provider.givenUser({ phoneNumbers, [enterprise]: { organization: 'ORG7' } });
    const { userName, emails } = user;
    await provider.put(`/Users/${user.id}`, { userName, emails });
    expect(await userOf(user)).toMatchObject({ phone: null, organizationSerial: null });
  });

  test('keeps what another provider or HR has set, also if this one has sent it back', async () => {
    const [one, other] = [await givenScimProvider(service), await givenScimProvider(service)];
    const user = await one.givenUser({ phoneNumbers: [{ value: '112', type: 'work', primary: true }] });
    await service.request('PATCH', `/service/users/${user.id}`, { body: { organizationSerial: 'ORG9' } });
    const read = (await other.get(`/Users/${user.id}`)).json;
    await other.put(`/Users/${user.id}`, read);
    const { userName, emails } = user;
    await other.put(`/Users/${user.id}`, { userName, emails });
    expect(await userOf(user)).toMatchObject({ phone: '112', organizationSerial: 'ORG9' });
  });

  test('of what was read changes nothing', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser({
      externalId: 'x',
      name: { givenName: 'Ada', familyName: 'King' },
    });
    const reply = await provider.put(`/Users/${user.id}`, user);
    expect(reply.json).toEqual(user);
  });

  test('with If-Match of another version is rejected with 412', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser();
    const stale = await provider.put(`/Users/${user.id}`, user, { headers: { 'if-match': 'W/"7"' } });
    expect(stale.status).toBe(412);
    const current = await provider.put(`/Users/${user.id}`, user, { headers: { 'if-match': 'W/"1"' } });
    expect(current.status).toBe(200);
  });
});

describe('PATCH /scim/v2/Users/{id}', () => {
  test('returns 204, or the resource if attributes are requested', async () => {
    const provider = await givenScimProvider(service);
    const { id } = await provider.givenUser();
    const change = { op: 'Replace', path: 'name.familyName', value: 'King' };
    const reply = await provider.patch(`/Users/${id}`, change);
    expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([204, '', 'W/"2"']);
    const shown = await provider.patch(`/Users/${id}?attributes=name`, { ...change, value: 'Byron' });
    expect(shown.status).toBe(200);
    expect(withoutMeta(shown.json)).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      id,
      name: { formatted: 'Ada Byron', givenName: 'Ada', familyName: 'Byron' },
    });
  });

  test('of one email address leaves the others', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser();
    await provider.patch(`/Users/${user.id}`, {
      op: 'add',
      path: 'emails[type eq "home"].value',
      value: 'ada@home.example',
    });
    await provider.patch(`/Users/${user.id}`, {
      op: 'replace',
      path: 'emails[type eq "work"].value',
      value: 'w@x.y',
    });
    expect((await provider.get(`/Users/${user.id}`)).json.emails).toEqual([
      { value: 'w@x.y', type: 'work', primary: true },
      { value: 'ada@home.example', type: 'home' },
    ]);
    expect(await userOf(user)).toMatchObject({ email: 'w@x.y' });
  });

  test('active: false ends sessions at once', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser({ password: 'correct horse battery' });
    const signedIn = await service.post('/service/auth/sign-in', {
      username: user.userName.toUpperCase(),
      password: 'correct horse battery',
    });
    const { accessToken: token } = signedIn.json.data;
    expect(signedIn.status, signedIn.text).toBe(200);
    expect((await service.get('/service/auth/me', { token })).status).toBe(200);
    const patched = await provider.patch(`/Users/${user.id}`, { op: 'replace', value: { active: false } });
    expect(patched.status, patched.text).toBe(204);
    expect((await service.get('/service/auth/me', { token })).status).toBe(401);
  });

  test('a password is an initial one, and ends the old one', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser({ password: 'correct horse battery' });
    await provider.patch(`/Users/${user.id}`, { op: 'replace', path: 'password', value: 'staple gun orbit' });
    const signIn = (password: string) =>
      service.post('/service/auth/sign-in', { username: user.userName, password });
    expect((await signIn('correct horse battery')).status).toBe(401);
    expect((await signIn('staple gun orbit')).json.data).toMatchObject({ mustChangePassword: true });
    expect((await provider.get(`/Users/${user.id}`)).text).not.toContain('staple');
  });

  test('at the same time as others loses nothing', async () => {
    const provider = await givenScimProvider(service);
    const { id } = await provider.givenUser();
    const paths = ['title', 'nickName', 'locale', 'userType', 'timezone', 'profileUrl'];
    const replies = await Promise.all(
      paths.map((path) => provider.patch(`/Users/${id}`, { op: 'add', path, value: path })),
    );
    expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 204));
    expect((await provider.get(`/Users/${id}`)).json).toMatchObject(
      Object.fromEntries(paths.map((path) => [path, path])),
    );
  });

  test('of something that does not exist changes nothing', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser();
    const reply = await provider.patch(
      `/Users/${user.id}`,
      { op: 'replace', path: 'title', value: 'lost' },
      { op: 'replace', path: 'titel', value: 'x' },
    );
    expect(reply.json).toMatchObject({
      scimType: 'invalidPath',
      detail: 'Operations[1]: "titel" is not an attribute. Did you mean "title"?',
    });
    expect((await provider.get(`/Users/${user.id}`)).json).toEqual(user);
  });
});

describe('DELETE /scim/v2/Users/{id}', () => {
  test('deactivates the user, who is gone for providers, and comes back with the same ID', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser();
    expect((await provider.delete(`/Users/${user.id}`)).status).toBe(204);
    expect(await userOf(user)).toMatchObject({ isActive: false });
    for (const method of ['GET', 'DELETE']) {
      expect((await provider.send(method, `/Users/${user.id}`)).json).toMatchObject({ status: '404' });
    }
    const again = await provider.givenUser({ userName: user.userName, displayName: 'Ada Again' });
    expect(again).toMatchObject({ id: user.id, displayName: 'Ada Again', active: true });
  });

  test('lets somebody else have the name of whoever was deleted', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser();
    await provider.delete(`/Users/${user.id}`);
    const employeeNumber = newId();
    const other = await provider.givenUser({ userName: user.userName, [enterprise]: { employeeNumber } });
    expect(other.id).not.toBe(user.id);
    expect(other.userName).toBe(user.userName);
  });

  test('loses nothing that others maintain when the user comes back', async () => {
    const [one, other] = [await givenScimProvider(service), await givenScimProvider(service)];
    const user = await one.givenUser({
      externalId: 'of one',
      nickName: 'Ada',
      password: 'correct horse battery',
    });
    await other.patch(`/Users/${user.id}`, { op: 'add', path: 'externalId', value: 'of the other' });
    await service.request('PATCH', `/service/users/${user.id}`, {
      body: { phone: '112', organizationSerial: 'ORG7', tagSerials: ['T1'] },
    });
    await one.delete(`/Users/${user.id}`);
    const again = await one.givenUser({ userName: user.userName, password: 'staple gun orbit' });
    expect(again).toMatchObject({ id: user.id, nickName: 'Ada', externalId: 'of one' });
    expect((await other.get(`/Users/${user.id}`)).json.externalId).toBe('of the other');
    expect(await userOf(user)).toMatchObject({
      phone: '112',
      organizationSerial: 'ORG7',
      tagSerials: ['T1'],
    });
    const signIn = (password: string) =>
      service.post('/service/auth/sign-in', { username: user.userName, password });
    expect((await signIn('correct horse battery')).status).toBe(401);
    expect((await signIn('staple gun orbit')).status).toBe(200);
  });

  test('of a user whom others have activated since then gives nobody the account', async () => {
    const provider = await givenScimProvider(service);
    const user = await provider.givenUser();
    const { employeeNumber } = user[enterprise];
    await provider.delete(`/Users/${user.id}`);
    await service.request('PATCH', `/service/users/${user.id}`, { body: { isActive: true } });
    for (const fields of [{ [enterprise]: { employeeNumber } }, { userName: user.userName }]) {
      expect((await provider.post('/Users', aResource(fields))).status).toBe(409);
    }
    expect((await provider.get(`/Users/${user.id}`)).json).toMatchObject({ active: true });
  });

  test('leaves a user to the provider that has deleted them, for one that only sees its own', async () => {
    const [one, other] = [
      await givenScimProvider(service),
      await givenScimProvider(service, { visibleUsers: 'own' }),
    ];
    const user = await one.givenUser();
    await one.delete(`/Users/${user.id}`);
    expect((await other.post('/Users', aResource({ userName: user.userName }))).status).toBe(409);
    expect(await userOf(user)).toMatchObject({ isActive: false });
  });

  test('erases the user if the provider is set so', async () => {
    const provider = await givenScimProvider(service, { onDelete: 'erase' });
    const { id } = await provider.givenUser();
    expect((await provider.delete(`/Users/${id}`)).status).toBe(204);
    expect((await service.get(`/service/users/${id}`)).status).toBe(410);
    expect((await provider.get(`/Users/${id}`)).status).toBe(404);
  });

  test('of more users than the limit allows is rejected with 403', async () => {
    const provider = await givenScimProvider(service, { deactivationPercent: 1 });
    const settings = await service.get(`/service/clients/${provider.clientId}/scim`);
    const { limit } = settings.json.data.deactivations as { limit: number };
    const users = await Promise.all(Array.from({ length: limit + 4 }, () => provider.givenUser()));
    const replies = await Promise.all(users.map(({ id }) => provider.delete(`/Users/${id}`)));
    const rejected = replies.filter(({ status }) => status === 403);
    expect(rejected.length).toBeGreaterThan(0);
    expect(replies.length - rejected.length).toBeGreaterThanOrEqual(limit);
    expect(rejected[0]?.json.detail).toMatch(/would exceed its limit of \d+/);
  });
});

describe('a provider', () => {
  test('that only sees its own users gets 404 for others, and no name of theirs', async () => {
    const [one, other] = [
      await givenScimProvider(service),
      await givenScimProvider(service, { visibleUsers: 'own' }),
    ];
    const { id } = await one.givenUser();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect((await other.send(method, `/Users/${id}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
    }
    expect((await one.get(`/Users/${id}`)).status).toBe(200);
  });

  test('has external IDs of its own', async () => {
    const [one, other] = [await givenScimProvider(service), await givenScimProvider(service)];
    const user = await one.givenUser({ externalId: 'of one' });
    await other.patch(`/Users/${user.id}`, { op: 'add', path: 'externalId', value: 'of the other' });
    expect((await one.get(`/Users/${user.id}`)).json.externalId).toBe('of one');
    expect((await other.get(`/Users/${user.id}`)).json.externalId).toBe('of the other');
  });

  test('can neither take over an administrator nor learn sensitive attributes', async () => {
    const key = newId('secret');
    await service.post('/service/attributes', { key, type: 'text', isSensitive: true });
    const admin = await service.givenUser({ username: newId('adm') });
    await service.request('PATCH', `/service/users/${admin.serial}`, {
      body: { attributes: { [key]: 'x' } },
    });
    await service.request('PUT', `/service/users/${admin.serial}/role`, { body: { role: 'viewer' } });
    const provider = await givenScimProvider(service);
    const read = await provider.get(`/Users/${admin.serial}`);
    expect(read.text).not.toContain(key);
    const path = `/Users/${admin.serial}`;
    for (const [attribute, value] of [
      ['userName', 'mallory@example.com'],
      ['emails', [{ value: 'mallory@example.com' }]],
      ['password', 'mallory knows this'],
      [`${company}:${key}`, 'y'],
    ] as const) {
      const reply = await provider.patch(path, { op: 'replace', path: attribute, value });
      expect([attribute, reply.status]).toEqual([attribute, attribute.startsWith('urn') ? 400 : 403]);
    }
  });
});

test('every failure under /scim has the shape of SCIM errors', async () => {
  const provider = await givenScimProvider(service);
  const replies = [
    await service.get('/scim/v2/Users/1', { token: null }),
    await service.get('/scim/v2/Users/1', { token: await service.tokenFor('users:read') }),
    await provider.get('/nothing'),
    await provider.send('POST', '/ServiceProviderConfig', {}),
    await provider.get('/Users/1', { headers: { accept: 'text/html' } }),
    await provider.send('POST', '/Users', undefined, { rawBody: '{', headers: {} }),
    await provider.send('POST', '/Users', undefined, {
      rawBody: 'x',
      headers: { 'content-type': 'text/csv' },
    }),
    await provider.send('POST', '/Users', undefined, { rawBody: '['.repeat(1_000) }),
    await provider.send('POST', '/Users', { userName: 'x'.repeat(100_000) }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 403, 404, 405, 406, 400, 415, 400, 413]);
  for (const { status, json } of replies) {
    expect(json).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      detail: expect.stringMatching(/./),
    });
  }
});

test('an undo restores what a provider has changed', async () => {
  const provider = await givenScimProvider(service);
  const user = await provider.givenUser({ nickName: 'before' });
  const changes = await service.get(`/service/changes?userSerial=${user.id}`);
  expect(changes.json.data.items[0].fields).toMatchObject({
    signInName: { before: null, after: user.userName },
    scim: { before: null, after: { core: { nickName: 'before' } } },
  });
});
