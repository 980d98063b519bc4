import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { createAccess } from './domain/access.js';
import { type FirstCredentials, firstStart } from './domain/first-start.js';
import { Readiness } from './domain/readiness.js';
import { buildApp } from './http/app.js';
import { version } from './http/openapi-document.js';
import type { Database } from './storage/database.js';
import { databaseTrouble } from './storage/errors.js';
import { migrate } from './storage/migrate.js';
import { openDatabase } from './storage/open-database.js';

export interface RunningService {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly database: Database;
  /** Resolves once requests are served; rejects if the database can never be used. */
  readonly ready: Promise<FirstStart | undefined>;
  /** Stops accepting, lets running requests end, closes the database. Resolves to false if that took too long. */
  stop(): Promise<boolean>;
}

export interface FirstStart {
  readonly credentials: FirstCredentials;
  readonly file: string;
}

/**
 * Listens before the database is ready, so that probes and callers get an answer (503) while a database is still on
 * its way, and serves as soon as it is.
 */
export async function startService(config: Config, logger: Logger): Promise<RunningService> {
  const readiness = new Readiness();
  const database = await openDatabase(config);
  const access = createAccess(database, {
    issuer: config.publicUrl,
    lifetimeSeconds: config.tokenLifetimeSeconds,
  });
  const context = { database, limits: config.limits };
  const app = await buildApp({ context, access, readiness, logger });
  const url = await listen(app, config, database);
  const ready = prepareDatabase(database, config, readiness, logger);
  ready.catch(() => {}); // The caller of startService looks at it; until then it must not count as unhandled.

  return {
    app,
    url,
    database,
    ready,
    stop: async () => {
      readiness.state = 'stopping';
      // A connection whose last request ends only now would be kept alive, and the server open with it.
      const closingIdle = setInterval(() => app.server.closeIdleConnections(), 50);
      const timeUp = pause(config.limits.shutdownTimeoutMs, false, { ref: false });
      const inTime = await Promise.race([app.close().then(() => true), timeUp]);
      clearInterval(closingIdle);
      if (!inTime) app.server.closeAllConnections();
      await database.close();
      return inTime;
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
  database: Database,
  config: Config,
  readiness: Readiness,
  logger: Logger,
): Promise<FirstStart | undefined> {
  for (let tried = 1; readiness.state === 'starting'; tried++) {
    try {
      await migrate(database);
      const first = await firstStart(database, config);
      readiness.state = 'ready';
      return first;
    } catch (error) {
      if (databaseTrouble(error) === undefined) throw error;
      logger.warn(
        { err: error },
        `${database.description} cannot be reached: check DATABASE_URL and that PostgreSQL is running there. Trying again.`,
      );
      await pause(Math.min(500 * tried, retryPauseMaxMs));
    }
  }
  return undefined;
}
