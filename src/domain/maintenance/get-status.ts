import { version } from '../../contract/version.js';
import { latestBackup } from '../../storage/backups/records.js';
import type { Database, Executor } from '../../storage/database.js';
import { listHeartbeats } from '../../storage/maintenance/node-heartbeats.js';
import { appliedMigrations, migrationNames } from '../../storage/migrate.js';
import { serverFacts } from '../../storage/server-facts.js';
import { attentionFor } from './attention.js';
import { nodesOf } from './node-heartbeat.js';
import { readSharedFigures } from './read-shared-figures.js';

/** How the service is doing, over all nodes. */
export async function getStatus(database: Database) {
  const { pool, kind } = database;
  const figures = await readSharedFigures(pool);
  const nodes = nodesOf(await listHeartbeats(pool));
  const applied = await appliedMigrations(pool);
  const backup = await lastBackup(pool);
  const known = new Set(applied.map(({ name }) => name));
  const migrationsPending = migrationNames.filter((name) => !known.has(name)).length;
  const facts = { engine: kind, nodes, figures, migrationsPending, lastBackup: backup, nowMs: Date.now() };
  return {
    version,
    nodes,
    database: {
      engine: kind,
      version: majorAndMinor((await serverFacts(pool)).version),
      bytes: figures.databaseBytes,
      migrations: {
        applied: applied.length,
        latest: applied.at(-1)?.name ?? null,
        pending: migrationsPending,
      },
    },
    queues: {
      messages: { ...figures.deliveries, oldestDueSeconds: figures.oldestDueDeliverySeconds },
      webhooks: { ...figures.webhooks, oldestEventSeconds: figures.oldestWebhookEventSeconds },
      scimTargets: { ...figures.scimTargets, ...figures.scimQueue },
      plannedCalls: { ...figures.plannedCalls, oldestDueSeconds: figures.oldestDueCallSeconds },
      feeds: { ...figures.feeds, oldestDueSeconds: figures.oldestDueFeedSeconds },
      indexing: figures.indexing,
    },
    lastBackup: backup,
    attention: attentionFor(facts),
  };
}

/** Distributions append their own version: "15.14 (Debian 15.14-0+deb12u1)". */
function majorAndMinor(serverVersion: string): string {
  return serverVersion.split(' ')[0] ?? serverVersion;
}

/** A backup that was completed. */
interface CompletedBackup {
  readonly finishedAt: string;
  /** Null if it was downloaded. */
  readonly fileName: string | null;
  readonly bytes: number;
  readonly users: number;
  readonly encrypted: boolean;
}

/** The latest one that succeeded. */
async function lastBackup(executor: Executor): Promise<CompletedBackup | null> {
  const backup = await latestBackup(executor);
  return backup ? { ...backup, finishedAt: backup.finishedAt.toISOString() } : null;
}
