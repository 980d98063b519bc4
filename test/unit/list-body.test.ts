import { describe, expect, test, vi } from 'vitest';
import { echoOf } from '../../src/http/bulk-echo.js';
import { readListBody } from '../../src/http/list-body.js';

const fields = ['employeeID', 'name', 'tagSerials', 'password'];

async function read(text: string, elementsMax = 100) {
  const result = await readListBody(Buffer.from(text), { list: 'items', fields, elementsMax });
  if (!result.ok) throw new Error(result.failure.detail);
  const { body } = result;
  const items: unknown[] = [];
  const repeated: (string | undefined)[] = [];
  await body.each((value, origin) => {
    items.push(value);
    repeated.push(origin.repeatedField);
  });
  const echo = echoOf(body, fields, ['employeeID', 'name', 'tagSerials']);
  return { body, items, repeated, echoes: items.map((_, position) => [echo(position)].flat().join('')) };
}

describe('body with a list', () => {
  test('returns the same elements as JSON.parse', async () => {
    const items = [
      { employeeID: 'E1', name: 'é😀\n', tagSerials: ['T'] },
      7,
      'x',
      null,
      true,
      [],
      [[{}]],
      {},
    ];
    const text = `\ufeff { "items" : ${JSON.stringify(items, null, 1)} }\n`;
    expect((await read(text)).items).toEqual(items);
  });

  test('returns thousands of elements in order, read in parts', async () => {
    const items = Array.from({ length: 3_000 }, (_, index) => ({
      employeeID: `E${index}`,
      name: 'x'.repeat(50),
    }));
    expect((await read(JSON.stringify({ items }), 10_000)).items).toEqual(items);
  });

  test('counts elements beyond the limit, but does not return them', async () => {
    const { body, items } = await read(`{"items":[${'[],'.repeat(5_000)}[]]}`, 3);
    expect(body.count).toBe(5_001);
    expect(items).toEqual([[], [], []]);
  });

  test.each([
    ['[]', [[]]],
    ['7', Number.NaN],
    ['{}', {}],
    ['{"items":[1]}', { items: [null] }],
    ['{"items":[]}', { items: [] }],
    ['{"items":{"a":[1]}}', { items: {} }],
    ['{"items":"x"}', { items: expect.any(String) }],
    ['{"a":1,"items":[1],"b":2}', { items: [null], a: null, b: null }],
    ['{"__proto__":{"items":[]}}', JSON.parse('{"__proto__":null}')],
  ])('%s has an envelope without the elements', async (text, envelope) => {
    const { body } = await read(text);
    expect(body.envelope).toEqual(envelope);
    expect(Object.keys(Object(body.envelope))).toEqual(Object.keys(Object(envelope)));
  });

  test('reports a duplicate list, and reads the first', async () => {
    const { body, items } = await read('{"items":[1],"item\\u0073":[2,3]}');
    expect(body.repeatedField).toBe('items');
    expect(items).toEqual([1]);
  });

  test('reports the first duplicate field and the unknown fields of an element', async () => {
    const { items, repeated } = await read(
      `{"items":[{"name":"a","n\\u0061me":"b"},{"x":1,"y":2,"name":"a"},{"employeeID":1,"employeeID":2,"name":3,"name":4},{"${'long'.repeat(9_000)}":1}]}`,
    );
    expect(repeated).toEqual(['name', undefined, 'employeeID', undefined]);
    expect(items.slice(0, 3)).toEqual([
      { name: 'b' },
      { name: 'a', x: true, y: true },
      { employeeID: 2, name: 4 },
    ]);
    expect(Object.keys(items[3] as object)[0]).toMatch(/^(?:long){200,400}/);
  });

  test('parses unknown fields that are null like any other, but does not echo them', async () => {
    const text = '{"items":[{"employeeID":"E1","email":null,"name":"a"},{"x":null,"y":1},{"name":"b"}]}';
    const { items, echoes } = await read(text);
    expect(items).toEqual([
      { employeeID: 'E1', email: null, name: 'a' },
      { x: null, y: true },
      { name: 'b' },
    ]);
    expect(echoes).toEqual(['{"employeeID":"E1","name":"a"}', '{}', '{"name":"b"}']);
  });

  test.each([
    ['a string', `"${'\\u0301'.repeat(50_000)}"`, expect.any(String)],
    ['an array', `[${'1.0,'.repeat(60_000)}1]`, [[]]],
    ['an object', '{"a":1,"a":2}', {}],
    ['a number', '9'.repeat(200_000), Number.NaN],
  ])('does not parse %s that no field accepts, and echoes it as sent', async (_, value, built) => {
    const text = `{"items":[{"employeeID":"E1","name":${value}},{"employeeID":"E2"}]}`;
    const { items, echoes } = await read(text);
    expect(items).toEqual([{ employeeID: 'E1', name: built }, { employeeID: 'E2' }]);
    expect(JSON.stringify(items).length).toBeLessThan(70_000);
    expect(echoes).toEqual([`{"employeeID":"E1","name":${value}}`, '{"employeeID":"E2"}']);
  });

  test('echoes the allowed fields byte by byte', async () => {
    const { echoes } = await read(
      '{"items":[{ "name" : 1.0 },{"name":-0,"password":"p","employeeID":1e400},{"tagSerials":["\\u0041"],"x":1},{"name":1,"name":2},[1],"x"]}',
    );
    expect(echoes).toEqual([
      '{ "name" : 1.0 }',
      '{"employeeID":1e400,"name":-0}',
      '{"tagSerials":["\\u0041"]}',
      '{"name":2}',
      '{}',
      '{}',
    ]);
  });
});

describe('long list', () => {
  test('is read in parts, and yields to the event loop in between', async () => {
    const items = Array.from({ length: 5_000 }, (_, index) => ({
      employeeID: `E${index}`,
      name: 'Ada Lovelace',
    }));
    const bytes = Buffer.from(JSON.stringify({ items }));
    // Whenever the clock is read, a long time has passed.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 100;
      return now;
    });
    let [turns, isDone] = [0, false];
    const others = () => {
      turns++;
      if (!isDone) setImmediate(others);
    };
    setImmediate(others);
    const result = await readListBody(bytes, { list: 'items', fields, elementsMax: 5_000 });
    const whileScanned = turns;
    expect(whileScanned).toBeGreaterThanOrEqual(2);
    if (result.ok) await result.body.each(() => {});
    isDone = true;
    expect(turns - whileScanned).toBeGreaterThanOrEqual(5_000);
    vi.restoreAllMocks();
  });
});
