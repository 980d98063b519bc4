import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { allSettings, operatorSettings, settings } from '../../src/config/settings.js';
import { ConfigInvalid, type Environment, readConfig } from '../../src/config.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

function problems(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems;
    throw error;
  }
}

const key = Buffer.alloc(32, 7);

test('every setting is in a group of the documentation, unless it is internal', () => {
  expect(Object.values(settings).filter((setting) => !allSettings.includes(setting))).toEqual([]);
  const internal = allSettings.filter((setting) => !operatorSettings.includes(setting));
  expect(internal.filter(({ isInternal, description }) => !isInternal || description !== '')).toEqual([]);
});

describe('rejects an invalid setting with one message', () => {
  test.each<[string, readonly string[], string]>([
    [
      'ROLLCALL_TRUSTED_PROXIES',
      [
        'proxy.example',
        'localhost',
        '10.0.0.0/33',
        '::1/129',
        '10.0.0.0/',
        '10.0.0/8',
        '256.0.0.1',
        '10.0.0.1,',
        ',10.0.0.1',
        '10.0.0.1 10.0.0.2',
        '10.0.0.1;10.0.0.2',
        'true',
        '1',
        '*',
      ],
      'IP addresses or networks like 10.0.0.0/8, separated by commas',
    ],
    [
      'ROLLCALL_MAIL_FROM',
      [
        'nobody',
        'Rollcall',
        'Rollcall <>',
        'Rollcall <nobody>',
        'Rollcall <a@example.com',
        'Rollcall a@example.com',
        'a@example.com, b@example.com',
        'Rollcall <a@example.com>, <b@example.com>',
        'Rollcall\r\nBcc: all@example.com <a@example.com>',
        'a@example.com\r\nBcc: all@example.com',
        'Rollcall <a@example.com\r\nBcc: all@example.com>',
      ],
      'an email address, or a name followed by one in <>',
    ],
    ['ROLLCALL_ADMIN_EMAIL', ['admin', 'a@b@c', 'admin@'], 'an email address'],
    ['ROLLCALL_WORKERS', ['0', '257', '2.5', 'all', 'Auto'], 'a whole number from 1 to 256, or auto'],
    [
      'ROLLCALL_ARGON2_MEMORY_KIB',
      ['8191', '4194305', '19.5', '19MiB', '-19456', '1e5', ' 19456'],
      'a whole number from 8192 to 4194304',
    ],
    ['ROLLCALL_ARGON2_PASSES', ['0', '101', 'two', '2.0'], 'a whole number from 1 to 100'],
    ['ROLLCALL_PASSWORD_HASHES_AT_ONCE', ['-1', '65'], 'a whole number from 0 to 64'],
    ['ROLLCALL_DELIVERIES_AT_ONCE', ['-1', '65', 'all'], 'a whole number from 0 to 64'],
    ['ROLLCALL_TOKEN_LIFETIME_SECONDS', ['59', '86401', '1h'], 'a whole number from 60 to 86400'],
    ['ROLLCALL_SESSION_LIFETIME_SECONDS', ['59', '2592001'], 'a whole number from 60 to 2592000'],
    ['ROLLCALL_INITIAL_PASSWORD_LIFETIME_HOURS', ['0', '8761'], 'a whole number from 1 to 8760'],
    ['ROLLCALL_ACCESS_EVENTS_DAYS', ['0', '36501', 'forever'], 'a whole number from 1 to 36500'],
    ['ROLLCALL_INITIAL_PASSWORD', ['password', 'Link'], 'one of message, link'],
    ['ROLLCALL_INITIAL_PASSWORD_RULES', ['none', 'Full', 'ANY'], 'one of any, full'],
    ['ROLLCALL_LOG_FORMAT', ['text', 'JSON'], 'one of auto, json, pretty'],
    ['ROLLCALL_SIGN_IN_FREE_FAILURES', ['0', '-1', '2147483648'], 'a whole number from 1 to 2147483647'],
    ['ROLLCALL_DELIVERY_POLL_MS', ['0', '1.5'], 'a whole number from 1 to 2147483647'],
  ])('%s', (name, values, expects) => {
    for (const value of values) {
      expect(problems({ [name]: value })).toEqual([`${name} must be ${expects}; got "${value}".`]);
    }
  });
});

describe('rejects an invalid secret without showing it', () => {
  test.each<[string, readonly string[], string]>([
    [
      'ROLLCALL_SECRET_KEY',
      [
        'hunter2',
        'x'.repeat(42),
        'x'.repeat(44),
        key.toString('hex'),
        `${key.toString('base64')}!`,
        `${key.toString('base64')}AAAA`,
      ],
      '32 bytes in Base64',
    ],
    [
      'ROLLCALL_BOOTSTRAP_CLIENT_SECRET',
      ['hunter2 with a space', 'hünter2', 'hunter2'.repeat(40)],
      '1 to 256 printable ASCII characters',
    ],
    [
      'SMTP_URL',
      [
        'hunter2',
        'mail.example:587',
        'http://u:hunter2@mail.example',
        'smtp:u:hunter2@mail',
        'smtp://u:hunter2@',
      ],
      'a URL that begins with smtp:// or smtps://',
    ],
    [
      'SMS_GATEWAY_URL',
      [
        'hunter2',
        'gateway.example',
        'ftp://u:hunter2@sms.example',
        'https://u:hunter2@',
        'https://a b/hunter2',
      ],
      'a URL that begins with http:// or https://',
    ],
    [
      'SMS_GATEWAY_TOKEN',
      ['hunter2 hunter2', 'hünter2', 'hunter2\r\nX: y'],
      'printable ASCII characters without spaces',
    ],
    [
      'DATABASE_URL',
      ['hunter2', 'mysql://u:hunter2@db/x', 'postgres:u:hunter2@db', 'postgres://u:hunter2@:port/x'],
      'a URL that begins with postgres:// or postgresql://',
    ],
  ])('%s', (name, values, expects) => {
    for (const value of values) {
      const told = problems({ [name]: value });
      expect(told, 'the problem').toContain(`${name} must be ${expects}.`);
      expect(told.join('\n')).not.toContain(value);
      expect(told.join('\n')).not.toContain('hunter2');
    }
  });

  test.each([
    'ROLLCALL_SECRET_KEY',
    'ROLLCALL_BOOTSTRAP_CLIENT_SECRET',
    'SMTP_URL',
    'SMS_GATEWAY_URL',
    'SMS_GATEWAY_TOKEN',
    'DATABASE_URL',
  ])('from a file: %s', (name) => {
    const file = join(temporaryDirectory(), 'secret');
    writeFileSync(file, 'hunter2 and a héro\n');
    const told = problems({ [`${name}_FILE`]: file }).join('\n');
    expect(told).toContain(`${name} must be `);
    expect(told).not.toContain('hunter2');
  });
});

describe('accepts a valid setting', () => {
  test.each([
    ['ROLLCALL_TRUSTED_PROXIES', '10.0.0.1', { trustedProxies: ['10.0.0.1'] }],
    [
      'ROLLCALL_TRUSTED_PROXIES',
      ' 10.0.0.0/8 , ::1,fd00::/8',
      { trustedProxies: ['10.0.0.0/8', '::1', 'fd00::/8'] },
    ],
    ['ROLLCALL_WORKERS', '256', { workers: 256 }],
    ['ROLLCALL_WORKERS', 'auto', { workers: availableParallelism() }],
    ['ROLLCALL_SECRET_KEY', key.toString('base64'), { secretKey: key.toString('base64') }],
    ['ROLLCALL_SECRET_KEY', key.toString('base64url'), { secretKey: key.toString('base64url') }],
    ['ROLLCALL_MAIL_FROM', 'hr@example.com', { mailFrom: 'hr@example.com' }],
    ['ROLLCALL_MAIL_FROM', 'Personál ČR <hr@example.com>', { mailFrom: 'Personál ČR <hr@example.com>' }],
    ['ROLLCALL_ARGON2_MEMORY_KIB', '8192', { argon2MemoryKib: 8_192 }],
    ['ROLLCALL_ARGON2_PASSES', '100', { argon2Passes: 100 }],
    ['SMTP_URL', 'smtps://u:p%40ss@mail.example:465', { smtpUrl: 'smtps://u:p%40ss@mail.example:465' }],
    ['SMS_GATEWAY_URL', 'https://sms.example/send?to=1', { smsGatewayUrl: 'https://sms.example/send?to=1' }],
    ['SMS_GATEWAY_TOKEN', 'abc.DEF-123', { smsGatewayToken: 'abc.DEF-123' }],
    ['ROLLCALL_PUBLIC_URL', 'https://people.example//', { publicUrl: 'https://people.example' }],
    [
      'ROLLCALL_PUBLIC_URL',
      'https://people.example/rollcall/',
      { publicUrl: 'https://people.example/rollcall' },
    ],
    ['ROLLCALL_INITIAL_PASSWORD', 'link', { initialPassword: 'link' }],
    ['ROLLCALL_INITIAL_PASSWORD_RULES', 'full', { initialPasswordRules: 'full' }],
    ['ROLLCALL_DELIVERIES_AT_ONCE', '0', { deliveriesAtOnce: 0 }],
    ['DATABASE_URL', 'postgresql://db/rollcall', { databaseUrl: 'postgresql://db/rollcall' }],
  ])('%s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  test.each(['0.0.0.0/0', '::/0', '10.0.0.0/8', '::ffff:10.0.0.1', '::ffff:10.0.0.0/104', '10.1.2.3/08'])(
    'proxies in %s: usable by Fastify, or rejected',
    (network) => {
      const environment = { ROLLCALL_TRUSTED_PROXIES: network };
      const told = problems(environment);
      if (told.length > 0) {
        expect(told[0]).toContain('ROLLCALL_TRUSTED_PROXIES must be');
      } else {
        const trustProxy = [...readConfig(environment).trustedProxies];
        expect(() => Fastify({ trustProxy })).not.toThrow();
      }
    },
  );
});

describe('ROLLCALL_SECRET_KEY_PREVIOUS', () => {
  test('is read from the variable or a file, next to the new key', () => {
    const previous = key.toString('base64');
    const file = join(temporaryDirectory(), 'key');
    writeFileSync(file, previous);
    const current = { ROLLCALL_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect(readConfig({ ...current, ROLLCALL_SECRET_KEY_PREVIOUS: previous }).secretKeyPrevious).toBe(
      previous,
    );
    expect(readConfig({ ...current, ROLLCALL_SECRET_KEY_PREVIOUS_FILE: file }).secretKeyPrevious).toBe(
      previous,
    );
  });

  test('is rejected without a new key', () => {
    expect(() => readConfig({ ROLLCALL_SECRET_KEY_PREVIOUS: key.toString('base64') })).toThrow(
      'ROLLCALL_SECRET_KEY_PREVIOUS requires ROLLCALL_SECRET_KEY, set to the new key.',
    );
  });
});

describe('secret in a file', () => {
  const secrets = [
    ['ROLLCALL_SECRET_KEY', 'secretKey', key.toString('base64')],
    ['SMTP_URL', 'smtpUrl', 'smtp://u:p@mail.example'],
    ['SMS_GATEWAY_URL', 'smsGatewayUrl', 'https://sms.example/'],
    ['SMS_GATEWAY_TOKEN', 'smsGatewayToken', 'token'],
    ['DATABASE_URL', 'databaseUrl', 'postgres://u:p@db/rollcall'],
  ] as const;

  test.each(secrets)('is read: %s_FILE', (name, field, value) => {
    const file = join(temporaryDirectory(), 'secret');
    writeFileSync(file, `${value}\r\n`);
    expect(readConfig({ [`${name}_FILE`]: file })[field]).toBe(value);
  });

  test('is read for the bootstrap client', () => {
    const file = join(temporaryDirectory(), 'secret');
    writeFileSync(file, 'correct-horse\n');
    const config = readConfig({
      ROLLCALL_BOOTSTRAP_CLIENT_ID: 'sync',
      ROLLCALL_BOOTSTRAP_CLIENT_SECRET_FILE: file,
    });
    expect(config.bootstrapClient).toEqual({ id: 'sync', secret: 'correct-horse' });
  });

  test.each(secrets)('is rejected if %s is also set', (name, _, value) => {
    const file = join(temporaryDirectory(), 'secret');
    writeFileSync(file, value);
    expect(problems({ [name]: value, [`${name}_FILE`]: file })).toEqual([
      `${name} and ${name}_FILE are both set. Keep only one of them.`,
    ]);
  });

  test('is named if it cannot be read', () => {
    const directory = temporaryDirectory();
    expect(problems({ SMTP_URL_FILE: join(directory, 'none') })).toEqual([
      `SMTP_URL_FILE points to ${join(directory, 'none')}, which cannot be read (ENOENT).`,
    ]);
    expect(problems({ ROLLCALL_SECRET_KEY_FILE: directory })).toEqual([
      `ROLLCALL_SECRET_KEY_FILE points to ${directory}, which cannot be read (EISDIR).`,
    ]);
  });

  test('is not supported for other settings', () => {
    expect(problems({ ROLLCALL_MAIL_FROM_FILE: '/x' })).toEqual([
      expect.stringMatching(
        /^ROLLCALL_MAIL_FROM_FILE is not a Rollcall setting\. Did you mean ROLLCALL_MAIL_FROM\?$/,
      ),
    ]);
  });
});

describe('bootstrap client', () => {
  test.each(['two words', 'a/b', 'a:b', 'é', 'x'.repeat(65)])('cannot have the ID %j', (id) => {
    const told = problems({ ROLLCALL_BOOTSTRAP_CLIENT_ID: id, ROLLCALL_BOOTSTRAP_CLIENT_SECRET: 'secret' });
    expect(told).toContain(
      `ROLLCALL_BOOTSTRAP_CLIENT_ID must be 1 to 64 characters from a-z, A-Z, 0-9, ".", "_" and "-"; got "${id}".`,
    );
  });

  test.each([
    { ROLLCALL_BOOTSTRAP_CLIENT_ID: 'sync' },
    { ROLLCALL_BOOTSTRAP_CLIENT_SECRET: 'correct-horse' },
  ])('requires both ID and secret: %j', (environment) => {
    expect(problems(environment)).toEqual([
      'ROLLCALL_BOOTSTRAP_CLIENT_ID and ROLLCALL_BOOTSTRAP_CLIENT_SECRET must be set together.',
    ]);
  });
});

test('reports every mistake at once, each with its own message', () => {
  const told = problems({
    ROLLCALL_TRUSTED_PROXIES: 'x',
    ROLLCALL_SECRET_KEY: 'x',
    ROLLCALL_MAIL_FROM: 'x',
    ROLLCALL_ARGON2_PASSES: 'x',
    SMTP_URL: 'x',
    SMS_GATEWAY_URL: 'x',
    ROLLCALL_ISSUERS: 'x',
    ROLLCALL_ARGON2_MEMORY: '1',
  });
  expect(told).toHaveLength(8);
  for (const sentence of told) expect(sentence).toMatch(/^[A-Z_0-9]+ .+[.?]$/);
});

test('approval without a limit, which would do nothing, is rejected', () => {
  const approval = { ROLLCALL_SAFETY_APPROVAL: 'required' };
  expect(() => readConfig(approval)).toThrow(/does nothing without ROLLCALL_SAFETY_LIMIT_PERCENT/);
  expect(readConfig({ ...approval, ROLLCALL_SAFETY_LIMIT_PERCENT: '10' }).safetyApproval).toBe('required');
});
