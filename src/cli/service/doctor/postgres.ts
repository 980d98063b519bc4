import type { Config } from '../../../config.js';
import type { SecretCount } from '../../../storage/access/encrypted-secrets.js';
import type { Executor } from '../../../storage/database.js';
import { type Diagnosis, diagnose } from '../../../storage/diagnosis.js';
import { type AppliedMigration, appliedMigrations } from '../../../storage/migrate.js';
import { openDatabase } from '../../../storage/open-database.js';
import { usesPooler } from '../../../storage/pooler-client.js';
import { databaseClockMs, type ServerFacts, serverFacts } from '../../../storage/server-facts.js';
import type { ClockReading } from './clock.js';
import { inspectServers, type ServerState } from './database-servers.js';
import { type IndexFacts, indexFacts } from './schema.js';
import { storedSecrets } from './secrets.js';
import { checkTimeoutMs } from './time-limit.js';

export type PostgresFacts =
  | {
      readonly ok: true;
      readonly description: string;
      readonly server: ServerFacts;
      readonly applied: readonly AppliedMigration[];
      readonly index: IndexFacts;
      readonly secrets: readonly SecretCount[] | undefined;
      readonly clock: ClockReading;
      /** Whether connections go through a transaction pooler such as PgBouncer. */
      readonly isPooled: boolean;
      readonly servers: readonly ServerState[];
    }
  | { readonly ok: false; readonly diagnosis: Diagnosis; readonly servers: readonly ServerState[] };

/** Uses a single connection to each server. */
export async function inspectPostgres(config: Config): Promise<PostgresFacts> {
  const timeoutMs = checkTimeoutMs - 500;
  const servers = await inspectServers(config, timeoutMs / 2);
  const tries = Math.max(servers.length * 2, 1);
  const limits = { ...config.limits, poolConnectionsMax: 1, connectTimeoutMs: timeoutMs / tries };
  const database = await openDatabase({ ...config, limits }, 'leave');
  try {
    const server = await serverFacts(database.pool);
    const clock = await clockReading(database.pool);
    const applied = await appliedMigrations(database.pool);
    const index = await indexFacts(database.pool, applied);
    const secrets = await storedSecrets(database.pool, applied);
    const isPooled = await usesPooler(database);
    return {
      ok: true,
      description: database.description,
      server,
      applied,
      index,
      secrets,
      clock,
      isPooled,
      servers,
    };
  } catch (error) {
    const diagnosis = diagnose(database, error);
    if (!diagnosis) throw error;
    return { ok: false, diagnosis, servers };
  } finally {
    await database.close();
  }
}

async function clockReading(executor: Executor): Promise<ClockReading> {
  const askedAtMs = Date.now();
  const theirMs = await databaseClockMs(executor);
  return { theirMs, askedAtMs, answeredAtMs: Date.now(), stepMs: 0 };
}
