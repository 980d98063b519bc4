import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { type LimitName, limitDefaults } from '../src/contract/limits.js';
import { reindex } from './indexed.js';
import type { Bench } from './processes.js';
import type { Section } from './section.js';
import type { Service, ServiceOptions } from './service.js';
import { fillUsers, type NameKind, userCount } from './users.js';

/** What every section uses. */
export interface Stage {
  readonly options: StageOptions;
  startService(options?: ServiceOptions): Promise<Service>;
  /**
   * A database with this many users. Each section gets its own copy, but very large databases are shared, so sections
   * that change them come after those that read.
   */
  users(count: number, names?: NameKind): Promise<string>;
  /** A connection that is closed with the stage. */
  connect(databaseUrl: string): Promise<pg.Client>;
}

export interface StageOptions {
  /** Few rounds, to check that everything runs, not how fast. */
  readonly quick: boolean;
  /** A complete measurement where a normal run takes a sample. */
  readonly long: boolean;
}

export type RunSection = (stage: Stage) => Promise<Section>;

export function openStage(bench: Bench, options: StageOptions): { stage: Stage; close: () => Promise<void> } {
  const clients: pg.Client[] = [];
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {}); // PostgreSQL stops first if the run is interrupted
    await client.connect();
    clients.push(client);
    return client;
  };

  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: bench.databaseUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const urlOf = (database: string) => bench.databaseUrl.replace(/[^/]+$/, database);

  // The service creates the tables when it first starts. Users are added afterwards.
  const fill = async (database: string, count: number, names: NameKind) => {
    await run(`CREATE DATABASE ${database}`);
    const service = await bench.startService({ databaseUrl: urlOf(database) });
    await service.stop();
    progress(`filling a table with ${count.toLocaleString('en')} users`);
    const client = new pg.Client({ connectionString: urlOf(database) });
    await client.connect();
    await fillUsers(client, count, names);
    progress('indexing them');
    const indexing = await bench.startService({ databaseUrl: urlOf(database) });
    await reindex(client);
    await indexing.stop();
    await client.query('VACUUM ANALYZE');
    await client.end();
    return urlOf(database);
  };
  const filled = new Map<string, Promise<string>>();
  let copies = 0;
  const users = async (count: number, names: NameKind = 'shared') => {
    const name = names === 'shared' ? `users_${count}` : `users_${count}_${names}`;
    const original = filled.get(name) ?? fill(name, count, names);
    filled.set(name, original);
    if (count > userCount) return original;
    await original;
    const copy = `copy_${++copies}_of_${count}`;
    await run(`CREATE DATABASE ${copy} TEMPLATE ${name} STRATEGY file_copy`);
    return urlOf(copy);
  };

  return {
    stage: { options, startService: bench.startService, users, connect },
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
}

/** Prints the current step and the time to stderr, so that stdout contains only results. */
export function progress(step: string): void {
  const seconds = Math.round(performance.now() / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s … ${step}\n`);
}

/** The environment variable of a limit; undefined if the measured service has no such limit. */
export function limitSetting(limit: string, value: number): Record<string, string> | undefined {
  if (!Object.hasOwn(limitDefaults, limit as LimitName)) return undefined;
  return { [`ROLLCALL_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`]: String(value) };
}

/** Whether `rollcall serve` has the option. */
export function serveKnows(option: string): boolean {
  return spawnSync(process.execPath, ['dist/cli.js', 'serve', '--help'], {
    encoding: 'utf8',
  }).stdout.includes(option);
}
