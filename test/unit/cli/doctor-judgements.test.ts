import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  localUrl,
  portFinding,
  publicUrlFindings,
  type ServiceAnswer,
} from '../../../src/cli/service/doctor/addresses.js';
import { clockFinding, leastSkewMs } from '../../../src/cli/service/doctor/clock.js';
import { dataDirectoryFindings, diskFinding } from '../../../src/cli/service/doctor/data-directory.js';
import { type ServerState, serverFindings } from '../../../src/cli/service/doctor/database-servers.js';
import { nodeFinding } from '../../../src/cli/service/doctor/doctor.js';
import { startupFindings } from '../../../src/cli/service/doctor/embedded.js';
import { checkTemplates } from '../../../src/cli/service/doctor/messages.js';
import { postgresFindings } from '../../../src/cli/service/doctor/postgres-findings.js';
import { indexFinding, schemaFinding } from '../../../src/cli/service/doctor/schema.js';
import { secretKeyFinding, storedSecretsFindings } from '../../../src/cli/service/doctor/secrets.js';
import { withTimeLimit } from '../../../src/cli/service/doctor/time-limit.js';
import { schemaState } from '../../../src/cli/service/migrate.js';
import { limitDefaults } from '../../../src/contract/limits.js';
import { SecretCipher } from '../../../src/domain/secrets/secret-cipher.js';
import type { SecretCount } from '../../../src/storage/access/encrypted-secrets.js';
import { StartupError } from '../../../src/storage/errors.js';
import { migrationNames } from '../../../src/storage/migrate.js';
import type { ServerFacts } from '../../../src/storage/server-facts.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Pure functions, so there is no need to run them on both engines. */
describe('doctor findings', () => {
  test.each([
    ['20.19.0', 'good'],
    ['20.18.3', 'failed'],
    ['18.20.0', 'failed'],
    ['22.1.0', 'good'],
  ])('Node.js %s: %s', (version, state) => {
    expect(nodeFinding(version, '20.19').state).toBe(state);
  });

  test('templates: those of every language are checked, and files that no message uses are a warning', () => {
    const templatesDir = temporaryDirectory();
    mkdirSync(join(templatesDir, 'de'));
    mkdirSync(join(templatesDir, 'fr'));
    const write = (file: string, text: string) => writeFileSync(join(templatesDir, file), text);
    write('de/initial-password.subject.txt', 'Willkommen');
    expect(checkTemplates({ templatesDir, language: 'de' })).toMatchObject({
      state: 'good',
      found: `using those in ${templatesDir}, in en, de, es; de unless a user has another language`,
    });
    write('fr/initial-password.txt', '{{password}}');
    write('inital-password.txt', '{{password}}');
    expect(checkTemplates({ templatesDir, language: 'en' })).toMatchObject({
      state: 'warning',
      found: `no message uses fr/initial-password.txt, inital-password.txt in ${templatesDir}`,
    });
    write('de/reset-password.txt', 'Guten Tag');
    expect(checkTemplates({ templatesDir, language: 'en' })).toMatchObject({
      state: 'failed',
      found: `The template ${templatesDir}/de/reset-password.txt does not contain {{password}}.`,
    });
  });

  test.each([
    [99_999_999, 'failed', '99 MB'],
    [100_000_000, 'warning', '100 MB'],
    [999_999_999, 'warning', '999 MB'],
    [1_000_000_000, 'good', '1.0 GB'],
  ])('%i free bytes: %s', (bytes, state, shown) => {
    expect(diskFinding(bytes)).toMatchObject({ state, found: `${shown} free for the data directory` });
  });

  test.each([
    [0, 'good'],
    [5_000, 'good'],
    [5_001, 'warning'],
    [-5_001, 'warning'],
    [60_000, 'warning'],
    [60_001, 'failed'],
    [-60_001, 'failed'],
  ])('a clock that is off by %i ms: %s', (offMs, state) => {
    const reading = { theirMs: 1_000_000 + offMs, askedAtMs: 1_000_000, answeredAtMs: 1_000_000, stepMs: 0 };
    expect(clockFinding('clock', reading).state).toBe(state);
  });

  test('clock skew: ignores what latency and the resolution of the header can explain', () => {
    const asked = { askedAtMs: 10_000, answeredAtMs: 12_000 };
    expect(leastSkewMs({ ...asked, theirMs: 11_000, stepMs: 0 })).toBe(0);
    expect(leastSkewMs({ ...asked, theirMs: 13_000, stepMs: 0 })).toBe(1_000);
    expect(leastSkewMs({ ...asked, theirMs: 9_000, stepMs: 0 })).toBe(-1_000);
    expect(leastSkewMs({ ...asked, theirMs: 9_000, stepMs: 1_000 })).toBe(0);
    expect(clockFinding('clock', undefined).state).toBe('note');
    const ahead = { askedAtMs: 0, answeredAtMs: 0, theirMs: 90_000, stepMs: 0 };
    expect(clockFinding('clock', ahead).found).toBe('this machine is behind by 1 min 30 s');
  });

  const closed = { problems: [], repairs: [] };
  const directory = {
    directory: '/data',
    exists: true,
    notWritable: undefined,
    permissions: closed,
  };
  const open = { ...closed, repairs: [{ path: '/data/secret.key', from: 0o644, to: 0o600 }] };
  const refused = { ...open, problems: [{ found: '/data/outbox is a symbolic link', advice: 'Delete it' }] };
  test.each([
    [directory, ['good', 'good']],
    [{ ...directory, exists: false }, ['good']],
    [{ ...directory, notWritable: 'EACCES' }, ['failed', 'good']],
    [{ ...directory, exists: false, notWritable: 'EROFS' }, ['failed']],
    [{ ...directory, permissions: open }, ['good', 'warning']],
    [{ ...directory, permissions: refused }, ['good', 'failed']],
    [{ ...directory, permissions: undefined }, ['good', 'note']],
  ])('the data directory %j: %j', (facts, states) => {
    expect(dataDirectoryFindings(facts).map(({ state }) => state)).toEqual(states);
  });

  const server: ServerFacts = {
    versionNumber: 180_001,
    version: '18.1',
    encoding: 'UTF8',
    connectionsMax: 97,
    isStandby: false,
    canCreateTables: true,
    isEncrypted: true,
    isLocal: false,
  };
  const applied = migrationNames.map((name) => ({ name, appliedAt: '2026-11-15T08:00:00.000Z' }));
  const secrets = undefined;
  const clock = { theirMs: 0, askedAtMs: 0, answeredAtMs: 0, stepMs: 0 };
  test.each<[Partial<ServerFacts>, workers: number, check: string, state: string]>([
    [{}, 1, 'version', 'good'],
    [{ versionNumber: 150_004 }, 1, 'version', 'good'],
    [{ versionNumber: 140_010 }, 1, 'version', 'failed'],
    [{ versionNumber: 190_000 }, 1, 'version', 'warning'],
    [{ encoding: 'SQL_ASCII' }, 1, 'encoding', 'failed'],
    [{ isStandby: true }, 1, 'writes', 'failed'],
    [{ canCreateTables: false }, 1, 'writes', 'good'],
    [{ isEncrypted: false }, 1, 'connection', 'warning'],
    [{ isEncrypted: false, isLocal: true }, 1, 'connection', 'good'],
    [{}, 4, 'connections', 'good'],
    [{}, 5, 'connections', 'warning'],
    [{}, 10, 'connections', 'failed'],
  ])('PostgreSQL with %j and %i workers: %s is %s', (facts, workers, check, state) => {
    const look = {
      ok: true,
      description: 'db',
      server: { ...server, ...facts },
      applied,
      index: 'complete',
      secrets,
      clock,
      isPooled: false,
      servers: [],
    } as const;
    const findings = postgresFindings(look, { workers, limits: limitDefaults });
    expect(findings.find((finding) => finding.check === check)?.state).toBe(state);
    const others = findings.filter((finding) => finding.check !== check);
    expect(others.map((finding) => finding.state)).toEqual(Array(6).fill('good'));
  });

  test('a role that cannot create tables fails while migrations are pending', () => {
    const look = {
      ok: true,
      description: 'db',
      server: { ...server, canCreateTables: false },
      applied: applied.slice(0, -1),
      index: undefined,
      secrets,
      clock,
      isPooled: false,
      servers: [],
    } as const;
    const findings = postgresFindings(look, { workers: 1, limits: limitDefaults });
    expect(findings.find(({ check }) => check === 'writes')?.state).toBe('failed');
  });

  test('a transaction pooler: reported, and the connection count becomes a note', () => {
    const look = {
      ok: true,
      description: 'db',
      server,
      applied,
      index: 'complete',
      secrets,
      clock,
      isPooled: true,
      servers: [],
    } as const;
    const findings = postgresFindings(look, { workers: 100, limits: limitDefaults });
    const told = findings.filter(({ state }) => state !== 'good');
    expect(told.map(({ check, state }) => [check, state])).toEqual([
      ['pooler', 'note'],
      ['connections', 'note'],
    ]);
  });

  test('several servers: a primary is good, a standby a note, and two primaries or one that is down are warnings', () => {
    const primary = { kind: 'primary', description: 'postgres://a' } as const;
    const standby = { kind: 'standby', description: 'postgres://b' } as const;
    const down = {
      kind: 'unusable',
      description: 'postgres://c',
      problem: 'Cannot use postgres://c',
    } as const;
    const states = (...servers: ServerState[]) => serverFindings(servers).map(({ state }) => state);
    expect(states(primary, standby, down)).toEqual(['good', 'note', 'warning']);
    expect(states(primary, primary)).toEqual(['warning', 'warning']);
  });

  test('index', () => {
    expect(indexFinding('complete').state).toBe('good');
    expect(indexFinding(undefined).state).toBe('note');
    expect(indexFinding({ done: 1_200, total: 54_000 })).toMatchObject({
      state: 'note',
      found: expect.stringContaining('1,200 of 54,000 users'),
    });
  });

  test('schema', () => {
    const newer = { name: '9999_far_away', appliedAt: '2030-01-01T00:00:00.000Z' };
    expect(schemaFinding(applied).state).toBe('good');
    expect(schemaFinding(applied.slice(0, 2)).state).toBe('note');
    expect(schemaFinding([]).found).toContain('empty: ');
    expect(schemaFinding([...applied, newer]).state).toBe('failed');
    expect(schemaState(['0001_a', '0002_b', '0003_c'], [{ name: '0001_a', appliedAt: 'then' }])).toEqual({
      applied: [{ name: '0001_a', appliedAt: 'then' }],
      pending: ['0002_b', '0003_c'],
      unknown: [],
    });
  });

  test.each([
    [undefined, 'good'],
    ['EADDRINUSE', 'failed'],
    ['EACCES', 'failed'],
  ])('a port that reports %s: %s', (code, state) => {
    expect(portFinding('localhost:80', code).state).toBe(state);
  });

  const nobody: ServiceAnswer = { kind: 'none', reason: 'ECONNREFUSED' };
  const running: ServiceAnswer = { kind: 'rollcall', clock: undefined };
  test.each<[string, string, ServiceAnswer, ServiceAnswer, string[]]>([
    ['https://people.example.com', '0.0.0.0', running, running, ['good', 'good']],
    ['http://people.example.com', '0.0.0.0', running, running, ['warning', 'good']],
    ['http://localhost:8080', 'localhost', nobody, nobody, ['good', 'note']],
    ['http://localhost:8080', '0.0.0.0', nobody, nobody, ['warning', 'note']],
    ['https://people.example.com', 'localhost', nobody, running, ['good', 'warning']],
    ['https://people.example.com', 'localhost', { kind: 'other', status: 502 }, running, ['good', 'failed']],
  ])('the public URL %s on %s: %j, %j', (publicUrl, host, answer, localAnswer, states) => {
    const findings = publicUrlFindings({ publicUrl, host, answer, localAnswer });
    expect(findings.map(({ state }) => state)).toEqual(states);
  });

  test.each([
    ['localhost', 8080, 'http://localhost:8080'],
    ['0.0.0.0', 80, 'http://127.0.0.1:80'],
    ['::', 80, 'http://[::1]:80'],
    ['fe80::1', 80, 'http://[fe80::1]:80'],
  ])('local URL of a service on %s:%i', (host, port, url) => {
    expect(localUrl({ host, port })).toBe(url);
  });

  test('secret key', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const states = [
      secretKeyFinding({ secretKey: key, databaseUrl: 'postgres://db/x' }),
      secretKeyFinding({ secretKey: undefined, databaseUrl: undefined }),
      secretKeyFinding({ secretKey: undefined, databaseUrl: 'postgres://db/x' }),
    ].map(({ state }) => state);
    expect(states).toEqual(['good', 'good', 'warning']);
  });

  test('stored secrets, by encryption key', () => {
    const [current, previous, lost] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const cipher = new SecretCipher(current, { isConfigured: true, previous: [previous] });
    const idOf = (key: Buffer) => new SecretCipher(key).keyId;
    const counts: SecretCount[] = [
      { kind: 'signingKeys', keyId: null, count: 1 },
      { kind: 'signingKeys', keyId: idOf(lost), count: 1 },
      { kind: 'webhookSecrets', keyId: idOf(current), count: 2 },
      { kind: 'webhookSecrets', keyId: idOf(previous), count: 3 },
      { kind: 'passwords', keyId: idOf(lost), count: 1 },
    ];
    const findings = storedSecretsFindings(counts, cipher);
    expect(findings.map(({ state, found }) => [state, found])).toEqual([
      ['good', `2 webhook secrets encrypted with key ${idOf(current)}`],
      ['warning', `3 webhook secrets encrypted with the previous key ${idOf(previous)}`],
      ['warning', '1 signing key not encrypted'],
      ['note', '1 signing key of other nodes'],
      ['failed', '1 password waiting to be sent cannot be decrypted with the configured keys'],
    ]);
    expect(findings[4]?.fix).toContain(`rollcall keys rewrap --discard ${idOf(lost)}`);
    expect(storedSecretsFindings([], cipher)).toMatchObject([{ state: 'good' }]);
  });

  test('a check that hangs or throws is reported as failed', async () => {
    const never = new Promise<never>(() => {});
    expect(await withTimeLimit('mail server', never, 1)).toMatchObject([
      { check: 'mail server', state: 'failed', found: 'no response within 0.001 s' },
    ]);
    const broken = Promise.reject(Object.assign(new Error('for nobody'), { code: '42501' }));
    expect(await withTimeLimit('connection', broken)).toMatchObject([
      { check: 'connection', state: 'failed', found: 'check failed (42501)' },
    ]);
  });

  test('an embedded database that cannot be opened, although no service is using it', () => {
    const error = new StartupError('The embedded database in /data cannot be opened: disk full.');
    expect(startupFindings(error)).toMatchObject([{ state: 'failed', found: error.message }]);
  });
});
