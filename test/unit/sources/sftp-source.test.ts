import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FeedSource, FileVersion, OpenedSource } from '../../../src/domain/feeds/source-reader.js';
import { fingerprintOf } from '../../../src/sources/sftp-connection.js';
import type { SourceOptions } from '../../../src/sources/source-context.js';
import {
  type SftpServer,
  type SftpServerOptions,
  sftpPassword,
  sftpUser,
  startSftpServer,
} from '../../support/sftp-server.js';
import { aReader, neverAborted, problemWhileReading, readWhole } from '../../support/source-reading.js';
import { ecdsaKey, ed25519Key, type SshKey } from '../../support/ssh-keys.js';
import { hasSshd, skippedSshdTests, startSshd } from '../../support/sshd.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

type SftpSource = Extract<FeedSource, { type: 'sftp' }>;

const hostKey = ed25519Key();
const otherKey = ecdsaKey();

function fingerprint({ public: text }: SshKey): string {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error || Array.isArray(key)) throw new Error('not a key');
  return fingerprintOf(key.getPublicSSH());
}

let folder = '';

beforeEach(() => {
  folder = temporaryDirectory();
});

/** Modified on the given day of November 2026. */
function aFile(name: string, day: number, text = `from ${name}`): void {
  const time = new Date(Date.UTC(2026, 10, day));
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), time, time);
}

function startServer(options: Partial<SftpServerOptions> = {}): Promise<SftpServer> {
  return startSftpServer({ folder, hostKeys: [hostKey.private], ...options });
}

function aSource({ port }: { readonly port: number }, overrides: Partial<SftpSource> = {}): SftpSource {
  const pinned = { hostKey: fingerprint(hostKey), auth: 'password' } as const;
  const login = { host: '127.0.0.1', port, username: sftpUser, path: '/users.csv' };
  return { type: 'sftp', ...login, ...pinned, ...overrides };
}

interface OpenOptions extends Partial<SourceOptions> {
  readonly known?: FileVersion;
  readonly secret?: string;
  readonly passphrase?: string;
}

function open(
  source: SftpSource,
  { known, secret = sftpPassword, passphrase, ...options }: OpenOptions = {},
): Promise<OpenedSource> {
  const credentials = { secret, passphrase: passphrase ?? null };
  return aReader(options).open(source, credentials, known ?? null, neverAborted());
}

function failed(problem: object): object {
  return { status: 'failed', problem };
}

describe('a file', () => {
  test('is read with its version', async () => {
    const text = 'employeeID\n'.repeat(50_000);
    aFile('users.csv', 18, text);
    const server = await startServer();
    const version = {
      name: 'users.csv',
      etag: null,
      modifiedAt: '2026-11-18T00:00:00.000Z',
      bytes: text.length,
    };
    expect(await readWhole(await open(aSource(server)))).toEqual({ version, text });
    expect(await open(aSource(server), { known: version })).toEqual({ status: 'unchanged' });
    expect((await open(aSource(server), { known: { ...version, bytes: 1 } })).status).toBe('file');
  });

  test('is complete if the server answers reads in smaller parts', async () => {
    const text = Array.from({ length: 40_000 }, (_, row) => `${row}\n`).join('');
    aFile('users.csv', 18, text);
    const server = await startServer({ readMaxBytes: 9_999 });
    expect((await readWhole(await open(aSource(server)))).text).toBe(text);
  });

  test('that does not exist is missing', async () => {
    const server = await startServer();
    expect(await open(aSource(server))).toEqual({ status: 'missing' });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test('has no time if the server tells none, and then nobody knows which one is the newest', async () => {
    aFile('users.csv', 18);
    const server = await startServer({ hasTimes: false });
    const { version } = await readWhole(await open(aSource(server)));
    expect(version).toMatchObject({ name: 'users.csv', modifiedAt: null });
    expect(await open(aSource(server, { path: '/*.csv' }))).toEqual(
      failed({ code: 'invalid_response', errorCode: null }),
    );
  });

  test('with a control character in its name is refused', async () => {
    aFile('users\n.csv', 18);
    const server = await startServer();
    expect(await open(aSource(server, { path: '/*.csv' }))).toEqual(failed({ code: 'invalid_name' }));
  });

  test('that is a folder or too large is refused', async () => {
    mkdirSync(join(folder, 'hr'));
    aFile('users.csv', 18, '12345');
    const server = await startServer();
    expect(await open(aSource(server, { path: '/hr' }))).toEqual(failed({ code: 'not_a_file' }));
    expect(await open(aSource(server, { path: '/hr/' }))).toEqual(failed({ code: 'not_a_file' }));
    expect(await open(aSource(server), { fileMaxBytes: 4 })).toEqual(
      failed({ code: 'too_large', bytesMax: 4 }),
    );
  });

  test('that grows while it is read has changed', async () => {
    aFile('users.csv', 18);
    const server = await startServer();
    const opened = await open(aSource(server));
    appendFileSync(join(folder, 'users.csv'), 'more');
    expect(await problemWhileReading(opened)).toEqual({ code: 'changed_while_read' });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test('that is replaced while it is read has changed', async () => {
    aFile('users.csv', 18);
    const server = await startServer();
    const opened = await open(aSource(server));
    aFile('users.csv', 19);
    expect(await problemWhileReading(opened)).toEqual({ code: 'changed_while_read' });
  });

  test('is incomplete if the connection ends', async () => {
    aFile('users.csv', 18);
    const server = await startServer();
    server.onRead = () => 'drop';
    expect(await problemWhileReading(await open(aSource(server)))).toEqual({ code: 'ended_early' });
  });
});

describe('a pattern', () => {
  test('means the newest file that is complete', async () => {
    aFile('users-1.csv', 16);
    aFile('users-2.csv', 18);
    aFile('users-3.csv', 17);
    aFile('users-4.csv.partial', 19);
    aFile('users-5.csv', 19, '');
    aFile('.users-6.csv', 19);
    aFile('groups.csv', 19);
    mkdirSync(join(folder, 'users-7.csv'));
    const server = await startServer();
    const file = await readWhole(await open(aSource(server, { path: '/users-*' })));
    expect(file).toMatchObject({ version: { name: 'users-2.csv' }, text: 'from users-2.csv' });
  });

  test('does not lead back to an older file', async () => {
    aFile('users-1.csv', 16);
    const server = await startServer();
    const known = { name: 'users-2.csv', etag: null, modifiedAt: '2026-11-18T00:00:00.000Z', bytes: 1 };
    expect(await open(aSource(server, { path: '/*.csv' }), { known })).toEqual({ status: 'unchanged' });
  });

  test('that matches nothing is missing, but its folder must exist', async () => {
    const server = await startServer();
    expect(await open(aSource(server, { path: '/*.csv' }))).toEqual({ status: 'missing' });
    const elsewhere = aSource(server, { path: '/hr/*.csv' });
    expect(await open(elsewhere)).toEqual(failed({ code: 'container_missing' }));
  });
});

describe('the host key', () => {
  test('is reported, and nothing is sent, while none is pinned', async () => {
    const server = await startServer();
    const found = fingerprint(hostKey);
    expect(await open(aSource(server, { hostKey: null }))).toEqual(
      failed({ code: 'host_key_unknown', found }),
    );
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test('is refused if it changed', async () => {
    const server = await startServer();
    const expected = fingerprint(otherKey);
    expect(await open(aSource(server, { hostKey: expected }))).toEqual(
      failed({ code: 'host_key_changed', expected, found: fingerprint(hostKey) }),
    );
  });

  test('may be any of the keys that the server has', async () => {
    aFile('users.csv', 18);
    const server = await startServer({ hostKeys: [hostKey.private, otherKey.private] });
    for (const key of [hostKey, otherKey]) {
      expect((await open(aSource(server, { hostKey: fingerprint(key) }))).status).toBe('file');
    }
  });
});

describe('credentials', () => {
  test('may be a private key, also with a passphrase', async () => {
    aFile('users.csv', 18);
    for (const passphrase of [undefined, 'correct horse']) {
      const key = ed25519Key(passphrase);
      const server = await startServer({ authorizedKey: key.public });
      const login = { secret: key.private, ...(passphrase === undefined ? {} : { passphrase }) };
      expect((await open(aSource(server, { auth: 'key' }), login)).status).toBe('file');
    }
  });

  test('may be a password that the server prompts for', async () => {
    aFile('users.csv', 18);
    const server = await startServer({ method: 'keyboard-interactive' });
    expect((await open(aSource(server))).status).toBe('file');
  });

  test.each(['password', 'keyboard-interactive'] as const)('are rejected (%s)', async (method) => {
    const server = await startServer({ method });
    const rejected = failed({ code: 'authentication_failed' });
    expect(await open(aSource(server), { secret: 'wrong' })).toEqual(rejected);
    expect(await open(aSource(server, { auth: 'key' }), { secret: ed25519Key().private })).toEqual(rejected);
  });

  test('that are no private key, or lack its passphrase, are not sent', async () => {
    const source = aSource({ port: 1 }, { auth: 'key' });
    for (const secret of ['hunter2', hostKey.public, ed25519Key('correct horse').private]) {
      expect(await open(source, { secret })).toEqual(failed({ code: 'invalid_private_key' }));
    }
  });
});

describe('the connection', () => {
  test.each([
    ['127.0.0.1', 'address_refused'],
    ['inside.example', 'address_refused'],
    ['nowhere.example', 'host_unknown'],
  ])('to %s is refused', async (host, code) => {
    const lookup = async (name: string) =>
      name === 'inside.example' ? [{ address: '10.0.0.7', family: 4 }] : [];
    const source = aSource({ port: 22 }, { host });
    expect(await open(source, { targets: 'public', lookup })).toEqual(failed({ code }));
  });

  test('is limited to allowed hosts, whose default port is that of SSH', async () => {
    const allowedHosts = [{ name: '127.0.0.1', withSubdomains: false, port: undefined }];
    const refused = failed({ code: 'host_not_allowed' });
    expect(await open(aSource({ port: 1 }), { allowedHosts })).toEqual(refused);
    expect(await open(aSource({ port: 22 }), { allowedHosts })).not.toEqual(refused);
  });

  test('uses the address that was checked', async () => {
    aFile('users.csv', 18);
    const server = await startServer();
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const opened = await open(aSource(server, { host: 'files.example' }), { lookup });
    expect((await readWhole(opened)).text).toBe('from users.csv');
  });

  test('where nothing listens fails', async () => {
    const problem = { code: 'unreachable', errorCode: 'ECONNREFUSED' };
    expect(await open(aSource({ port: 1 }))).toEqual(failed(problem));
  });

  test('is closed when reading is stopped', async () => {
    aFile('users.csv', 18);
    const server = await startServer();
    server.onRead = () => 'hang';
    const stopping = new AbortController();
    const secret = { secret: sftpPassword, passphrase: null };
    const opened = await aReader().open(aSource(server), secret, null, stopping.signal);
    const problem = problemWhileReading(opened);
    stopping.abort();
    expect(await problem).toEqual({ code: 'stopped' });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test('is closed when the server no longer answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    aFile('users.csv', 18);
    const server = await startServer();
    let reads = 0;
    server.onRead = () => {
      reads += 1;
      return 'hang';
    };
    const timeouts = { idleMs: 60_000, totalMs: 300_000, slowMs: 300_000, slowBytes: 1 };
    const problem = problemWhileReading(await open(aSource(server), { timeouts }));
    await expect.poll(() => reads).toBeGreaterThan(0);
    vi.advanceTimersByTime(timeouts.idleMs);
    expect(await problem).toEqual({ code: 'timed_out' });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });
});

if (!hasSshd) console.warn(skippedSshdTests);

test.skipIf(!hasSshd)('OpenSSH is read, with the fingerprint that ssh-keygen prints', async () => {
  aFile('users-1.csv', 17);
  aFile('users-2.csv', 18, 'employeeID\n'.repeat(50_000));
  const { port, username, privateKey: secret, fingerprints, ...served } = await startSshd(folder);
  const source = aSource({ port }, { username, auth: 'key', path: `${served.folder}/users-*.csv` });
  for (const pinned of Object.values(fingerprints)) {
    const file = await readWhole(await open({ ...source, hostKey: pinned }, { secret }));
    expect(file.version).toMatchObject({ name: 'users-2.csv', modifiedAt: '2026-11-18T00:00:00.000Z' });
    expect(file.text).toBe('employeeID\n'.repeat(50_000));
  }
  const found = fingerprints.ed25519;
  expect(await open({ ...source, hostKey: null }, { secret })).toEqual(
    failed({ code: 'host_key_unknown', found }),
  );
  const missing = { ...source, hostKey: found, path: `${served.folder}/none/users.csv` };
  expect(await open(missing, { secret })).toEqual({ status: 'missing' });
});
