import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { freePort } from './postgres-server.js';
import { createDatabase, TestService } from './service.js';
import { type ServiceProcess, spawned } from './service-process.js';
import { temporaryDirectory } from './temporary-directory.js';

/** Follows events with a client that gives up at any status other than 200. */
export interface EventFollower {
  /** The employee IDs of created users, as received. */
  told(): Promise<readonly string[]>;
  /** Events named "position". The first one tells where the stream starts. */
  positions(): Promise<number>;
  hasGivenUp(): Promise<boolean>;
  /** Connection attempts so far. */
  attempts(): number;
}

type Follow = (url: string, token: string) => Promise<EventFollower>;

/**
 * Restarts one node repeatedly while another changes users: before the first event, while the node is down, and while
 * it listens but isn't ready yet. The follower of the first node must receive each change once and in order.
 */
export async function expectNothingLost(
  follow: Follow,
  signals: readonly ('SIGTERM' | 'SIGKILL')[],
): Promise<void> {
  const environment = {
    DATABASE_URL: await createDatabase(),
    ROLLCALL_PUBLIC_URL: 'http://rollcall.test', // so that each node accepts tokens of the other
    ROLLCALL_EVENT_POLL_MS: '20',
  };
  const writer = await TestService.start(environment);
  onTestFinished(() => writer.stop());
  const PORT = String(await freePort());
  const start = () => spawned({ ...environment, PORT, ROLLCALL_DATA_DIR: temporaryDirectory() });
  let node = await (await start()).ready();
  const follower = await follow(node.url, writer.token);
  await expect.poll(() => follower.positions(), { message: 'it is told where it begins' }).toBeGreaterThan(0);

  const untilGivenUpOr = (reached: () => Promise<boolean>) =>
    expect.poll(async () => (await follower.hasGivenUp()) || reached()).toBe(true);
  const created: string[] = [];
  const create = async (): Promise<void> => {
    created.push((await writer.givenUser()).employeeID);
  };
  for (const signal of signals) {
    await node.kill(signal);
    await create();
    const locked = await lockedMigrations(environment.DATABASE_URL);
    node = await start();
    await untilListening(node);
    const before = follower.attempts();
    await untilGivenUpOr(async () => follower.attempts() > before);
    await create();
    await locked.release();
    await node.ready();
    await create();
    await untilGivenUpOr(async () => (await follower.told()).length >= created.length);
    expect(await follower.hasGivenUp()).toBe(false);
    expect(await follower.told()).toEqual(created);
  }
}

/** While this lock is held, a starting node listens but is not ready. */
async function lockedMigrations(databaseUrl: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query('LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE');
  return {
    release: async () => {
      await client.query('ROLLBACK');
    },
  };
}

async function untilListening(node: ServiceProcess): Promise<void> {
  await expect.poll(() => node.output).toContain('listens on ');
  const { status } = await fetch(`${node.url}/readyz`);
  expect(status, 'probes are answered, and say that it is not ready').toBe(503);
}
