import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flagsIn } from '../../src/cli/service/setting-flags.js';
import { type Flags, flagOf, flagsAsEnvironment } from '../../src/config/flags.js';
import { variablesOf } from '../../src/config/kinds.js';
import { allSettings } from '../../src/config/settings.js';
import { ConfigInvalid, type Environment, readConfig } from '../../src/config.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

function problems(environment: Environment, flags: Flags): readonly string[] {
  try {
    readConfig(environment, flags);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems;
    throw error;
  }
}

function fileWith(text: string): string {
  const file = join(temporaryDirectory(), 'value');
  writeFileSync(file, text);
  return file;
}

describe('flag name', () => {
  test.each([
    ['PORT', '--port'],
    ['DATABASE_URL', '--database-url'],
    ['DATABASE_URL_FILE', '--database-url-file'],
    ['ROLLCALL_DATA_DIR', '--data-dir'],
    ['ROLLCALL_BULK_ITEMS_MAX', '--bulk-items-max'],
    ['ROLLCALL_ARGON2_MEMORY_KIB', '--argon2-memory-kib'],
  ])('of %s is %s', (variable, flag) => {
    expect(flagOf(variable)).toBe(flag);
  });

  test('belongs to only one setting', () => {
    const flags = allSettings.flatMap(variablesOf).map(flagOf);
    expect(new Set(flags).size).toBe(flags.length);
  });

  test('is recognized among the options of a command', () => {
    const options = {
      port: '9000',
      argon2MemoryKib: '9000',
      databaseUrlFile: 'x',
      json: true,
      revokeOld: true,
    };
    expect(flagsIn(options)).toEqual({
      PORT: '9000',
      ROLLCALL_ARGON2_MEMORY_KIB: '9000',
      DATABASE_URL_FILE: 'x',
    });
  });
});

describe('flag', () => {
  test('overrides the variable', () => {
    expect(readConfig({ PORT: '1', LOG_LEVEL: 'warn' }, { PORT: '2' })).toMatchObject({
      port: 2,
      logLevel: 'warn',
    });
    expect(readConfig({ PORT: 'nonsense' }, { PORT: '2' }), 'what is not used cannot be wrong').toMatchObject(
      {
        port: 2,
      },
    );
  });

  test('overrides a variable from a file, and a file flag overrides the variable, without a conflict', () => {
    const file = fileWith('postgres://file/x\n');
    const environment = { DATABASE_URL_FILE: fileWith('postgres://other/x') };
    expect(readConfig(environment, { DATABASE_URL: 'postgres://flag/x' }).databaseUrl).toBe(
      'postgres://flag/x',
    );
    const flags = { DATABASE_URL_FILE: file };
    expect(readConfig({ DATABASE_URL: 'postgres://x/y' }, flags).databaseUrl).toBe('postgres://file/x');
  });

  test.each<[Flags, string]>([
    [{ PORT: 'x' }, '--port must be a whole number from 0 to 65535; got "x".'],
    [
      { ROLLCALL_BULK_ITEMS_MAX: '0' },
      '--bulk-items-max must be a whole number from 1 to 2147483647; got "0".',
    ],
    [
      { DATABASE_URL: 'mysql://u:hunter2@db/x' },
      '--database-url must be a URL that begins with postgres:// or postgresql://.',
    ],
    [
      { DATABASE_URL: 'postgres://x/y', DATABASE_URL_FILE: 'z' },
      '--database-url and --database-url-file are both set. Keep only one of them.',
    ],
    [{ ROLLCALL_DATA_DIR: '' }, '--data-dir is empty. Give it a value or remove it.'],
    [
      { ROLLCALL_SECRET_KEY_FILE: '/nowhere/key' },
      '--secret-key-file points to /nowhere/key, which cannot be read (ENOENT).',
    ],
  ])('is named when invalid: %j', (flags, sentence) => {
    expect(problems({}, flags)).toEqual([sentence]);
  });

  test('is reported together with an invalid variable', () => {
    expect(problems({ LOG_LEVEL: 'x' }, { PORT: 'x' })).toHaveLength(2);
  });
});

test('flags have the same effect when passed on as variables', () => {
  const environment = { PORT: '1', DATABASE_URL: 'postgres://x/y', SMTP_URL_FILE: '/nowhere' };
  const flags = {
    PORT: '2',
    DATABASE_URL_FILE: fileWith('postgres://file/x'),
    SMTP_URL: 'smtp://mail',
  };
  const merged = { ...environment, ...flagsAsEnvironment(flags) };
  expect(readConfig(merged)).toEqual(readConfig(environment, flags));
  expect(readConfig(merged)).toMatchObject({
    port: 2,
    databaseUrl: 'postgres://file/x',
    smtpUrl: 'smtp://mail',
  });
});
