import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres-server.js';

/** A primary that acknowledges a commit only once its standby has it as well. */
export interface ReplicatedPostgres {
  /** Names both servers. */
  readonly url: string;
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const standbyName = 'standby';

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const options = ['-c', 'fsync=off'];
  const primary = await startPostgres(options);
  await primary.halt();
  const { port } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=postgres application_name=${standbyName}`;
  const following = ['-c', `primary_conninfo=${source}`, '-c', 'wal_retrieve_retry_interval=100ms'];
  const standby = await startPostgres([...options, ...following], undefined, primary.data).catch(
    async (error) => {
      await primary.stop();
      throw error;
    },
  );
  await primary.resume();
  await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
  await ask(primary, 'SELECT pg_reload_conf()');
  await until(primary, `EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')`);
  return {
    url: `postgres://postgres@127.0.0.1:${port},127.0.0.1:${new URL(standby.url).port}/postgres`,
    primary,
    standby,
    promote: async () => {
      await ask(standby, 'SELECT pg_promote()');
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
}

export async function ask(server: PostgresServer, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

async function until(server: PostgresServer, condition: string): Promise<void> {
  while (!(await ask(server, `SELECT ${condition} AS met`)).rows[0].met) await pause(50);
}
