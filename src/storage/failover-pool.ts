import pg from 'pg';
import { databaseOutage } from './errors.js';
import { isStale } from './pooler-client.js';
import type { ServerChoice } from './server-choice.js';

type Callback = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;

/** A pool whose new connections try one server after the other, and that drops connections to a former primary. */
export class FailoverPool extends pg.Pool {
  readonly #servers: ServerChoice;

  constructor(config: pg.PoolConfig, servers: ServerChoice) {
    super(config);
    this.#servers = servers;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then((client) => callback(undefined, client, () => client.release()), callback);
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let tried = 1; ; ) {
      try {
        const client = await super.connect();
        if (!isStale(client)) return client;
        client.release(true);
      } catch (error) {
        if (tried++ >= this.#servers.count || !mayWorkElsewhere(error)) throw error;
      }
    }
  }
}

/** Waiting for a free connection is no fault of the server, and another server would refuse the login as well. */
const elsewhereTheSame = /^(?:28...|3D000)$/;

export function mayWorkElsewhere(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string };
  if (elsewhereTheSame.test(code) || message.startsWith('timeout exceeded')) return false;
  return databaseOutage(error) === 'unavailable' || code === '53300';
}
