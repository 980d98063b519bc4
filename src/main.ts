import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { listenUrl } from './config/public-url.js';
import type { Config } from './config.js';
import { version } from './contract/version.js';
import { openChannels } from './delivery/channels.js';
import { createAccess } from './domain/access/access.js';
import type { Context } from './domain/context.js';
import { Readiness } from './domain/maintenance/readiness.js';
import { RateLimiter } from './domain/rate-limiter.js';
import { type AppOptions, buildApp } from './http/app.js';
import { type BackgroundWork, startBackgroundWork } from './startup/background-work.js';
import { createContext, identityProviderFor, webhookPostFor } from './startup/create-context.js';
import { listenForMetrics } from './startup/listen-for-metrics.js';
import { openMetrics, singleProcessText } from './startup/open-metrics.js';
import { type FirstStart, prepareDatabase } from './startup/prepare-database.js';
import type { Database } from './storage/database.js';
import { observePool } from './storage/observed-pool.js';
import { openDatabase } from './storage/open-database.js';
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
    sessionIdleSeconds: config.sessionIdleSeconds,
    onIssuerFailure: (issuer, problem) =>
      logger.warn(`The keys of the issuer ${issuer} cannot be loaded: ${problem}`),
  });
  const identityProvider = identityProviderFor(
    config,
    () => publicUrl,
    (problem) => logger.warn(`Nobody can sign in with ${config.ssoIssuer} now: ${problem}`),
  );
  const limiter = new RateLimiter();
  const metrics =
    metricsText && config.metricsToken !== undefined
      ? { token: config.metricsToken, text: metricsText }
      : undefined;
  const app = await buildApp({
    ...{ context, access, identityProvider, readiness, limiter, logger, metrics },
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

  let work: BackgroundWork | undefined;
  const ready = prepareDatabase(context, config, readiness, logger).then((first) => {
    if (readiness.state === 'ready') {
      const port = portOf(app);
      work = startBackgroundWork({ context, config, logger, channels, webhookPost, limiter, port });
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
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      // A connection whose last request ends only now would be kept alive, and keep the server open.
      const closingIdle = setInterval(() => app.server.closeIdleConnections(), 50);
      const timeUp = pause(config.limits.shutdownTimeoutMs, false, { ref: false });
      const allEnded = Promise.all([app.close(), work?.stop()]).then(() => true);
      const inTime = await Promise.race([allEnded, timeUp]);
      clearInterval(closingIdle);
      webhookPost.close();
      if (!inTime) {
        app.server.closeAllConnections();
        channels.close();
      }
      await context.forbiddenRequests.flush().catch(() => {});
      await context.delayedSignIns.flush().catch(() => {});
      await context.scimRequests.flush().catch(() => {});
      await access.close().catch(() => {}); // an unavailable database must not prevent the service from stopping
      await database.close();
      return inTime;
    },
  };
}

/** What the HTTP layer takes from the configuration. */
function appSettings(
  config: Config,
): Pick<AppOptions, 'trustedProxies' | 'corsOrigins' | 'servesDocs' | 'securityContact' | 'givenUrl'> {
  return {
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
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
