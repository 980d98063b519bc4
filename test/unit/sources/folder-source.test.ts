import { appendFileSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FileVersion, OpenedSource } from '../../../src/domain/feeds/source-reader.js';
import type { SourceOptions } from '../../../src/sources/source-context.js';
import {
  aReader,
  neverAborted,
  noSecret,
  problemWhileReading,
  readWhole,
} from '../../support/source-reading.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const nowMs = Date.UTC(2026, 10, 18, 12);
let root = '';

beforeEach(() => {
  root = temporaryDirectory();
});

/** Modified so many minutes ago. */
function aFile(name: string, minutesAgo: number, text = `from ${name}`): void {
  const time = new Date(nowMs - minutesAgo * 60_000);
  writeFileSync(join(root, name), text);
  utimesSync(join(root, name), time, time);
}

function open(
  path: string,
  { known = null, ...options }: Partial<SourceOptions> & { known?: FileVersion | null } = {},
): Promise<OpenedSource> {
  const reader = aReader({ folderRoot: root, now: () => nowMs, ...options });
  return reader.open({ type: 'folder', path }, noSecret, known, neverAborted());
}

function failed(problem: object): object {
  return { status: 'failed', problem };
}

describe('a file', () => {
  test('is read with its version', async () => {
    mkdirSync(join(root, 'hr'));
    aFile('hr/users.csv', 60);
    const version = { name: 'users.csv', etag: null, modifiedAt: '2026-11-18T11:00:00.000Z', bytes: 17 };
    expect(await readWhole(await open('hr/users.csv'))).toEqual({ version, text: 'from hr/users.csv' });
    expect(await open('hr/users.csv', { known: version })).toEqual({ status: 'unchanged' });
  });

  test('that does not exist is missing, but its folder must exist', async () => {
    expect(await open('users.csv')).toEqual({ status: 'missing' });
    expect(await open('hr/users.csv')).toEqual(failed({ code: 'container_missing' }));
    expect(await open('users.csv', { folderRoot: join(root, 'none') })).toEqual(
      failed({ code: 'container_missing' }),
    );
  });

  test('is refused if it is a folder, empty, too large, or may still be written', async () => {
    mkdirSync(join(root, 'hr'));
    aFile('empty.csv', 60, '');
    aFile('users.csv', 60, '12345');
    aFile('new.csv', 0);
    expect(await open('hr')).toEqual(failed({ code: 'not_a_file' }));
    expect(await open('empty.csv')).toEqual(failed({ code: 'file_empty' }));
    expect(await open('users.csv', { fileMaxBytes: 4 })).toEqual(failed({ code: 'too_large', bytesMax: 4 }));
    expect(await open('new.csv')).toEqual(failed({ code: 'modified_recently', seconds: 30 }));
  });

  test('that is written to while it is read has changed', async () => {
    aFile('users.csv', 60);
    const opened = await open('users.csv');
    appendFileSync(join(root, 'users.csv'), 'more');
    expect(await problemWhileReading(opened)).toEqual({ code: 'changed_while_read' });
  });

  test('that is replaced while it is read is still the one that was opened', async () => {
    aFile('users.csv', 60);
    const opened = await open('users.csv');
    aFile('next.csv', 1);
    renameSync(join(root, 'next.csv'), join(root, 'users.csv'));
    expect((await readWhole(opened)).text).toBe('from users.csv');
  });
});

describe('a path', () => {
  test.each(['/etc/passwd', '../users.csv', 'hr/../../users.csv', 'hr\\..\\users.csv', '', 'hr/', 'a\0b'])(
    'of %j is refused',
    async (path) => {
      expect(await open(path)).toEqual(failed({ code: 'invalid_path' }));
    },
  );

  test('is refused where no folder is configured', async () => {
    expect(await open('users.csv', { folderRoot: undefined })).toEqual(failed({ code: 'invalid_path' }));
  });

  test('does not lead out of the folder through a symbolic link', async () => {
    const outside = temporaryDirectory();
    writeFileSync(join(outside, 'users.csv'), 'secret');
    symlinkSync(join(outside, 'users.csv'), join(root, 'users.csv'));
    symlinkSync(outside, join(root, 'hr'));
    const later = { now: () => Date.now() + 3_600_000 };
    for (const path of ['users.csv', 'hr/users.csv', '*.csv', 'hr/*.csv']) {
      expect(await open(path, later)).toEqual(failed({ code: 'invalid_path' }));
    }
  });

  test('may use a symbolic link inside the folder', async () => {
    aFile('users-1.csv', 60);
    symlinkSync('users-1.csv', join(root, 'latest.csv'));
    expect((await readWhole(await open('latest.csv'))).text).toBe('from users-1.csv');
  });
});

describe('a pattern', () => {
  test('means the newest file that is complete', async () => {
    aFile('users-1.csv', 60);
    aFile('users-2.csv', 30);
    aFile('users-3.csv', 45);
    aFile('users-4.csv', 0);
    aFile('users-5.csv', 20, '');
    aFile('users-6.csv.partial', 20);
    aFile('users-7.csv.TMP', 20);
    aFile('.users-8.csv', 20);
    aFile('groups.csv', 20);
    mkdirSync(join(root, 'users-9.csv'));
    const { version, text } = await readWhole(await open('*users-*'));
    expect(version.name).toBe('users-2.csv');
    expect(text).toBe('from users-2.csv');
  });

  test('prefers the last name among files of the same time', async () => {
    for (const name of ['users-2.csv', 'users-3.csv', 'users-1.csv']) aFile(name, 60);
    expect((await readWhole(await open('*.csv'))).version.name).toBe('users-3.csv');
  });

  test('that matches nothing is missing', async () => {
    expect(await open('*.csv')).toEqual({ status: 'missing' });
  });

  test('does not lead back to an older file', async () => {
    aFile('users-1.csv', 60);
    const known = { name: 'users-2.csv', etag: null, modifiedAt: new Date(nowMs).toISOString(), bytes: 1 };
    expect(await open('*.csv', { known })).toEqual({ status: 'unchanged' });
  });

  test('takes characters of regular expressions literally, and few wildcards', async () => {
    aFile('users (1).csv', 60);
    aFile('users11xcsv', 30);
    expect((await readWhole(await open('users (1).*'))).version.name).toBe('users (1).csv');
    expect(await open('*1*1*1*')).toEqual(failed({ code: 'invalid_path' }));
  });
});

test('an upload has no reader', async () => {
  const opening = aReader().open({ type: 'upload' }, noSecret, null, neverAborted());
  await expect(opening).rejects.toThrow('an uploaded file needs no reader');
});
