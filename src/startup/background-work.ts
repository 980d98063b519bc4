import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Channels } from '../delivery/channels.js';
import { startNotices } from '../delivery/notice-worker.js';
import { startSweepingOutbox, sweepOutbox } from '../delivery/outbox.js';
import { startDeliveries } from '../delivery/password-worker.js';
import { startProvisioning } from '../delivery/scim-target-worker.js';
import type { WebhookPost } from '../delivery/webhook-request.js';
import { startWebhooks } from '../delivery/webhook-worker.js';
import { maintainSigningKeys } from '../domain/access/signing-keys.js';
import { startBackups } from '../domain/backups/backup-worker.js';
import type { Context } from '../domain/context.js';
import { startPurging } from '../domain/erasure/purge-erased.js';
import { startFeeds } from '../domain/feeds/feed-worker.js';
import { startIndexing } from '../domain/indexing/index-worker.js';
import { type RetentionDays, runHousekeeping } from '../domain/maintenance/housekeeping.js';
import { startHeartbeat } from '../domain/maintenance/node-heartbeat.js';
import { startPlannedCalls } from '../domain/planned/planned-call-worker.js';
import type { RateLimiter } from '../domain/rate-limiter.js';
import { startSharing } from '../domain/share-request-counts.js';
import { dataDirNames } from '../storage/embedded/data-dir.js';
import { vacuumWhereDue } from '../storage/embedded/vacuum.js';
import { targetSenderFor } from './create-context.js';
import { isUpgradeOver } from './prepare-database.js';

export interface BackgroundWork {
  /** Resolves once everything under way has ended. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly context: Context;
  readonly config: Config;
  readonly logger: Logger;
  readonly channels: Channels;
  readonly webhookPost: WebhookPost;
  readonly limiter: RateLimiter;
  readonly port: number;
}

/** Starts everything that the service does besides answering requests. */
export function startBackgroundWork(dependencies: Dependencies): BackgroundWork {
  const { context, config, logger, limiter, port } = dependencies;
  const { database } = context;
  const onPurgeError = (error: unknown) =>
    logger.warn({ err: error }, 'data of erased users could not be removed; it is tried again in a minute');
  const timers = [
    startHousekeeping(context, config, logger),
    startSweepingOutbox(database.pool, outboxIn(config), onPurgeError),
  ];
  // The embedded database belongs to one process, which counts everything itself.
  if (database.kind === 'postgres') timers.push(startSharing(database, limiter));
  const workers = [
    startHeartbeat(database, { host: hostname(), port }),
    startIndexing(context, logger),
    startPlannedCalls(context, logger),
    startPurging(database, onPurgeError),
    ...feeds(dependencies),
    ...vacuuming(dependencies),
    ...scheduledBackups(dependencies),
    ...deliveries(dependencies),
    ...webhooks(dependencies),
  ];
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

function deliveries({ context, config, logger, channels, webhookPost }: Dependencies): BackgroundWork[] {
  if (config.deliveriesAtOnce === 0) return [];
  logger.info(channels.description);
  const consoleUrl = config.isPublicUrlGiven ? config.publicUrl : undefined;
  const workers = [
    startDeliveries(context, channels, config.deliveriesAtOnce, logger),
    startNotices(context, { channels, post: webhookPost, consoleUrl }, logger),
  ];
  return [
    {
      stop: async () => {
        await Promise.all(workers.map((worker) => worker.stop()));
        channels.close();
      },
    },
  ];
}

function feeds({ context, config, logger }: Dependencies): BackgroundWork[] {
  return Array.from({ length: config.feedsAtOnce }, () => startFeeds(context, logger));
}

function webhooks({ context, config, logger, webhookPost }: Dependencies): BackgroundWork[] {
  return config.webhooksAtOnce === 0
    ? []
    : [
        startWebhooks(context, webhookPost, config.webhooksAtOnce, logger),
        startProvisioning(context, targetSenderFor(config), config.webhooksAtOnce, logger),
      ];
}

function scheduledBackups({ context, config, logger }: Dependencies): BackgroundWork[] {
  const { backupDir, backupEveryHours: everyHours, backupKeep: keep, backupPassphrase: passphrase } = config;
  if (backupDir === undefined || everyHours === 0) return [];
  return [startBackups(context, { directory: resolve(backupDir), everyHours, keep, passphrase }, logger)];
}

const housekeepingIntervalMs = 3_600_000;

function startHousekeeping(
  context: Context,
  kept: RetentionDays & Pick<Config, 'dataDir'>,
  logger: Logger,
): NodeJS.Timeout {
  const run = async () => {
    await runHousekeeping(context, kept);
    const messagesDays = kept.deliveriesDays ?? kept.accessEventsDays;
    await sweepOutbox(context.database.pool, outboxIn(kept), daysAgo(messagesDays));
    await maintainSigningKeys(context.database.pool, context.cipher, {
      isUpgradeOver: await isUpgradeOver(context.database),
    });
  };
  return setInterval(() => {
    run().catch((error: unknown) => {
      logger.warn({ err: error }, 'what has ended could not be removed; it is tried again in an hour');
    });
  }, housekeepingIntervalMs).unref();
}

const vacuumIntervalMs = 60_000;

/** A PostgreSQL server does this by itself, and as often. */
function vacuuming({ context: { database, bulkCalls }, logger }: Dependencies): BackgroundWork[] {
  if (database.kind !== 'embedded') return [];
  let running: Promise<void> | undefined;
  const vacuum = async () => {
    await vacuumWhereDue(database).catch((error: unknown) => {
      logger.warn({ err: error }, 'tables could not be vacuumed; it is tried again in a minute');
    });
    running = undefined;
  };
  const timer = setInterval(() => {
    if (bulkCalls.running === 0) running ??= vacuum();
  }, vacuumIntervalMs).unref();
  return [
    {
      stop: async () => {
        clearInterval(timer);
        await running;
      },
    },
  ];
}

function outboxIn({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(resolve(dataDir), dataDirNames.outbox);
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}
