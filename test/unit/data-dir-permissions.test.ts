import { chmodSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  inspectDataDir,
  inspectEntries,
  restrictToOwner,
} from '../../src/storage/embedded/data-dir-permissions.js';
import { StartupError } from '../../src/storage/errors.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const uid = process.getuid?.() ?? 0;
const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8);

/** As created by hand and filled by a restore that doesn't preserve modes. */
function openDirectory(): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'outbox'));
  writeWith(join(directory, 'outbox', 'message.eml'), 0o666);
  chmodSync(join(directory, 'outbox'), 0o777);
  chmodSync(directory, 0o755);
  return directory;
}

function writeWith(path: string, wanted: number): string {
  writeFileSync(path, 'secret');
  chmodSync(path, wanted);
  return path;
}

describe('data directory', () => {
  test('loses the permissions of other users, with one message', () => {
    const directory = openDirectory();
    expect(restrictToOwner(directory, 'embedded')).toBe(
      `Removed the permissions of other users from 3 files and directories in the data directory ${directory}.`,
    );
    expect(mode(directory)).toBe('700');
    expect(mode(join(directory, 'outbox'))).toBe('700');
    expect(mode(join(directory, 'outbox', 'message.eml'))).toBe('600');
    expect(restrictToOwner(directory, 'embedded'), 'there is nothing left to do or to tell').toBeUndefined();
    expect(inspectDataDir(directory, 'embedded')).toEqual({ problems: [], repairs: [] });
  });

  test('keeps the permissions of files that do not belong to Rollcall', () => {
    const directory = openDirectory();
    const note = writeWith(join(directory, 'notes.txt'), 0o644);
    mkdirSync(join(directory, '.ssh'));
    const key = writeWith(join(directory, '.ssh', 'id.pub'), 0o644);
    symlinkSync(note, join(directory, 'link'));
    restrictToOwner(directory, 'embedded');
    expect([note, key].map(mode)).toEqual(['644', '644']);
  });

  test('loses setuid, setgid and sticky bits when repaired', () => {
    const directory = openDirectory();
    chmodSync(directory, 0o3777);
    const key = writeWith(join(directory, 'secret.key'), 0o6755);
    restrictToOwner(directory, 'embedded');
    expect([directory, key].map(mode)).toEqual(['700', '700']);
  });

  test('can itself be a symbolic link', () => {
    const directory = openDirectory();
    const link = join(temporaryDirectory(), 'data');
    symlinkSync(directory, link);
    expect(restrictToOwner(link, 'embedded')).toContain(`in the data directory ${link}.`);
    expect(mode(directory)).toBe('700');
  });

  test.each([
    'postgres',
    'postgres.initialised',
    'postgres/base',
    'postgres.incomplete-1/base',
    'lock.sock',
    'lock.takeover',
    'secret.key',
    'secret.key.17',
    'first-credentials.json',
    'outbox/message.sms.json',
  ])('is refused and unchanged if %s is a symbolic link', (name) => {
    const directory = openDirectory();
    const path = join(directory, name);
    mkdirSync(join(path, '..'), { recursive: true });
    symlinkSync(temporaryDirectory(), path);
    const close = () => restrictToOwner(directory, 'embedded');
    expect(close).toThrow(StartupError);
    expect(close).toThrow(`${path} is a symbolic link`);
    expect(mode(directory)).toBe('755');
  });

  test('is refused and unchanged if an open file has another hard link', () => {
    const directory = openDirectory();
    const outside = writeWith(join(temporaryDirectory(), 'outside'), 0o644);
    linkSync(outside, join(directory, 'secret.key'));
    expect(() => restrictToOwner(directory, 'embedded')).toThrow(
      /secret\.key is open .* 2 hard links.*cp -p/,
    );
    expect([directory, outside].map(mode)).toEqual(['755', '644']);
    chmodSync(outside, 0o600);
    expect(restrictToOwner(directory, 'embedded'), 'as a backup with hard links has it').toContain('Removed');
  });

  test('is refused and unchanged if it belongs to another user', () => {
    const directory = openDirectory();
    const close = () => restrictToOwner(directory, 'embedded', { uid: uid + 1, chmod: chmodSync });
    expect(close).toThrow(StartupError);
    expect(close).toThrow(
      `The data directory ${directory} belongs to the user with the ID ${uid}, and Rollcall runs as ${uid + 1}.`,
    );
    expect(mode(directory)).toBe('755');
  });

  test('is refused if someone adds a symbolic link before permissions change', () => {
    const directory = openDirectory();
    const chmod = (path: string, wanted: number) => {
      if (path === directory) symlinkSync(temporaryDirectory(), join(directory, 'postgres'));
      chmodSync(path, wanted);
    };
    expect(() => restrictToOwner(directory, 'embedded', { uid, chmod })).toThrow(
      'postgres is a symbolic link',
    );
  });

  test.each([
    ['ignores', () => {}],
    [
      'refuses',
      () => {
        throw Object.assign(new Error(), { code: 'EPERM' });
      },
    ],
  ])('is refused if others can write there and the file system %s new permissions', (_, chmod) => {
    const directory = openDirectory();
    expect(() => restrictToOwner(directory, 'embedded', { uid, chmod })).toThrow(
      /Other users can write to .*outbox, and its permissions cannot be changed( \(EPERM\))?\. Move the data directory .* ROLLCALL_DATA_DIR\./,
    );
  });
});

describe('data directory of a service on PostgreSQL', () => {
  test('is checked for the files that the service keeps there', () => {
    const directory = openDirectory();
    const key = writeWith(join(directory, 'secret.key'), 0o644);
    symlinkSync(directory, join(directory, 'postgres'));
    expect(restrictToOwner(directory, 'postgres')).toContain('from 3 files and directories');
    expect([directory, join(directory, 'outbox'), key].map(mode)).toEqual(['755', '700', '600']);
    symlinkSync(key, join(directory, 'first-credentials.json'));
    expect(() => restrictToOwner(directory, 'postgres')).toThrow('first-credentials.json is a symbolic link');
  });

  test('does not have to exist', () => {
    expect(restrictToOwner(join(temporaryDirectory(), 'none'), 'postgres')).toBeUndefined();
  });
});

test('an unreadable directory is refused for its owner if it belongs to another user, or else for its mode', () => {
  const entry = {
    path: '/data',
    kind: 'directory',
    uid,
    mode: 0o40000,
    hardLinks: 2,
    unreadable: 'EACCES',
  } as const;
  const found = (as: number) =>
    inspectEntries([entry], { directory: '/data', uid: as }).problems.map((problem) => problem.found);
  expect(found(uid + 1)).toEqual([expect.stringContaining('belongs to the user')]);
  expect(found(uid)).toEqual(['/data cannot be read (EACCES)']);
});
