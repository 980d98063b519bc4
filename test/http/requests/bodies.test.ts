import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { chunked, rawRequest, sendRaw } from '../../support/raw-http.js';
import { anItem, aUser, useOwnService } from '../../support/service.js';

const service = useOwnService({ ROLLCALL_BODY_MAX_BYTES: '1000000' });

const operations = [
  '/service/users',
  '/service/users/create-bulk',
  '/service/users/update-bulk',
  '/service/users/lookup',
];

function sendBody(path: string, rawBody: string | Buffer) {
  return service.request('POST', path, { rawBody });
}

describe('a body that is not JSON fails with 400, 10002 and the position of the error', () => {
  test.each([
    ['an open object', '{', 'line 1, column 2'],
    ['a word', 'hello', 'line 1, column 1'],
    ['a trailing comma in an object', '{"a":1,}', 'line 1, column 8'],
    ['a trailing comma in an array', '{"items":[1,]}', 'line 1, column 13'],
    ['a second value', '{} {}', 'line 1, column 4'],
    ['single quotes', "{'a':1}", 'line 1, column 2'],
    ['a field without quotes', '{a:1}', 'line 1, column 2'],
    ['a missing colon', '{"a" 1}', 'line 1, column 6'],
    ['a missing comma on line 3', '{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['a missing comma after CR LF', '{\r\n"a": 1\r\n"b": 2}', 'line 3, column 1'],
    ['a comment', '{\n// hello\n}', 'line 2, column 1'],
    ['an open string', '{"a": "b}', 'line 1, column 7'],
    ['a bad escape', '{"a": "\\x"}', 'line 1, column 7'],
    ['an unescaped line break in a string', '{"a": "b\nc"}', 'line 1, column 7'],
    ['a leading zero', '{"a": 01}', 'line 1, column 8'],
    ['a bare fraction', '{"a": .5}', 'line 1, column 7'],
    ['NaN', '{"a": NaN}', 'line 1, column 7'],
    ['undefined', '{"a": undefined}', 'line 1, column 7'],
    ['True', '{"a": True}', 'line 1, column 7'],
    ['a mismatched bracket', '{"a": [1}', 'line 1, column 9'],
    ['only white space', ' \n ', 'line 2, column 2'],
    ['a form', 'employeeID=E1&name=Ada', 'line 1, column 1'],
  ])('%s', async (_, body, place) => {
    const reply = await sendBody('/service/users', body);
    expectFailure(
      reply,
      400,
      10002,
      'REQUEST_BODY_NOT_JSON',
      new RegExp(`not valid JSON. Check ${place}\\.`),
    );
  });

  test.each(operations)('on %s', async (path) => {
    expectFailure(
      await sendBody(path, '{"items": ['),
      400,
      10002,
      'REQUEST_BODY_NOT_JSON',
      /line 1, column 12/,
    );
  });

  test('without repeating the body in the detail', async () => {
    const reply = await sendBody('/service/users', '{"password": "very secret" oops}');
    expect(reply.json.errorCode).toBe(10002);
    expect(reply.text).not.toContain('secret');
  });
});

describe('a missing body fails with 400 and 10002', () => {
  test.each(operations)('on %s, with and without a Content-Type', async (path) => {
    const typed = await service.request('POST', path, { headers: { 'content-type': 'application/json' } });
    expectFailure(typed, 400, 10002, 'REQUEST_BODY_NOT_JSON', /Send a JSON object/);
    expectFailure(
      await service.request('POST', path),
      400,
      10002,
      'REQUEST_BODY_NOT_JSON',
      /Send a JSON object/,
    );
  });

  test('even if it is an empty chunked body', async () => {
    const headers = {
      authorization: service.token,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    const reply = await sendRaw(service.url, rawRequest('POST', '/service/users', headers, chunked()));
    expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /Send a JSON object/);
  });

  test('on a patch', async () => {
    const { serial } = await service.givenUser();
    const reply = await service.request('PATCH', `/service/users/${serial}`);
    expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /Send a JSON object/);
  });
});

describe('the bytes of a body', () => {
  test.each([
    ['a lone byte', [0xff]],
    ['Latin-1', [...Buffer.from('J\xfcrgen', 'latin1')]],
    ['a truncated sequence', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
  ])('must be valid UTF-8: %s', async (_, bytes) => {
    const [before, after] = JSON.stringify(aUser({ name: '|' })).split('|');
    const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.from(bytes), Buffer.from(after ?? '')]);
    const reply = await sendBody('/service/users', body);
    expectFailure(reply, 400, 10002, 'REQUEST_BODY_NOT_JSON', /not valid UTF-8/);
  });

  test.each([
    ['UTF-16', Buffer.from(JSON.stringify(aUser()), 'utf16le')],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${JSON.stringify(aUser())}`, 'utf16le')],
  ])('must be UTF-8, not %s', async (_, body) => {
    expectFailure(await sendBody('/service/users', body), 400, 10002, 'REQUEST_BODY_NOT_JSON', /not valid/);
  });

  test('may start with a byte order mark', async () => {
    const reply = await sendBody('/service/users', `\ufeff${JSON.stringify(aUser())}`);
    expect(reply.status, reply.text).toBe(201);
  });

  test('may not be only a byte order mark or start with two', async () => {
    expect((await sendBody('/service/users', '\ufeff')).json.errorCode).toBe(10002);
    const twice = await sendBody('/service/users', `\ufeff\ufeff${JSON.stringify(aUser())}`);
    expect(twice.json.errorCode).toBe(10002);
  });

  test('may contain any character, escaped or not', async () => {
    const user = aUser({ name: 'Zoë \u{1f680} \u2028 "x" \\ 山田' });
    const escaped = JSON.stringify(user).replace(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const reply = await sendBody('/service/users', escaped);
    expect((await service.readUser(reply.json.data.serial)).name).toBe(user.name);
  });

  test('may have white space around the value', async () => {
    expect((await sendBody('/service/users', `\r\n\t ${JSON.stringify(aUser())} \n`)).status).toBe(201);
  });
});

describe('a body nested too deeply fails with 400 and 10003', () => {
  const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  test.each([
    ['20,000 arrays', arrays(20_000)],
    ['20,000 objects', objects(20_000)],
    ['20,000 unclosed arrays', '['.repeat(20_000)],
    ['20,000 unclosed objects', '{"a":'.repeat(20_000)],
    ['33 arrays', arrays(33)],
  ])('%s as the body of a create', async (_, body) => {
    expectFailure(await sendBody('/service/users', body), 400, 10003, 'REQUEST_BODY_TOO_DEEP', /32 levels/);
  });

  test.each([
    ['20,000 arrays', arrays(20_000)],
    ['20,000 objects', objects(20_000)],
  ])('%s in a field of a create', async (_, deep) => {
    const body = JSON.stringify(aUser({ name: 'DEEP' })).replace('"DEEP"', deep);
    expectFailure(await sendBody('/service/users', body), 400, 10003, 'REQUEST_BODY_TOO_DEEP', /32 levels/);
  });

  test.each([
    ['20,000 arrays', arrays(20_000)],
    ['20,000 objects', objects(20_000)],
  ])('%s in a field of a bulk item, and no item is applied', async (_, deep) => {
    const user = await service.givenUser();
    const items = [anItem(user, { name: 'Changed' }), anItem(user, { name: 'DEEP' })];
    const body = JSON.stringify({ items }).replace('"DEEP"', deep);
    const reply = await sendBody('/service/users/update-bulk', body);
    expectFailure(reply, 400, 10003, 'REQUEST_BODY_TOO_DEEP', /32 levels/);
    expect((await service.readUser(user.serial)).name).toBe(user.name);
  });

  test('20,000 arrays as an item of a bulk create', async () => {
    const reply = await sendBody('/service/users/create-bulk', `{"items":[${arrays(20_000)}]}`);
    expectFailure(reply, 400, 10003, 'REQUEST_BODY_TOO_DEEP', /32 levels/);
  });

  test('but brackets inside a string do not count', async () => {
    const reply = await sendBody('/service/users', JSON.stringify(aUser({ name: '[{"'.repeat(60) })));
    expect(reply.status, reply.text).toBe(201);
  });

  test('but 32 levels are accepted', async () => {
    expect((await sendBody('/service/users', arrays(32))).json.errorCode).toBe(10105);
  });
});
