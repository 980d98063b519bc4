import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Encoding } from '../../../sheets/src/index.js';
import { examineUtf8 } from '../../../sheets/src/text/utf8.js';
import { cells, inChunks, joined, latin1, problem, read, utf8, utf16be, utf16le } from './tables.js';

const text = 'Name;Ort\nJürgen Groß;Köln\nZoë;Łódź\n';
const table = [
  ['Jürgen Groß', 'Köln'],
  ['Zoë', 'Łódź'],
];

describe('encoding detection', () => {
  test.each<[string, Uint8Array, Encoding]>([
    ['UTF-8', utf8(text), 'utf-8'],
    ['UTF-8 with a byte order mark', joined([0xef, 0xbb, 0xbf], utf8(text)), 'utf-8'],
    ['UTF-16 LE with a byte order mark', joined([0xff, 0xfe], utf16le(text)), 'utf-16le'],
    ['UTF-16 BE with a byte order mark', joined([0xfe, 0xff], utf16be(text)), 'utf-16be'],
    ['UTF-16 LE without a byte order mark', utf16le(text), 'utf-16le'],
    ['UTF-16 BE without a byte order mark', utf16be(text), 'utf-16be'],
  ])('%s', async (_, bytes, encoding) => {
    const opened = await read(bytes);
    expect(opened.encoding).toBe(encoding);
    expect(opened.headings.map(({ name }) => name)).toEqual(['Name', 'Ort']);
    expect(opened.allRows.map((row) => row.cells)).toEqual(table);
  });

  test('Windows-1252, with characters that Latin-1 does not have', async () => {
    const bytes = joined(
      latin1('Name;Ort\nJ\xfcrgen \x84Gro\xdf\x93;'),
      [0x80, 0x92, 0x8a, 0x9f],
      latin1('\n'),
    );
    const opened = await read(bytes);
    expect(opened.encoding).toBe('windows-1252');
    expect(opened.allRows[0]?.cells).toEqual(['Jürgen „Groß“', '€’ŠŸ']);
  });

  test('a non-ASCII letter as the last byte', async () => {
    const opened = await read(latin1('Name,Town\nAda,Caf\xe9'));
    expect(opened.allRows[0]?.cells).toEqual(['Ada', 'Café']);
    expect(opened.encoding).toBe('windows-1252');
  });

  test('Windows-1252 text that happens to be valid UTF-8 in one place', async () => {
    const opened = await read(latin1('Name,Town\n\x84\xc4\xd6\xdc\x93,K\xf6ln\n')); // Ü and a closing quote
    expect(opened.allRows[0]?.cells).toEqual(['„ÄÖÜ“', 'Köln']);
  });

  test('the first non-ASCII letter comes late', async () => {
    const plain = 'E1,Ada\n'.repeat(20_000);
    const opened = await read(joined(utf8('ID,Name\n'), utf8(plain), latin1('E2,J\xfcrgen\n')));
    expect(opened.encoding).toBe('windows-1252');
    expect(opened.allRows.at(-1)?.cells).toEqual(['E2', 'Jürgen']);
  });

  test('a specified encoding is used', async () => {
    expect(await cells(latin1('ID,Name\n1,\xc3\xbc\n'), { encoding: 'windows-1252' })).toEqual([['1', 'Ã¼']]);
  });

  test('a byte order mark within the text is kept, even at the start of a chunk', async () => {
    const bytes = utf8('ID,Name\n1,a\n2,\uFEFFb\n');
    const cut = bytes.indexOf(0xef);
    async function* source() {
      yield bytes.subarray(0, cut);
      yield bytes.subarray(cut);
    }
    expect(await cells(source())).toEqual([
      ['1', 'a'],
      ['2', '\uFEFFb'],
    ]);
  });
});

describe('rejects invalid bytes and reports the line', () => {
  test('UTF-8 with one invalid byte', async () => {
    const bytes = joined(utf8('ID,Name\n1,Jürgen\n2,Zoë\n'), latin1('3,Andr\xe9\n'), utf8('4,Łukasz\n'));
    expect(await problem(bytes)).toEqual({ code: 'ENCODING_MIXED', utf8Line: 2, otherLine: 4 });
  });

  test('UTF-8 with an invalid byte far into the file', async () => {
    const good = utf8('1,Jürgen\n'.repeat(20_000));
    const found = await problem(joined(utf8('ID,Name\n'), good, latin1('2,Andr\xe9\n')));
    expect(found).toEqual({ code: 'ENCODING_MIXED', utf8Line: 2, otherLine: 20_002 });
    expect(await problem(joined(latin1('ID,Name\n1,Andr\xe9\n'), good))).toEqual({
      ...{ code: 'ENCODING_MIXED', utf8Line: 3, otherLine: 2 },
    });
  });

  test('Windows-1252 with a few lines in UTF-8, which would be garbled', async () => {
    const bytes = joined(latin1('ID,Name\n1,Andr\xe9\n2,Ren\xe9e\n3,Zo\xeb\n'), utf8('4,Jürgen\n'));
    expect(await problem(bytes)).toEqual({ code: 'ENCODING_MIXED', utf8Line: 5, otherLine: 2 });
  });

  test('UTF-8 with an invalid byte, if UTF-8 is what the caller asked for', async () => {
    const bytes = joined(utf8('ID,Name\n1,Jürgen\n'), latin1('2,Andr\xe9\n'));
    const broken = { code: 'ENCODING_BROKEN', encoding: 'utf-8', line: 3 };
    expect(await problem(bytes, { encoding: 'utf-8' })).toEqual(broken);
  });

  test('UTF-8 that ends within a character', async () => {
    const bytes = utf8('ID,Name\n1,Jürgen\n2,Zoë');
    expect(await problem(bytes.subarray(0, -1))).toMatchObject({ code: 'ENCODING_BROKEN', line: 3 });
  });

  test('UTF-16 that ends within a character', async () => {
    const bytes = joined([0xff, 0xfe], utf16le('ID,Name\n1,Ada\n'), [0x41]);
    expect(await problem(bytes)).toMatchObject({ code: 'ENCODING_BROKEN', encoding: 'utf-16le' });
  });
});

test('the text is the same however the bytes are split', async () => {
  const lines = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }).filter(isPlain), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom(utf8, utf16),
      async (names, size, encode) => {
        const source = inChunks(encode(`ID,Name\n${names.map((name) => `1,${name}\n`).join('')}`), size);
        expect(await cells(source)).toEqual(names.map((name) => ['1', name]));
      },
    ),
    { numRuns: 80 },
  );
});

const utf16 = (plain: string): Uint8Array => joined([0xff, 0xfe], utf16le(plain));

/** Without special characters of CSV. */
function isPlain(name: string): boolean {
  return !/[",\r\n\0'\uFEFF]/.test(name);
}

test('UTF-8 detection agrees with a decoder at every boundary', () => {
  const leads = [0x00, 0x7f, 0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff];
  const seconds = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
  const samples = leads.flatMap((lead) =>
    seconds.flatMap((second) => [
      ...[[lead], [lead, second], [lead, second, 0x41]],
      ...[0x7f, 0x80, 0xbf, 0xc0].flatMap((third) => [
        [lead, second, third],
        ...[0x7f, 0x80, 0xbf, 0xc0].map((last) => [lead, second, third, last]),
      ]),
    ]),
  );
  const isUtf8 = (bytes: Uint8Array): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  const disputed = samples.filter((sample) => {
    const bytes = Uint8Array.from(sample);
    return (examineUtf8(bytes).invalid === 0) !== isUtf8(bytes);
  });
  expect(disputed).toEqual([]);
});
