import { describe, expect, test } from 'vitest';
import { type FormatOptions, formatOf } from '../../../src/cli/export/format.js';

/** It is all about options, so one of the two engines is enough. */
describe('the format of an export', () => {
  test.each<[FormatOptions, string]>([
    [{}, 'csv'],
    [{ json: true }, 'ndjson'],
    [{ output: 'people' }, 'csv'],
    [{ output: 'a.b/People.CSV', json: true }, 'csv'],
    [{ output: 'people.xlsx' }, 'xlsx'],
    [{ output: 'people.jsonl' }, 'ndjson'],
    [{ output: 'people.txt', format: 'csv', separator: 'tab' }, 'csv'],
    [{ output: 'people.xlsx', format: 'ndjson' }, 'ndjson'],
  ])('%j: %s', (options, format) => {
    expect(formatOf(options, true)).toBe(format);
  });

  test.each<[FormatOptions, string]>([
    [
      { output: 'people.json' },
      'people.json: no format is known by .json. Say --format csv, --format xlsx, --format ndjson, or another name.',
    ],
    [
      { json: true, format: 'csv' },
      '--json and --format csv contradict each other. Leave one away, or say --output.',
    ],
    [{ output: 'people.xlsx', bom: true }, '--separator and --bom are for CSV, and the format is xlsx.'],
    [{ json: true, separator: ';' }, '--separator and --bom are for CSV, and the format is ndjson.'],
    [{ format: 'xlsx' }, 'A workbook is nothing to show on a terminal. Say --output people.xlsx.'],
  ])('%j is wrong use', (options, message) => {
    expect(() => formatOf(options, true)).toThrow(expect.objectContaining({ exit: 'wrongUse', message }));
  });

  test('a workbook can go through a pipe', () => {
    expect(formatOf({ format: 'xlsx' }, false)).toBe('xlsx');
  });
});
