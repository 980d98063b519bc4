import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Bench, withPostgres } from '../processes.js';

export type Progress = (line: string) => void;

/** Where peers are installed and run. */
export interface Surroundings extends Bench {
  /** A folder for their packages. */
  readonly home: string;
  /** Aborted if the run is interrupted. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Leaves nothing behind, even if interrupted. */
export async function withSurroundings<T>(
  progress: Progress,
  work: (surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  for (const name of interruptions) process.on(name, interrupt);
  const done: T[] = [];
  await withPostgres(async (bench) => {
    const home = mkdtempSync(join(tmpdir(), 'rollcall-peers-'));
    try {
      done.push(await work({ ...bench, home, signal: interruption.signal, progress }));
    } finally {
      progress('removing the peers');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
  for (const name of interruptions) process.off(name, interrupt);
  const [result] = done;
  if (result === undefined) throw new Error('the comparison did not finish');
  return result;
}

export async function createDatabase(
  serverUrl: string,
  name: string,
): Promise<{ readonly databaseUrl: string; readonly database: pg.Client }> {
  const server = await connected(serverUrl);
  await server.query(`CREATE DATABASE ${name}`);
  await server.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  return { databaseUrl: url.href, database: await connected(url.href) };
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // PostgreSQL stops first if the run is interrupted
  await client.connect();
  return client;
}

export async function postgresVersion(databaseUrl: string): Promise<string> {
  const client = await connected(databaseUrl);
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  return rows[0]?.server_version ?? '';
}
