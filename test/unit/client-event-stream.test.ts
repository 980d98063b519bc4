import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StreamMessage, streamParser } from '../../client/src/event-stream.js';

function parsed(...chunks: string[]): StreamMessage[] {
  const parse = streamParser();
  return chunks.flatMap((chunk) => parse(chunk));
}

describe('server-sent event stream', () => {
  test.each<[string, string, StreamMessage[]]>([
    ['an event', 'id: 7\nevent: x\ndata: {"a":1}\n\n', [{ id: '7', data: '{"a":1}' }]],
    ['multi-line data', 'data: a\ndata:\ndata:  b\n\n', [{ id: '', data: 'a\n\n b' }]],
    ['a field without a space and one without a value', 'id:7\ndata\n\n', [{ id: '7', data: '' }]],
    ['colons in the data', 'data: a: b:c\n\n', [{ id: '', data: 'a: b:c' }]],
    ['an ID without data', 'retry: 2000\nid: 7\n\n', [{ id: '7', data: undefined }]],
    [
      'an ID that applies to later events',
      'id: 7\ndata: a\n\ndata: b\n\nid\n\n',
      [
        { id: '7', data: 'a' },
        { id: '7', data: 'b' },
        { id: '', data: undefined },
      ],
    ],
    ['an ID that does not fit in a header', 'id: 7\nid: a\0b\n\n', [{ id: '7', data: undefined }]],
    ['a comment', ': id: 9\n\n', [{ id: '', data: undefined }]],
    ['unknown fields', 'Data: a\n data: b\nids: 9\ndata: c\n\n', [{ id: '', data: 'c' }]],
    ['an incomplete block', 'id: 7\ndata: a\n', []],
    ['other line separators in the data', 'data: a\u2028b\u0085c\n\n', [{ id: '', data: 'a\u2028b\u0085c' }]],
  ])('parses %s', (_, text, messages) => {
    expect(parsed(text)).toEqual(messages);
  });

  test('gives the same result for every kind of line ending, wherever it is split', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ':', 'id: 1', '😀') });
    const line = fc.oneof(
      value.map((text) => ['data', text] as const),
      fc.nat(99).map((id) => ['id', String(id)] as const),
    );
    const blocks = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const cuts = fc.array(fc.nat(200));
    fc.assert(
      fc.property(blocks, lineEnd, cuts, (given, end, places) => {
        const text = given
          .map((lines) => `${lines.map(([field, each]) => `${field}: ${each}${end}`).join('')}${end}`)
          .join('');
        const sorted = [0, ...places.map((place) => Math.min(place, text.length)), text.length].sort(
          (a, b) => a - b,
        );
        const chunks = sorted.slice(1).map((place, at) => text.slice(sorted[at], place));
        let id = '';
        const expected = given.map((lines) => {
          id = lines.findLast(([field]) => field === 'id')?.[1] ?? id;
          const data = lines.filter(([field]) => field === 'data').map(([, each]) => each);
          return { id, data: data.length === 0 ? undefined : data.join('\n') };
        });
        expect(parsed(...chunks)).toEqual(expected);
      }),
    );
  });

  test('emits an event as soon as its last line ending arrives, even half of it', () => {
    const parse = streamParser();
    expect(parse('data: a\r\n\r')).toEqual([{ id: '', data: 'a' }]);
    expect(parse('\n')).toEqual([]);
    expect(parse('data: b\r\n\r\n')).toEqual([{ id: '', data: 'b' }]);
  });
});
