import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closeToOthers, directoryExposure } from '../../src/storage/data-dir-permissions.js';
import { StartRefused } from '../../src/storage/errors.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const uid = process.getuid?.() ?? 0;
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** As an administrator makes it by hand, and a restore that does not keep modes fills it. */
function openDirectory(): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'outbox'));
  writeFileSync(join(directory, 'outbox', 'message.eml'), 'secret');
  chmodSync(join(directory, 'outbox', 'message.eml'), 0o666);
  chmodSync(join(directory, 'outbox'), 0o777);
  chmodSync(directory, 0o755);
  return directory;
}

describe('a data directory', () => {
  test('that others have permissions in is closed to them, with one sentence', () => {
    const directory = openDirectory();
    expect(closeToOthers(directory)).toBe(
      `Removed the permissions of other users from 3 files and directories in the data directory ${directory}.`,
    );
    expect(mode(directory)).toBe('700');
    expect(mode(join(directory, 'outbox'))).toBe('700');
    expect(mode(join(directory, 'outbox', 'message.eml'))).toBe('600');
    expect(closeToOthers(directory), 'there is nothing left to do or to tell').toBeUndefined();
    expect(directoryExposure(directory)).toEqual({ open: [], foreign: [] });
  });

  test('is closed without following links out of it', () => {
    const directory = temporaryDirectory();
    const outside = join(temporaryDirectory(), 'outside');
    writeFileSync(outside, '');
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(directory, 'link'));
    expect(closeToOthers(directory)).toBeUndefined();
    expect(mode(outside)).toBe('644');
  });

  test('of another user is refused, and left as it is', () => {
    const directory = openDirectory();
    const close = () => closeToOthers(directory, { uid: uid + 1, chmod: chmodSync });
    expect(close).toThrow(StartRefused);
    expect(close).toThrow(
      `The data directory ${directory} belongs to the user with the ID ${uid}, and Rollcall runs as ${uid + 1}.`,
    );
    expect(mode(directory)).toBe('755');
  });

  test.each([
    ['ignores', () => {}],
    [
      'refuses',
      () => {
        throw Object.assign(new Error(), { code: 'EPERM' });
      },
    ],
  ])('on a file system that %s new permissions is refused if others can write there', (_, chmod) => {
    const directory = openDirectory();
    expect(() => closeToOthers(directory, { uid, chmod })).toThrow(
      /Other users can write to .*outbox, and its permissions cannot be changed( \(EPERM\))?\. Move the data directory .* ROLLCALL_DATA_DIR\./,
    );
  });
});
