import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { lockAddress, lockName } from '../../src/storage/embedded/data-dir-lock.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

function deepDirectory(): string {
  const directory = join(temporaryDirectory(), 'a'.repeat(120));
  mkdirSync(directory, { recursive: true });
  return directory;
}

afterEach(() => vi.unstubAllEnvs());

describe('the lock of a data directory', () => {
  test('is a socket in the directory', () => {
    const directory = temporaryDirectory();
    expect(lockAddress(directory, 'darwin').path).toBe(join(directory, 'lock.sock'));
  });

  test('in a deep directory on macOS, has the same place for a shell and a service with another TMPDIR', () => {
    const directory = deepDirectory();
    const { path } = lockAddress(directory, 'darwin');
    vi.stubEnv('TMPDIR', '/var/folders/another');
    expect(lockAddress(directory, 'darwin').path).toBe(path);
    expect(Buffer.byteLength(path)).toBeLessThan(104);
  });

  test('on Windows, is a pipe with the same name for every spelling of the directory', () => {
    const directory = temporaryDirectory();
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(directory, link);
    const { path } = lockAddress(directory, 'win32');
    expect(path).toMatch(/^\\\\\.\\pipe\\rollcall-[0-9a-f]{32}$/);
    expect(lockAddress(link, 'win32').path).toBe(path);
    expect(lockName('C:\\Rollcall\\Data', 'win32')).toBe(lockName('c:\\rollcall\\data', 'win32'));
    expect(lockName('/Data', 'linux')).not.toBe(lockName('/data', 'linux'));
  });
});
