import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonBody } from '../../src/http/json-body.js';
import { JsonScanner } from '../../src/http/json-scanner.js';

const read = (text: string) => readJsonBody(Buffer.from(text));

describe('JSON body', () => {
  test('is parsed', () => {
    expect(read('{"items":[{"a":1,"b":[true,null,"x"]}]}')).toMatchObject({
      ok: true,
      body: { value: { items: [{ a: 1, b: [true, null, 'x'] }] }, repeatedField: undefined },
    });
  });

  test('may start with a byte order mark', () => {
    expect(read('\ufeff{"a":"b"}')).toMatchObject({ ok: true, body: { value: { a: 'b' } } });
  });

  test.each([
    ['in a small object', '{"a":1,"b":2,"a":3,"b":4}', 'a'],
    ['written with an escape', '{"a":1,"\\u0061":2}', 'a'],
    ['named __proto__', '{"__proto__":1,"__proto__":2}', '__proto__'],
    ['among thousands', `{${'"a":1,'.repeat(5_000)}"b":1}`, 'a'],
  ])('reports a duplicate field %s', (_, text, repeatedField) => {
    expect(read(text)).toMatchObject({ ok: true, body: { repeatedField } });
  });

  test('with thousands of fields is read only as far as needed to reject it', () => {
    const fields = Array.from({ length: 5_000 }, (_, index) => `"f${index}":[{"g${index}":[]}]`);
    const result = read(`{"name":"Ada","tagSerials":[["T1"]],${fields}}`);
    const value = result.ok ? (result.body.value as Record<string, unknown>) : {};
    expect(value).toMatchObject({ name: 'Ada', tagSerials: [[]], f0: [[]] });
    expect(Object.keys(value).length).toBeLessThan(400);
  });

  test('may contain colons and braces in strings', () => {
    const text = '{"a:b":"{\\"c\\":1,[:::","d\\\\":"\\\\\\""}';
    expect(read(text)).toMatchObject({ ok: true, body: { repeatedField: undefined } });
  });

  test.each([
    ['{"a":}', 'line 1, column 6'],
    ['{"a":1,\n  "b" 2}', 'line 2, column 7'],
    ['[1,]', 'line 1, column 4'],
    ['{"a":"b', 'line 1, column 6'],
    ['nul', 'line 1, column 1'],
    ['{} x', 'line 1, column 4'],
    ['{"a":01}', 'line 1, column 7'],
    ['{"a":-}', 'line 1, column 6'],
    ['{"a":1.}', 'line 1, column 7'],
    ['{"a":1e+}', 'line 1, column 7'],
    ['{"é😀":}', 'line 1, column 8'],
    ['\ufeff[}', 'line 1, column 2'],
    ['\ufeff\ufeff{}', 'line 1, column 1'],
    ['\ufeff', 'line 1, column 1'],
    ['{', 'line 1, column 2'],
    ["{'a':1}", 'line 1, column 2'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['{\r\n"a": 1\r\n"b": 2}', 'line 3, column 1'],
    ['{\n// hello\n}', 'line 2, column 1'],
    ['{"a": "\\x"}', 'line 1, column 7'],
    ['{"a": "b\nc"}', 'line 1, column 7'],
    ['{"a": NaN}', 'line 1, column 7'],
    ['{"a": [1}', 'line 1, column 9'],
    [' \n ', 'line 2, column 2'],
  ])('%j is not JSON, and the error says where', (text, where) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, failure: { error: 'REQUEST_BODY_NOT_JSON' } });
    expect(!result.ok && result.failure.detail).toContain(where);
  });

  test.each([
    ['a lone byte', [0xff]],
    ['Latin-1', [...Buffer.from('J\xfcrgen', 'latin1')]],
    ['a truncated sequence', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['UTF-16 with a byte order mark', [0xff, 0xfe, 0x7b, 0x00]],
  ])('must be valid UTF-8: %s', (_, bytes) => {
    const result = readJsonBody(
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]),
    );
    expect(result).toMatchObject({
      ok: false,
      failure: { error: 'REQUEST_BODY_NOT_JSON', detail: expect.stringContaining('not valid UTF-8') },
    });
  });

  test.each(['[', '{"a":'])('with 20,000 levels of %s is rejected before it is parsed', (opening) => {
    expect(read(opening.repeat(20_000))).toMatchObject({
      ok: false,
      failure: { error: 'REQUEST_BODY_TOO_DEEP' },
    });
  });

  test('may have 32 levels, but not 33', () => {
    expect(read('['.repeat(32) + ']'.repeat(32)).ok).toBe(true);
    expect(read('['.repeat(33) + ']'.repeat(33)).ok).toBe(false);
  });
});

describe('scanner', () => {
  /** Scans a few bytes at a time and collects the text of every value. */
  function scan(text: string, atOnce: number): { state: string; values: string[] } {
    const bytes = Buffer.from(text);
    const values: string[] = [];
    const scanner = new JsonScanner(bytes, 0, {
      depthMax: 32,
      field: () => {},
      value: (_depth, start, end) => values.push(bytes.toString('utf8', start, end)),
    });
    while (scanner.scan(atOnce) === 'unfinished');
    return { state: scanner.state, values };
  }

  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  /** JSON with some characters replaced, removed or inserted. */
  const nearlyJson = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.nat(2),
          fc.constantFrom(...'{}[]",:\\ue+-.0123tfn \n\t\u0000é', 'true', '\\u00e9', '1.5e-7'),
        ),
        { maxLength: 3 },
      ),
    )
    .map(([json, edits]) =>
      edits.reduce((text, [place, length, put]) => {
        const at = place % (text.length + 1);
        return text.slice(0, at) + put + text.slice(at + length);
      }, json),
    );

  test('accepts exactly what JSON.parse accepts, however it is split', () => {
    fc.assert(
      fc.property(nearlyJson, fc.integer({ min: 1, max: 9 }), (text, atOnce) => {
        const { state, values } = scan(text, atOnce);
        expect(state).toBe(isJson(text) ? 'done' : 'broken');
        if (state === 'done') {
          expect(values.every(isJson)).toBe(true);
          expect(JSON.parse(values.at(-1) as string)).toEqual(JSON.parse(text));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
