import { describe, expect, test } from 'vitest';
import { type Environment, readConfig } from '../../src/config.js';
import { limitDefaults } from '../../src/contract/limits.js';

function problems(environment: Environment): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('configuration', () => {
  test('requires nothing: every setting has a default', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      workers: 1,
      dataDir: './data',
      databaseUrl: undefined,
      limits: limitDefaults,
    });
  });

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
  });

  test('every limit has its own variable', () => {
    expect(readConfig({ ROLLCALL_BULK_ITEMS_MAX: '7', ROLLCALL_LOCK_TIMEOUT_MS: '8' }).limits).toMatchObject({
      bulkItemsMax: 7,
      lockTimeoutMs: 8,
    });
  });

  test.each([
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535; got "65536".'],
    [{ PORT: '80x' }, 'PORT must be a whole number'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error'],
    [{ ROLLCALL_BULK_ITEMS_MAX: '-1' }, 'ROLLCALL_BULK_ITEMS_MAX must be a whole number'],
    [
      { ROLLCALL_PUBLIC_URL: 'example.com' },
      'ROLLCALL_PUBLIC_URL must be a URL that begins with http:// or https://',
    ],
    [{ ROLLCALL_NONSENSE: '1' }, 'ROLLCALL_NONSENSE is not a Rollcall setting.'],
    [{ ROLLCALL_DATADIR: '1' }, 'Did you mean ROLLCALL_DATA_DIR?'],
    [{ ROLLCALL_PORT: '9000' }, 'ROLLCALL_PORT is not a Rollcall setting. Did you mean PORT?'],
    [{ ROLLCALL_HOST: '0.0.0.0' }, 'Did you mean HOST?'],
    [{ ROLLCALL_DATABASE_URL: 'x' }, 'Did you mean DATABASE_URL?'],
    [{ ROLLCALL_DATABASE_URL_FILE: 'x' }, 'Did you mean DATABASE_URL_FILE?'],
    [{ ROLLCALL_DATABSE_URL: 'x' }, 'Did you mean DATABASE_URL?'],
    [{ ROLLCALL_SMTP_URL: 'x' }, 'Did you mean SMTP_URL?'],
    [{ ROLLCALL_SMS_GATEWAY_TOKEN: 'x' }, 'Did you mean SMS_GATEWAY_TOKEN?'],
    [{ ROLLCALL_LOG_LEVEL: 'x' }, 'Did you mean LOG_LEVEL?'],
  ])('rejects %j and says why', (environment, sentence) => {
    expect(problems(environment)).toContain(sentence);
  });

  test('suggests nothing for an unknown variable that resembles no setting', () => {
    expect(problems({ ROLLCALL_FOO: '1' })).toBe('ROLLCALL_FOO is not a Rollcall setting.');
  });

  test.each([
    [{}, 'http://localhost:8080'],
    [{ PORT: '9000' }, 'http://localhost:9000'],
    [{ PORT: '9000', HOST: '0.0.0.0' }, 'http://localhost:9000'],
    [{ HOST: '::' }, 'http://localhost:8080'],
    [{ HOST: '::1' }, 'http://[::1]:8080'],
    [{ HOST: 'people.internal', PORT: '80' }, 'http://people.internal:80'],
    [{ PORT: '9000', ROLLCALL_PUBLIC_URL: 'https://people.example.com' }, 'https://people.example.com'],
  ])('%j: the public URL is %s', (environment, publicUrl) => {
    expect(readConfig(environment).publicUrl).toBe(publicUrl);
  });

  test.each([
    ['security@example.com', 'mailto:security@example.com'],
    ['mailto:security@example.com', 'mailto:security@example.com'],
    ['https://example.com/report', 'https://example.com/report'],
    ['tel:+1-201-555-0123', 'tel:+1-201-555-0123'],
  ])('ROLLCALL_SECURITY_CONTACT=%s means %s', (given, contact) => {
    expect(readConfig({ ROLLCALL_SECURITY_CONTACT: given }).securityContact).toBe(contact);
  });

  test.each(['nobody', 'http://example.com', 'https://example.com/\nExpires: never', 'javascript:alert(1)'])(
    'rejects ROLLCALL_SECURITY_CONTACT=%s',
    (given) => {
      expect(problems({ ROLLCALL_SECURITY_CONTACT: given })).toContain('ROLLCALL_SECURITY_CONTACT must be');
    },
  );
});
