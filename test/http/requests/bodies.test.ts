import { once } from 'node:events';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenColleague } from '../../support/planned-calls.js';
import { chunked, openSocket, rawRequest, sendRaw } from '../../support/raw-http.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';

// What JSON is, and where it breaks, is tested in test/unit/json-body.test.ts and list-body.test.ts.
const service = useService();

const operations = [
  '/service/users',
  '/service/users/create-bulk',
  '/service/users/update-bulk',
  '/service/users/lookup',
];

const sendBody = (path: string, rawBody: string | Buffer) => service.request('POST', path, { rawBody });

describe.each(operations)('a body of %s', (path) => {
  test('that is not JSON fails with 400, 10002 and the position of the error, but not the body', async () => {
    const reply = await sendBody(path, '{"items": [\n"secret"');
    expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /not valid JSON\. Check line 2, column 9\./);
    expect(reply.text).not.toContain('secret');
  });

  test('that is missing fails with 400 and 10002, with and without a Content-Type', async () => {
    const missing = /Send a JSON object/;
    const typed = await service.request('POST', path, { headers: { 'content-type': 'application/json' } });
    expectFailure(typed, 400, 10002, 'REQUEST_BODY_NOT_JSON', missing);
    expectFailure(await service.request('POST', path), 400, 10002, 'REQUEST_BODY_NOT_JSON', missing);
  });

  test('that is nested too deeply fails with 400 and 10003', async () => {
    const deep = `{"items":[${'['.repeat(20_000)}`;
    expectFailure(await sendBody(path, deep), 400, 10003, 'REQUEST_BODY_TOO_DEEP', /32 levels/);
  });

  test('must be UTF-8', async () => {
    const latin = Buffer.from('{"items":["J\xfcrgen"]}', 'latin1');
    expectFailure(await sendBody(path, latin), 400, 10002, 'REQUEST_BODY_NOT_JSON', /not valid UTF-8/);
  });
});

test('an empty chunked body and a patch without a body are missing bodies, too', async () => {
  const headers = {
    authorization: service.token,
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  };
  const empty = await sendRaw(service.url, rawRequest('POST', '/service/users', headers, chunked()));
  expectFailure(empty, 400, 10002, 'REQUEST_BODY_NOT_JSON', /Send a JSON object/);
  const { serial } = await service.givenUser();
  const patch = await service.request('PATCH', `/service/users/${serial}`);
  expectFailure(patch, 400, 10002, 'REQUEST_BODY_NOT_JSON', /Send a JSON object/);
});

test('no item is applied if a later one is nested too deeply', async () => {
  const user = await service.givenUser();
  const items = [anItem(user, { name: 'Changed' }), anItem(user, { name: 'DEEP' })];
  const deep = '['.repeat(33) + ']'.repeat(33);
  const reply = await sendBody(
    '/service/users/update-bulk',
    JSON.stringify({ items }).replace('"DEEP"', deep),
  );
  expectFailure(reply, 400, 10003, 'REQUEST_BODY_TOO_DEEP', /32 levels/);
  expect((await service.readUser(user.serial)).name).toBe(user.name);
});

describe('a compressed body', () => {
  const path = '/service/users/update-bulk';
  const sendEncoded = (encoding: string, rawBody: Buffer, url = path) =>
    service.request('POST', url, { rawBody, headers: { 'content-encoding': encoding } });

  test('is read like any other, on every operation, and the same request as an uncompressed one', async () => {
    const user = await service.givenUser();
    const body = JSON.stringify({ items: [anItem(user, { name: 'Ada King' })] });
    const headers = { 'idempotency-key': newId('key') };
    for (const [encoding, rawBody] of [
      ['gzip', gzipSync(body)],
      ['deflate', deflateSync(body)],
      ['identity', Buffer.from(body)],
    ] as const) {
      const options = { rawBody, headers: { ...headers, 'content-encoding': encoding } };
      const reply = await service.request('POST', path, options);
      expect([encoding, serialsOf(reply)]).toEqual([encoding, [user.serial]]);
    }
    const created = await sendEncoded('gzip', gzipSync(JSON.stringify(aUser())), '/service/users');
    expect(created.status).toBe(201);
    const lookup = { employeeIDs: [user.employeeID] };
    const found = await sendEncoded('gzip', gzipSync(JSON.stringify(lookup)), '/service/users/lookup');
    expect(found.json.data.items).toMatchObject([{ name: 'Ada King' }]);
  });

  test('is limited by its decompressed size, and the connection still works', async () => {
    const limit = service.context.limits.bulkBodyMaxBytes;
    const bomb = gzipSync(Buffer.alloc(4 * limit, ' '));
    const reply = await sendEncoded('gzip', bomb);
    expectFailure(reply, 413, 10012, 'REQUEST_BODY_TOO_LARGE', new RegExp(`${limit} bytes`));
    const small = await sendEncoded('gzip', gzipSync(Buffer.alloc(65_537, ' ')), '/service/users');
    expectFailure(small, 413, 10012, 'REQUEST_BODY_TOO_LARGE', /65536 bytes/);
  });

  test('fails with 400 if it is damaged, and with 415 if the encoding is unknown', async () => {
    const damaged = await sendEncoded('gzip', Buffer.from('{"items":[]}'));
    expectFailure(damaged, 400, 10002, 'REQUEST_BODY_NOT_JSON', /could not be decompressed/);
    const unknown = await sendEncoded('br', Buffer.from('x'));
    expectFailure(unknown, 415, 10014, 'REQUEST_MEDIA_TYPE_UNSUPPORTED', /gzip or deflate/);
    expect(unknown.headers.get('accept-encoding')).toBe('gzip, deflate');
  });
});

test('a body may contain any character, escaped or not, and a byte order mark and white space around it', async () => {
  const user = aUser({ name: 'Zoë \u{1f680}\u2028"x" \\ 山田 [{[{' });
  const escaped = JSON.stringify(user).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const reply = await sendBody('/service/users', `\ufeff\r\n\t ${escaped} \n`);
  expect((await service.readUser(reply.json.data.serial)).name).toBe(user.name);
});

test('a body that arrives after its token has ended is not processed', { tags: 'release' }, async () => {
  const [user, client] = [aUser(), await givenColleague(service)];
  const body = JSON.stringify(user);
  const headers = {
    ...{ authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    ...{ 'content-length': `${Buffer.byteLength(body)}` },
  };
  const socket = await openSocket(service.url);
  socket.write(rawRequest('POST', '/service/users', headers, body.slice(0, 5)));
  await service.post(`/service/clients/${client.clientId}/rotate`, { overlapSeconds: 0 });
  // A node trusts its last check of a token for some seconds.
  const { token } = client;
  await expect.poll(async () => (await service.get('/service/users?limit=1', { token })).status).toBe(401);
  socket.write(body.slice(5));
  const [reply] = await once(socket, 'data');
  expect(String(reply)).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
  expect((await service.get(`/service/users?employeeID=${user.employeeID}`)).json.data.items).toEqual([]);
});
