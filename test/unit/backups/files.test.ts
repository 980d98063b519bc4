import { expect, test } from 'vitest';
import { failureText, ReadingStopped } from '../../../src/domain/backups/backup-record.js';
import {
  backupFileName,
  outdatedBackups,
  partialBackups,
} from '../../../src/domain/backups/backup-worker.js';
import { differences } from '../../../src/domain/backups/move-data.js';
import { copyLineValues } from '../../../src/storage/backups/load.js';

test('the newest backups stay, and other files are never touched', () => {
  const [first, second, third] = [1, 2, 10].map((day) => backupFileName(new Date(Date.UTC(2026, 10, day))));
  expect(first).toBe('rollcall-20261101T000000Z.backup');
  const others = [
    'rollcall-before-upgrade.backup',
    'rollcall-20261101T000000Z.backup.asc',
    'data',
    `x${first}`,
  ];
  const all = [third, ...others, first, second] as string[];
  expect(outdatedBackups(all, third as string, 2)).toEqual([first]);
  expect(outdatedBackups(all, third as string, 3)).toEqual([]);
  expect(partialBackups([`${first}.partial`, 'report.partial', `${first}`])).toEqual([`${first}.partial`]);
});

test('a new backup stays, even if the clock was once ahead', () => {
  const made = 'rollcall-20261101T000000Z.backup';
  const ahead = ['rollcall-20360101T000000Z.backup', 'rollcall-20370101T000000Z.backup'];
  expect(outdatedBackups([made, ...ahead], made, 1)).toEqual(ahead);
  expect(outdatedBackups([made, ...ahead], made, 2)).toEqual(ahead.slice(0, 1));
});

test("values of COPY's text format are read back", () => {
  expect(copyLineValues('plain\t\t\\N', 3)).toEqual(['plain', '', null]);
  expect(copyLineValues('a\\tb\\nc\\\\d\\r\\b\\f\\v\t\\\\N', 2)).toEqual(['a\tb\nc\\d\r\b\f\v', '\\N']);
  expect(copyLineValues('\t'.repeat(1_000_000), 2), 'is not split further').toEqual(['', '', '']);
});

test('tables that differ in their rows are named', () => {
  const users = { table: 'users', rows: 2, digest: '17' };
  const roles = { table: 'roles', rows: 0, digest: '0' };
  expect(differences([users, roles], [users, roles])).toEqual([]);
  expect(differences([users, roles], [{ ...users, digest: '18' }, roles])).toEqual(['users']);
  expect(differences([users, roles], [users, { ...roles, rows: 1 }])).toEqual(['roles']);
});

test('what is recorded about a failure quotes nothing', () => {
  expect(failureText(new ReadingStopped())).toBe('It was not downloaded to its end.');
  const full = Object.assign(new Error('no space for Ada'), { syscall: 'write', code: 'ENOSPC' });
  expect(failureText(full)).toBe('The file could not be written (ENOSPC).');
  expect(failureText(Object.assign(new Error('Ada'), { code: 'ECONNRESET' }))).toMatch(/database/);
  expect(failureText(new Error('Ada'))).not.toContain('Ada');
});
