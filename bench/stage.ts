import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { type LimitName, limitDefaults } from '../src/contract/limits.js';
import { fillUsers, peopleCount } from './people.js';
import type { Bench } from './processes.js';
import type { Section } from './report.js';
import type { Service, ServiceOptions } from './service.js';

/** What every section works with. */
export interface Stage {
  readonly options: StageOptions;
  startService(options?: ServiceOptions): Promise<Service>;
  /**
   * A database with this many users in it. It is the section's own, fresh from a copy; but very large ones are shared, and
   * a section that changes them comes after those that read.
   */
  users(count: number): Promise<string>;
  /** A connection that is closed with the stage. */
  connect(databaseUrl: string): Promise<pg.Client>;
}

export interface StageOptions {
  /** Few rounds: to see that everything runs, not to know how fast. */
  readonly quick: boolean;
  /** As long as it takes, where the common run takes a sample. */
  readonly long: boolean;
}

export type RunSection = (stage: Stage) => Promise<Section>;

export function openStage(bench: Bench, options: StageOptions): { stage: Stage; close: () => Promise<void> } {
  const clients: pg.Client[] = [];
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {}); // PostgreSQL goes away first when the run is interrupted
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

  // The service makes the tables at its first start, and the people come after that.
  const fill = async (database: string, count: number) => {
    await run(`CREATE DATABASE ${database}`);
    const service = await bench.startService({ databaseUrl: urlOf(database) });
    await service.stop();
    progress(`filling a table with ${count.toLocaleString('en')} users`);
    const client = new pg.Client({ connectionString: urlOf(database) });
    await client.connect();
    await fillUsers(client, count);
    await client.end();
    return urlOf(database);
  };
  const filled = new Map<number, Promise<string>>();
  let copies = 0;
  const users = async (count: number) => {
    const original = filled.get(count) ?? fill(`users_${count}`, count);
    filled.set(count, original);
    if (count > peopleCount) return original;
    await original;
    const copy = `copy_${++copies}_of_${count}`;
    await run(`CREATE DATABASE ${copy} TEMPLATE users_${count} STRATEGY file_copy`);
    return urlOf(copy);
  };

  return {
    stage: { options, startService: bench.startService, users, connect },
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
}

/** What runs and since when, on stderr, so that stdout holds nothing but results. */
export function progress(step: string): void {
  const seconds = Math.round(performance.now() / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s … ${step}\n`);
}

/** As the environment sets it; undefined if the service that is measured has no such limit. */
export function limitSetting(limit: string, value: number): Record<string, string> | undefined {
  if (!Object.hasOwn(limitDefaults, limit as LimitName)) return undefined;
  return { [`ROLLCALL_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`]: String(value) };
}

/** Whether `rollcall serve` knows the option. */
export function serveKnows(option: string): boolean {
  return spawnSync(process.execPath, ['dist/cli.js', 'serve', '--help'], {
    encoding: 'utf8',
  }).stdout.includes(option);
}
