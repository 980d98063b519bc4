import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './postgres-server.js';

/** Debian installs it in a directory that is not on every PATH. */
const path = `${process.env.PATH}:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin`;

export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env: { PATH: path } }).status === 0;

export const skippedPgBouncerTests =
  'PgBouncer tests skipped: pgbouncer is not installed. Install it (apt install pgbouncer, brew install pgbouncer).';

export interface PgBouncer {
  /** The same database, through the pooler. */
  url(databaseUrl: string): string;
  stop(): Promise<void>;
}

/**
 * A real PgBouncer in transaction mode. Its settings are the defaults, except for few sessions used in turn, so that
 * consecutive transactions of a connection rarely run in the same session.
 */
export async function startPgBouncer(postgresUrl: string): Promise<PgBouncer> {
  const home = mkdtempSync(join(tmpdir(), 'rollcall-pgbouncer-'));
  const { hostname, port, username, password } = new URL(postgresUrl);
  const listenOn = await freePort();
  const settings = join(home, 'pgbouncer.ini');
  const log = join(home, 'pgbouncer.log');
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${username}${password && ` password=${password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenOn}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
server_round_robin = 1
max_client_conn = 200
logfile = ${log}
`,
  );
  // Like PostgreSQL, it refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (identity.uid !== undefined)
    for (const file of [home, settings]) chownSync(file, identity.uid, identity.gid);
  const server = spawn('pgbouncer', ['-q', settings], { ...identity, env: { PATH: path }, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = (databaseUrl: string) => {
    const through = new URL(databaseUrl);
    through.hostname = '127.0.0.1';
    through.port = String(listenOn);
    return through.href;
  };
  const stop = async () => {
    if (server.kill('SIGTERM')) await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  };
  for (let tried = 0; !(await answers(url(postgresUrl))); tried++) {
    if (tried > 200 || server.exitCode !== null) {
      const reason = readFileSync(log, 'utf8');
      await stop();
      throw new Error(`PgBouncer did not start: ${reason}`);
    }
    await pause(50);
  }
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
