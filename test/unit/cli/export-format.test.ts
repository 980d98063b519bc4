import { describe, expect, test } from 'vitest';
import { type FormatOptions, formatOf } from '../../../src/cli/export/format.js';

/** Only options are involved, so there is no need to run on both engines. */
describe('export format', () => {
  test.each<[FormatOptions, string]>([
    [{}, 'csv'],
    [{ json: true }, 'ndjson'],
    [{ output: 'users' }, 'csv'],
    [{ output: 'a.b/Users.CSV', json: true }, 'csv'],
    [{ output: 'users.xlsx' }, 'xlsx'],
    [{ output: 'users.jsonl' }, 'ndjson'],
    [{ output: 'users.txt', format: 'csv', separator: 'tab' }, 'csv'],
    [{ output: 'users.xlsx', format: 'ndjson' }, 'ndjson'],
  ])('%j: %s', (options, format) => {
    expect(formatOf(options, true)).toBe(format);
  });

  test.each<[FormatOptions, string]>([
    [
      { output: 'users.json' },
      'users.json: unknown file extension .json. Use --format csv, --format xlsx, --format ndjson, or another file name.',
    ],
    [
      { json: true, format: 'csv' },
      '--json conflicts with --format csv. Remove one of them, or use --output.',
    ],
    [
      { output: 'users.xlsx', bom: true },
      '--separator, --bom and --raw only apply to CSV, but the format is xlsx.',
    ],
    [
      { json: true, separator: ';' },
      '--separator, --bom and --raw only apply to CSV, but the format is ndjson.',
    ],
    [{ format: 'xlsx' }, 'A workbook cannot be printed to a terminal. Use --output users.xlsx.'],
  ])('rejects %j as wrong use', (options, message) => {
    expect(() => formatOf(options, true)).toThrow(expect.objectContaining({ exit: 'wrongUse', message }));
  });

  test('allows a workbook to be piped', () => {
    expect(formatOf({ format: 'xlsx' }, false)).toBe('xlsx');
  });
});
