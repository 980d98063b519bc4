import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readJournal } from '../../../src/cli/sync/journal/journal.js';
import { counted, duration, size } from '../../../src/cli/terminal/numbers.js';
import { progressFacts } from '../../../src/cli/terminal/progress.js';
import { table } from '../../../src/cli/terminal/table.js';
import { sanitize, textWidth, truncateToWidth } from '../../../src/cli/terminal/text-width.js';

describe('table', () => {
  test('aligns columns, with numbers to the right, for names in any script', () => {
    const rows = [
      ['NAME', 'ROWS', 'END'],
      ['Ada', '7', 'x'],
      ['山田太郎', '1,200', 'x'],
      ['Zoë 👩‍🔬', '12', 'x'],
    ];
    const lines = table(rows).split('\n');
    const upTo = (line: string | undefined, end: string) => textWidth((line ?? '').split(end)[0] ?? '');
    expect(new Set(lines.slice(1).map((line) => upTo(line, 'x'))).size).toBe(1);
    expect(lines[1]).toMatch(/^Ada +7 {3}x$/);
  });

  test('aligns employee IDs of digits like text', () => {
    const rows = [
      ['EMPLOYEE ID', 'TRIES'],
      ['0042', '7'],
    ];
    expect(table(rows).split('\n')[1]).toBe('0042              7');
  });

  test('truncates the widest column to fit the terminal', () => {
    const lines = table(
      [
        ['A', 'B'],
        ['short', 'long '.repeat(40)],
      ],
      40,
    ).split('\n');
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(40);
    expect(lines[1]).toMatch(/^short {3}long.*…$/);
  });

  test('neutralizes control characters in names', () => {
    expect(table([['NAME'], ['Ada\u001b[2J\r\nEvil\u202e']])).toBe('NAME\nAda [2J Evil');
    expect(sanitize('a\u0007b')).toBe('a b');
  });

  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['山田太郎', 5, '山田…'],
  ])('truncates %s to %i columns: %s', (text, width, cut) => {
    expect(truncateToWidth(text, width)).toBe(cut);
  });
});

describe('numbers', () => {
  test.each([
    [400, '0.4 s'],
    [8_400, '8 s'],
    [200_000, '3 min 20 s'],
    [120_000, '2 min'],
    [7_500_000, '2 h 5 min'],
  ])('%i ms is shown as %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  test.each([
    [0, '0 kB'],
    [84_200, '84 kB'],
    [3_450_000, '3.4 MB'],
    [120_900_000, '120 MB'],
    [1_560_000_000, '1.5 GB'],
  ])('%i bytes are shown as %s', (bytes, words) => {
    expect(size(bytes)).toBe(words);
  });

  test('progress shows the amount, the rate and the time left', () => {
    const options = { doing: 'Syncing', unit: 'rows', total: { count: 1_000_000, isExact: true } };
    expect(progressFacts(options, 420_000, 14_000)).toBe('420,000 of 1,000,000 rows, 30,000/s, 19 s left');
    expect(progressFacts({ ...options, total: undefined }, 5, 0)).toBe('5 rows');
    const estimated = { ...options, total: { count: 41_000, isExact: false } };
    expect(progressFacts(estimated, 20_500, 1_000)).toBe('20,500 of about 41,000 rows, 20,500/s, 1 s left');
    expect(progressFacts(estimated, 42_000, 2_000), 'more than estimated').toBe('42,000 rows, 21,000/s');
    expect(counted(1, 'row')).toBe('1 row');
  });
});

test('reads a journal around a truncated line', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'journal');
  const done = (chunk: string) =>
    JSON.stringify({ chunk, outcomes: [[2, 'E1', 'created', 's1']], retries: [] });
  writeFileSync(path, `${done('file-0')}\n${done('file-1').slice(0, 30)}\n${done('file-2')}\n`);
  const chunks: unknown[] = [];
  for await (const entry of readJournal(path)) chunks.push(entry);
  expect(chunks).toEqual([
    { chunk: 'file-0', outcomes: [{ row: 2, employeeID: 'E1', kind: 'created', serial: 's1' }], retries: [] },
    { chunk: 'file-2', outcomes: [{ row: 2, employeeID: 'E1', kind: 'created', serial: 's1' }], retries: [] },
  ]);
});
