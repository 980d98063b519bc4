import { deflateRawSync } from 'node:zlib';
import { configure } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openArchive } from '../../../sheets/src/xlsx/zip.js';
import { problem, read } from './tables.js';
import { workbookFiles, zip } from './workbooks.js';

const row = (number: number, text: string): string =>
  `<row r="${number}"><c r="A${number}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
const files = workbookFiles({ sheetData: row(1, 'ID') + row(2, 'E1') });
const sheet = 'xl/worksheets/sheet1.xml';
const megabyte = 1_000_000;

/** The total number of unpacked bytes. */
let inflatedBytes = 0;

beforeEach(() => {
  inflatedBytes = 0;
  const counted = (stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
    const reader = stream.getReader();
    return new ReadableStream(
      {
        pull: async (controller) => {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          inflatedBytes += value.length;
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  };
  configure({
    DecompressionStream: class {
      readonly readable: ReadableStream<Uint8Array>;
      readonly writable: WritableStream;
      constructor(format: ConstructorParameters<typeof DecompressionStream>[0]) {
        const real = new DecompressionStream(format);
        this.readable = counted(real.readable);
        this.writable = real.writable;
      }
    },
  });
});
afterEach(() => configure({ DecompressionStream }));

/** XML that compresses to less than a hundredth. */
function repeated(begin: string, filling: string, end: string): Buffer {
  return Buffer.from(begin + filling.repeat(megabyte / 2 / filling.length) + end);
}

describe('a small workbook with a large unpacked size is rejected before it is unpacked', () => {
  test.each([
    ['a sheet of blanks', sheet, repeated('<worksheet>', ' ', '</worksheet>')],
    ['a sheet of rows', sheet, repeated('<worksheet><sheetData>', '<row/>', '</sheetData></worksheet>')],
    ['a list of empty strings', 'xl/sharedStrings.xml', repeated('<sst>', '<si/>', '</sst>')],
    [
      'a list of styles',
      'xl/styles.xml',
      repeated('<styleSheet><cellXfs>', '<xf/>', '</cellXfs></styleSheet>'),
    ],
    ['a list of sheets', 'xl/workbook.xml', repeated('<workbook>', '<sheet/>', '</workbook>')],
  ])('%s', async (_, part, content) => {
    const limits = { inflatedBytesMax: 4_000 * megabyte }; // the limit of the command line
    const claiming = (claimedBytes: number) =>
      problem(zip({ ...files, [part]: content }, { claimedBytes, claimedIn: part }), limits);
    const max = 16_777_216 + 200 * deflateRawSync(content).length;
    expect(await claiming(max + 1)).toEqual({ code: 'WORKBOOK_TOO_LARGE', max });
    expect(inflatedBytes, 'refused by what it says of itself').toBeLessThan(megabyte / 4);
    inflatedBytes = 0;
    expect(await claiming(1_000)).toMatchObject({ code: 'WORKBOOK_DAMAGED' });
    expect(inflatedBytes, 'refused for not keeping to it').toBeLessThan(megabyte / 4);
    expect(await claiming(max), 'large enough to be unpacked').toMatchObject({ code: 'WORKBOOK_DAMAGED' });
  });

  test('even within the ratio, at the total limit', async () => {
    // The declared size of each part is small enough, but not their sum.
    const content = Array.from({ length: 4_000 }, (_, at) => row(at + 1, `E${at}`)).join('');
    const large = zip(workbookFiles({ sheetData: content, sharedStrings: content }));
    expect(await problem(large, { inflatedBytesMax: 3 * content.length })).toBe('none');
    expect(inflatedBytes, 'all of it is counted').toBeGreaterThan(2 * content.length);
    inflatedBytes = 0;
    const max = Math.round(1.5 * content.length);
    expect(await problem(large, { inflatedBytesMax: max })).toEqual({ code: 'WORKBOOK_TOO_LARGE', max });
    expect(inflatedBytes).toBeLessThan(max + megabyte / 8);
  });
});

test('a part that is held in memory has a limit of its own', async () => {
  const archive = await openArchive(new Blob([new Uint8Array(zip(files))]), megabyte);
  const read = async (max: number) => {
    for await (const _ of archive?.read(sheet, max) ?? []);
    return 'read';
  };
  const bytes = files[sheet]?.length ?? 0;
  expect(await read(bytes)).toBe('read');
  await expect(read(bytes - 1)).rejects.toMatchObject({
    problem: { code: 'WORKBOOK_TOO_LARGE', max: bytes - 1 },
  });
});

test.each([
  ['xl/workbook.xml', 400_000, 67_108_864],
  ['xl/styles.xml', 400_000, 67_108_864],
  ['xl/sharedStrings.xml', 1_400_000, 268_435_456],
])('%s is such a part', async (part, packedBytes, max) => {
  const large = { ...files, [part]: Buffer.alloc(packedBytes, ' ') };
  const claiming = zip(large, { stored: true, claimedBytes: max + 1, claimedIn: part });
  expect(await problem(claiming, { inflatedBytesMax: 4_000 * megabyte })).toEqual({
    code: 'WORKBOOK_TOO_LARGE',
    max,
  });
});

describe('unpacked bytes of a sheet count once, even if it is read repeatedly', () => {
  test('for merged cells', async () => {
    const content = Array.from({ length: 4_000 }, (_, at) => row(at + 1, `E${at}`)).join('');
    const afterRows = '<mergeCells><mergeCell ref="B2:C2"/></mergeCells>';
    const table = await read(zip(workbookFiles({ sheetData: content, afterRows })), {
      inflatedBytesMax: Math.round(1.2 * content.length),
    });
    expect(table.allRows).toHaveLength(3_999);
  });
});

describe('an archive that programs could interpret differently is rejected', () => {
  const damaged = { code: 'WORKBOOK_DAMAGED', part: 'zip' };
  const good = Buffer.from(zip(files));
  const central = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

  test('with a duplicate name', async () => {
    const twice = zip({ ...files, 'XL/worksheets/SHEET1.xml': files[sheet] ?? '' });
    expect(await problem(twice)).toEqual(damaged);
  });

  test('with files that share bytes', async () => {
    const bytes = Buffer.from(good);
    const first = bytes.indexOf(central);
    const second = bytes.indexOf(central, first + 4);
    bytes.writeUInt32LE(bytes.readUInt32LE(first + 42), second + 42);
    expect(await problem(new Uint8Array(bytes))).toEqual(damaged);
  });

  test('with a name that differs from the one in the directory', async () => {
    const bytes = Buffer.from(good);
    bytes.write('sheet9', bytes.indexOf('sheet1.xml'));
    expect(await problem(new Uint8Array(bytes))).toEqual({ code: 'WORKBOOK_DAMAGED', part: sheet });
  });

  test('with more files than any workbook would have', async () => {
    const count = Object.keys(files).length;
    const file = new Blob([new Uint8Array(good)]);
    expect((await openArchive(file, megabyte, count))?.names).toHaveLength(count);
    expect(await openArchive(file, megabyte, count - 1)).toBeUndefined();
  });
});
