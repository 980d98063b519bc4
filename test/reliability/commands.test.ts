import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { exitCodes } from '../../src/cli/problem.js';
import { readConfig } from '../../src/config.js';
import { type Ended, rollcall } from '../support/command.js';
import { freePort } from '../support/postgres-server.js';
import { createEmptyDatabase } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** What an operator sees: a short message, without stack trace or colors. */
function expectSentence(
  { code, stdout, stderr }: Ended,
  exit: keyof typeof exitCodes,
  beginning: string,
  words: RegExp,
): void {
  expect(stderr.slice(0, beginning.length)).toBe(beginning);
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/^\s+at |node:internal|Error:|\.js:\d/m);
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  expect(stderr).not.toContain('\u001b');
  expect(stdout).toBe('');
  expect(code).toBe(exitCodes[exit]);
}

describe('rollcall keys rotate fails with a short message', () => {
  const cannot = 'Could not rotate the keys:';
  const elsewhere = (change: (url: URL) => void) => {
    const url = new URL(inject('postgresUrl'));
    url.username = 'postgres';
    url.password = 'hunter2';
    change(url);
    return url.href;
  };

  test('if nothing listens at DATABASE_URL', async () => {
    const port = String(await freePort());
    const DATABASE_URL = elsewhere((url) => {
      url.port = port;
    });
    const refused = await rollcall(['keys', 'rotate'], { DATABASE_URL });
    expectSentence(refused, 'unreachable', cannot, /Check the host and port in DATABASE_URL/);
    expect(refused.stderr).not.toContain('hunter2');
  });

  test('if DATABASE_URL names an unknown host', async () => {
    const DATABASE_URL = elsewhere((url) => {
      url.hostname = 'nowhere.invalid';
    });
    const refused = await rollcall(['keys', 'rotate'], { DATABASE_URL });
    expectSentence(refused, 'unreachable', cannot, /Check the host and port in DATABASE_URL/);
    expect(refused.stderr).not.toMatch(/hunter2|listen|HOST/);
  });

  test('if DATABASE_URL names an unknown database', async () => {
    const DATABASE_URL = elsewhere((url) => {
      url.pathname = '/no_such_database';
    });
    const refused = await rollcall(['keys', 'rotate'], { DATABASE_URL });
    expectSentence(refused, 'unreachable', cannot, /the database does not exist \(3D000\)/);
    expect(refused.stderr).not.toContain('hunter2');
  });

  test('if a setting is invalid', async () => {
    const refused = await rollcall(['keys', 'rotate'], { DATABASE_URL: 'mysql://u:hunter2@db/x' });
    expectSentence(
      refused,
      'wrongUse',
      cannot,
      /DATABASE_URL must be a URL that begins with postgres:\/\/ or postgresql:\/\//,
    );
    expect(refused.stderr).not.toContain('hunter2');
  });

  test('if Rollcall has never run there, because nothing was rotated', async () => {
    const refusals = await Promise.all([
      rollcall(['keys', 'rotate', '--revoke-old'], {
        ROLLCALL_DATA_DIR: join(temporaryDirectory(), 'wrong'),
      }),
      rollcall(['keys', 'rotate', '--revoke-old'], { DATABASE_URL: await createEmptyDatabase() }),
    ]);
    for (const refused of refusals)
      expectSentence(refused, 'refused', cannot, /ROLLCALL_DATA_DIR|DATABASE_URL/);
  });
});

describe('rollcall password calibrate', () => {
  test('measures, and suggests settings that the service accepts', async () => {
    const [json, plain] = await Promise.all([
      rollcall(['password', 'calibrate', '--json', '--target-ms', '30']),
      rollcall(['password', 'calibrate', '--target-ms', '0.001']),
    ]);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    const { targetMs, measured, suggested } = JSON.parse(json.stdout);
    expect(targetMs).toBe(30);
    expect(measured[0]).toMatchObject({ memoryKib: 19_456, passes: 2 });
    for (const entry of measured) {
      expect(Object.keys(entry).sort()).toEqual(['memoryKib', 'ms', 'passes']);
      expect(entry.ms).toBeGreaterThan(0);
    }
    const taken = readConfig({
      ROLLCALL_ARGON2_MEMORY_KIB: String(suggested.memoryKib),
      ROLLCALL_ARGON2_PASSES: String(suggested.passes),
    });
    expect(taken).toMatchObject({ argon2MemoryKib: suggested.memoryKib, argon2Passes: suggested.passes });
    const strength = (entry: { memoryKib: number; passes: number }) => entry.memoryKib * entry.passes;
    const fitting = measured.filter(({ ms }: { ms: number }) => ms <= targetMs);
    // If no setting is fast enough, it suggests the recommended minimum.
    expect(strength(suggested)).toBe(Math.max(...[...fitting, measured[0]].map(strength)));
    expect(measured.slice(0, -1).every(({ ms }: { ms: number }) => ms <= 2 * targetMs)).toBe(true);

    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout, 'no colours where there is no terminal').not.toContain('\u001b');
    expect(plain.stdout).toContain('No setting reaches 0.001 ms. This is the minimum that OWASP recommends.');
    const settings = Object.fromEntries(
      [...plain.stdout.matchAll(/^ {2}(ROLLCALL_\w+)=(\d+)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(readConfig(settings)).toMatchObject({ argon2MemoryKib: 19_456, argon2Passes: 2 });
  });

  test('rejects an invalid time with a short message', async () => {
    const values = ['0', '-5', 'fast'];
    const refusals = values.map((value) => rollcall(['password', 'calibrate', `--target-ms=${value}`]));
    for (const refused of await Promise.all(refusals)) {
      expect(refused.stderr).toMatch(
        /^option '--target-ms <ms>' argument .* Must be a number greater than 0\./,
      );
      expect(refused).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
