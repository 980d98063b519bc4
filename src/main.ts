import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { listenUrl } from './config/public-url.js';
import type { Config } from './config.js';
import { version } from './contract/version.js';
import { openChannels } from './delivery/channels.js';
import { type DeliveryWorker, startDeliveries } from './delivery/password-worker.js';
import { startSweepingOutbox, sweepOutbox } from './delivery/sweep-outbox.js';
import { openWebhookPost, type WebhookPost } from './delivery/webhook-request.js';
import { startWebhooks, type WebhookWorker } from './delivery/webhook-worker.js';
import { createAccess } from './domain/access/access.js';
import { encryptSigningKeys } from './domain/access/signing-keys.js';
import { ThrottledEvents } from './domain/audit/throttled-events.js';
import { type BackupWorker, startBackups } from './domain/backups/backup-worker.js';
import { ChangeFollower } from './domain/changes/follower.js';
import type { Context } from './domain/context.js';
import { type PurgeWorker, startPurging } from './domain/erasure/purge-erased.js';
import { type IndexWorker, startIndexing } from './domain/indexing/index-worker.js';
import { checkSecretKeys } from './domain/maintenance/check-secret-keys.js';
import { type FirstCredentials, firstStart } from './domain/maintenance/first-start.js';
import { type RetentionDays, runHousekeeping } from './domain/maintenance/housekeeping.js';
import { type HeartbeatWorker, startHeartbeat } from './domain/maintenance/node-heartbeat.js';
import { Readiness } from './domain/maintenance/readiness.js';
import { isCommonPassword } from './domain/passwords/common-passwords.js';
import { PasswordHasher } from './domain/passwords/password.js';
import { passwordProblem } from './domain/passwords/password-rules.js';
import { type PlannedCallWorker, startPlannedCalls } from './domain/planned/planned-call-worker.js';
import { RateLimiter } from './domain/rate-limiter.js';
import { openSecretCipher } from './domain/secrets/open-secret-cipher.js';
import { startSharing } from './domain/share-request-counts.js';
import { batchedCreate } from './domain/users/batched-create.js';
import type { WebhookSender } from './domain/webhooks/webhook-message.js';
import { type AppOptions, buildApp } from './http/app.js';
import { listenForMetrics } from './listen-for-metrics.js';
import { openMetrics, singleProcessText } from './metrics.js';
import { isAppliedSince } from './storage/applied-migrations.js';
import type { Database } from './storage/database.js';
import { restoreAdvice } from './storage/embedded/damage.js';
import { dataDirNames } from './storage/embedded/data-dir-entries.js';
import { type DatabaseOutage, databaseOutage, StartupError } from './storage/errors.js';
import { collationFor, ensureNameOrder } from './storage/indexing/name-order.js';
import { migrate } from './storage/migrate.js';
import { observePool } from './storage/observed-pool.js';
import { openDatabase } from './storage/open-database.js';
import type { Metrics } from './telemetry/metrics.js';
import type { ProcessReporter } from './telemetry/process-report.js';
import { currentTracer } from './telemetry/tracing.js';

export interface RunningService {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly context: Context;
  /** What this process has measured; undefined if metrics are off. */
  readonly reporter: ProcessReporter | undefined;
  /** Resolves once requests are served; rejects if the database can never be used. */
  readonly ready: Promise<FirstStart | undefined>;
  /** Stops accepting requests, lets running ones finish, and closes the database. Resolves to false on timeout. */
  stop(): Promise<boolean>;
}

export interface FirstStart {
  readonly credentials: FirstCredentials;
  readonly file: string;
}

export interface StartOptions {
  /** The metrics of all processes of the node, if another one supervises this one. It serves the separate address. */
  readonly nodeMetrics?: ((own: ProcessReporter) => () => Promise<string>) | undefined;
}

/**
 * Listens before the database is ready, so that probes and callers get an answer (503) meanwhile, and serves as soon as
 * it is.
 */
export async function startService(
  config: Config,
  logger: Logger,
  { nodeMetrics }: StartOptions = {},
): Promise<RunningService> {
  const readiness = new Readiness();
  // With port 0, the address is known once the service listens; it is not needed earlier.
  let { publicUrl } = config;
  const channels = openChannels({
    ...config,
    get serviceUrl() {
      return publicUrl;
    },
    connectionsMax: Math.max(config.deliveriesAtOnce, 1),
    timeoutMs: config.limits.deliveryTimeoutMs,
  });
  const measuring = await openMetrics(config);
  const database = await openDatabase(config, (sentence) => logger.warn(sentence));
  if (measuring || currentTracer()) observePool(database.pool, measuring?.metrics);
  const webhookPost = webhookPostFor(config);
  const context = createContext(config, database, webhookPost, measuring?.metrics);
  const reporter = measuring?.reporterFor(context);
  const metricsText = reporter && (nodeMetrics ?? singleProcessText)(reporter);
  const access = createAccess(database, context.cipher, {
    get issuer() {
      return publicUrl;
    },
    lifetimeSeconds: config.tokenLifetimeSeconds,
    externalIssuers: config.issuers,
    onIssuerFailure: (issuer, problem) =>
      logger.warn(`The keys of the issuer ${issuer} cannot be loaded: ${problem}`),
  });
  const limiter = new RateLimiter();
  const metrics =
    metricsText && config.metricsToken !== undefined
      ? { token: config.metricsToken, text: metricsText }
      : undefined;
  const app = await buildApp({
    ...{ context, access, readiness, limiter, logger, metrics },
    ...appSettings(config),
  });
  const url = await listen(app, config, database);
  const metricsServer =
    metricsText && !nodeMetrics ? await listenForMetrics(config, metricsText).catch(abandon) : undefined;
  if (!config.isPublicUrlGiven) publicUrl = listenUrl(config.host, portOf(app));

  async function abandon(error: unknown): Promise<never> {
    await app.close();
    await database.close();
    throw error;
  }

  let heartbeat: HeartbeatWorker | undefined;
  let indexing: IndexWorker | undefined;
  let planned: PlannedCallWorker | undefined;
  let deliveries: DeliveryWorker | undefined;
  let webhooks: WebhookWorker | undefined;
  let purging: PurgeWorker | undefined;
  let backups: BackupWorker | undefined;
  let housekeeping: NodeJS.Timeout | undefined;
  let sweeping: NodeJS.Timeout | undefined;
  let sharing: NodeJS.Timeout | undefined;
  const ready = prepareDatabase(context, config, readiness, logger).then((first) => {
    if (readiness.state !== 'ready') return first;
    housekeeping = startHousekeeping(context, config, logger);
    heartbeat = startHeartbeat(database, { host: hostname(), port: portOf(app) });
    indexing = startIndexing(context, logger);
    planned = startPlannedCalls(context, logger);
    const warn = (error: unknown) =>
      logger.warn({ err: error }, 'data of erased users could not be removed; it is tried again in a minute');
    purging = startPurging(database, warn);
    backups = startScheduledBackups(context, config, logger);
    sweeping = startSweepingOutbox(database.pool, outboxIn(config), warn);
    // The embedded database belongs to one process, which counts everything itself.
    if (database.kind === 'postgres') sharing = startSharing(database, limiter);
    if (config.deliveriesAtOnce > 0) {
      logger.info(channels.description);
      deliveries = startDeliveries(context, channels, config.deliveriesAtOnce, logger);
    }
    if (config.webhooksAtOnce > 0) {
      webhooks = startWebhooks(context, webhookPost, config.webhooksAtOnce, logger);
    }
    return first;
  });
  ready.catch(() => {}); // handled by the caller of startService; until then it must not count as unhandled

  return {
    app,
    url,
    context,
    reporter,
    ready,
    stop: async () => {
      readiness.state = 'stopping';
      clearInterval(housekeeping);
      clearInterval(sweeping);
      clearInterval(sharing);
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      // A connection whose last request ends only now would be kept alive, and keep the server open.
      const closingIdle = setInterval(() => app.server.closeIdleConnections(), 50);
      const timeUp = pause(config.limits.shutdownTimeoutMs, false, { ref: false });
      const allEnded = Promise.all([
        app.close(),
        heartbeat?.stop(),
        indexing?.stop(),
        planned?.stop(),
        purging?.stop(),
        backups?.stop(),
        deliveries?.stop(),
        webhooks?.stop(),
      ]).then(() => true);
      const inTime = await Promise.race([allEnded, timeUp]);
      clearInterval(closingIdle);
      webhookPost.close();
      if (!inTime) {
        app.server.closeAllConnections();
        channels.close();
      }
      await context.forbiddenRequests.flush().catch(() => {});
      await context.delayedSignIns.flush().catch(() => {});
      await access.close().catch(() => {}); // an unavailable database must not prevent the service from stopping
      await database.close();
      return inTime;
    },
  };
}

/** What the HTTP layer takes from the configuration. */
function appSettings(
  config: Config,
): Pick<AppOptions, 'trustedProxies' | 'servesDocs' | 'securityContact' | 'givenUrl'> {
  return {
    trustedProxies: config.trustedProxies,
    servesDocs: config.docs === 'on',
    securityContact: config.securityContact,
    givenUrl: config.isPublicUrlGiven ? config.publicUrl : undefined,
  };
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the service listens on no port');
  return address.port;
}

function webhookPostFor({ webhookTargets, webhookHosts, limits }: Config): WebhookPost {
  const userAgent = `Rollcall/${version}`;
  return openWebhookPost({
    targets: webhookTargets,
    allowedHosts: webhookHosts,
    timeoutMs: limits.webhookTimeoutMs,
    userAgent,
  });
}

/** Creates the dependencies of the operations. */
export function createContext(
  config: Config,
  database: Database,
  webhookSender: WebhookSender = webhookPostFor(config),
  metrics?: Metrics,
): Context {
  const { limits } = config;
  const quarantineDays = {
    employeeID: config.employeeIdQuarantineDays,
    username: config.usernameQuarantineDays,
  };
  const isCommon = (password: string) => isCommonPassword(password) || config.refusedPasswords.has(password);
  return {
    database,
    dataDir: resolve(config.dataDir),
    limits,
    metrics,
    nameCollation: collationFor(config.nameCollation),
    strictDirectories: config.directories === 'strict',
    bulkCalls: { running: 0 },
    backups: { running: 0 },
    batchedCreate: batchedCreate(database, limits, quarantineDays),
    passwords: new PasswordHasher({
      memoryKib: config.argon2MemoryKib,
      passes: config.argon2Passes,
      concurrency: config.passwordHashesAtOnce,
      waitingMax: limits.passwordHashesWaitingMax,
      onWaited: metrics && ((ms) => metrics.hashWait(ms / 1_000)),
    }),
    cipher: openSecretCipher(config),
    changes: new ChangeFollower(database, limits.eventPollMs),
    forbiddenRequests: new ThrottledEvents(database.pool),
    delayedSignIns: new ThrottledEvents(database.pool),
    webhookSender,
    webhookTargets: config.webhookTargets,
    webhookHosts: config.webhookHosts,
    sessionLifetimeSeconds: config.sessionLifetimeSeconds,
    safetyLimitPercent: config.safetyLimitPercent,
    safetyApproval: config.safetyApproval === 'required',
    plannedCallExpiryHours: config.plannedCallExpiryHours,
    timeZone: config.timeZone,
    quarantineDays,
    companyNames: config.companyNames,
    isCommonPassword: isCommon,
    changeNotices: config.changeNotices === 'on',
    writesToFiles: { email: config.smtpUrl === undefined, sms: config.smsGatewayUrl === undefined },
    language: config.language,
    initialPasswords: {
      lifetimeHours: config.initialPasswordLifetimeHours,
      check:
        config.initialPasswordRules === 'full'
          ? (password, user) => passwordProblem(password, user, isCommon)
          : undefined,
    },
  };
}

async function listen(app: FastifyInstance, config: Config, database: Database): Promise<string> {
  try {
    return await app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) =>
        `Rollcall ${version} listens on ${address}, with ${database.description}.`,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

const retryPauseMaxMs = 5_000;

async function prepareDatabase(
  context: Context,
  config: Config,
  readiness: Readiness,
  logger: Logger,
): Promise<FirstStart | undefined> {
  const { database } = context;
  for (let tried = 1; readiness.state === 'starting'; tried++) {
    try {
      await migrate(database);
      await ensureNameOrder(database, config.nameCollation);
      for (const warning of await checkSecretKeys(context)) logger.warn(warning);
      const first = await firstStart(context, config);
      if (await isUpgradeOver(database)) await encryptSigningKeys(database.pool, context.cipher);
      if (readiness.state === 'starting') readiness.state = 'ready';
      return first;
    } catch (error) {
      if (readiness.state !== 'starting') return undefined; // stopping, so the database is being closed
      const outage = databaseOutage(error);
      if (outage === 'damaged')
        throw new StartupError(damagedText(database, error as Error), { cause: error });
      if (outage === undefined) throw error;
      logger.warn({ err: error }, `${unusableText(database, outage)} Trying again.`);
      await pause(Math.min(500 * tried, retryPauseMaxMs));
    }
  }
  return undefined;
}

function unusableText({ kind, description }: Database, outage: DatabaseOutage): string {
  if (outage === 'full') return `The disk of ${description} is full.`;
  return kind === 'embedded'
    ? `${description} cannot be used.`
    : `${description} cannot be reached: check DATABASE_URL and that PostgreSQL is running there.`;
}

function damagedText({ kind, description }: Database, { message }: Error): string {
  const advice = kind === 'embedded' ? restoreAdvice : 'Check the disk of the server, and restore a backup.';
  return `PostgreSQL cannot read ${description}: ${message}. ${advice}`;
}

/** The schema version that can store encrypted signing keys. */
const encryptedKeysVersion = 6;
const upgradeSeconds = 3_600;

/**
 * Nodes of an earlier version cannot sign with an encrypted key, so it stays unencrypted while they are being replaced.
 * Then the next start, the hourly housekeeping or `rollcall keys rewrap` encrypts it.
 */
async function isUpgradeOver({ kind, pool }: Database): Promise<boolean> {
  return kind === 'embedded' || isAppliedSince(pool, encryptedKeysVersion, upgradeSeconds);
}

function outboxIn({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(resolve(dataDir), dataDirNames.outbox);
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}

function startScheduledBackups(context: Context, config: Config, logger: Logger): BackupWorker | undefined {
  const { backupDir, backupEveryHours: everyHours, backupKeep: keep, backupPassphrase: passphrase } = config;
  if (backupDir === undefined || everyHours === 0) return undefined;
  return startBackups(context, { directory: resolve(backupDir), everyHours, keep, passphrase }, logger);
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
    if (await isUpgradeOver(context.database))
      await encryptSigningKeys(context.database.pool, context.cipher);
  };
  return setInterval(() => {
    run().catch((error: unknown) => {
      logger.warn({ err: error }, 'what has ended could not be removed; it is tried again in an hour');
    });
  }, housekeepingIntervalMs).unref();
}
