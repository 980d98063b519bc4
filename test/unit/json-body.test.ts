import { describe, expect, test } from 'vitest';
import { ExactNumber, readExactJson, writeExactJson } from '../../src/http/exact-json.js';
import { readJsonBody } from '../../src/http/json-body.js';

const read = (text: string) => readJsonBody(Buffer.from(text));

describe('a JSON body', () => {
  test('is read as it is when nothing about it is unusual', () => {
    const result = read('{"items":[{"a":1,"b":[true,null,"x"]}]}');
    expect(result).toMatchObject({
      ok: true,
      body: { value: { items: [{ a: 1, b: [true, null, 'x'] }] }, repeated: [] },
    });
    expect(result.ok && result.body.exact === result.body.value, 'and read once').toBe(true);
  });

  test('may begin with a byte order mark', () => {
    expect(read('\ufeff{"a":"b"}')).toMatchObject({ ok: true, body: { value: { a: 'b' } } });
  });

  test.each([
    ['in an object', '{"a":1,"a":2}', [{ path: [], field: 'a' }]],
    ['written with an escape', '{"a":1,"\\u0061":2}', [{ path: [], field: 'a' }]],
    ['in an item', '{"items":[{"x":0},{"b":1,"b":1}]}', [{ path: ['items', 1], field: 'b' }]],
    ['and __proto__', '{"__proto__":1,"__proto__":2}', [{ path: [], field: '__proto__' }]],
  ])('tells a field that is given twice %s', (_, text, repeated) => {
    expect(read(text)).toMatchObject({ ok: true, body: { repeated } });
  });

  test('is not misled by colons and braces in strings', () => {
    const text = '{"a:b":"{\\"c\\":1,[:::","d\\\\":"\\\\\\""}';
    expect(read(text)).toMatchObject({ ok: true, body: { repeated: [] } });
  });

  test.each(['1e400', '12345678901234567890', '-0', '1.0', '0.1', '1E5', '-12'])(
    'keeps the number %s as it was written',
    (number) => {
      const result = read(`{"a":[${number}]}`);
      expect(result.ok && writeExactJson(result.body.exact)).toBe(`{"a":[${number}]}`);
    },
  );

  test.each([
    ['{"a":}', 'line 1, column 6'],
    ['{"a":1,\n  "b" 2}', 'line 2, column 7'],
    ['[1,]', 'line 1, column 4'],
    ['{"a":"b', 'line 1, column 6'],
    ['nul', 'line 1, column 1'],
    ['{} x', 'line 1, column 4'],
    ['{"a":01}', 'line 1, column 7'],
  ])('%j is not JSON, and the error says where', (text, where) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, failure: { error: 'REQUEST_BODY_NOT_JSON' } });
    expect(!result.ok && result.failure.detail).toContain(where);
  });

  test.each(['[', '{"a":'])('nested 20,000 levels of %s is refused before it is parsed', (opening) => {
    expect(read(opening.repeat(20_000))).toMatchObject({
      ok: false,
      failure: { error: 'REQUEST_BODY_TOO_DEEP' },
    });
  });

  test('of exactly 32 levels is read', () => {
    expect(read('['.repeat(32) + ']'.repeat(32)).ok).toBe(true);
    expect(read('['.repeat(33) + ']'.repeat(33)).ok).toBe(false);
  });
});

describe('the exact reader', () => {
  test.each([
    '{"a":[1,{"b":null},"\\u00e9\\n"],"c":true,"d":{}}',
    '[]',
    '"x"',
    '-1.5e-7',
    'false',
    ' [ 1 , 2 ] ',
  ])('gives back what JSON.parse reads from %s', (text) => {
    expect(JSON.parse(writeExactJson(readExactJson(text).value))).toEqual(JSON.parse(text));
  });

  test('has numbers as texts', () => {
    expect(readExactJson('[10]').value).toEqual([new ExactNumber('10')]);
  });
});
