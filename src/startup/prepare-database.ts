import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { maintainSigningKeys } from '../domain/access/signing-keys.js';
import type { Context } from '../domain/context.js';
import { type FirstCredentials, firstStart } from '../domain/maintenance/first-start.js';
import type { Readiness } from '../domain/maintenance/readiness.js';
import { checkSecretKeys } from '../domain/maintenance/secret-keys.js';
import type { Database } from '../storage/database.js';
import { diagnose, isPermanent } from '../storage/diagnosis.js';
import { restoreAdvice } from '../storage/embedded/damage.js';
import { databaseOutage, StartupError } from '../storage/errors.js';
import { ensureNameOrder } from '../storage/indexing/name-order.js';
import { isAppliedSince, migrate } from '../storage/migrate.js';

export interface FirstStart {
  readonly credentials: FirstCredentials;
  readonly file: string;
}

const retryPauseMaxMs = 5_000;

/** Migrates the database and creates what the service needs to start. Tries again while it cannot be reached. */
export async function prepareDatabase(
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
      await maintainSigningKeys(database.pool, context.cipher, {
        isUpgradeOver: await isUpgradeOver(database),
      });
      if (readiness.state === 'starting') readiness.state = 'ready';
      return first;
    } catch (error) {
      if (readiness.state !== 'starting') return undefined; // stopping, so the database is being closed
      if (databaseOutage(error) === 'damaged')
        throw new StartupError(damagedText(database, error as Error), { cause: error });
      const diagnosis = diagnose(database, error);
      if (!diagnosis) throw error;
      const { problem, advice } = diagnosis;
      if (isPermanent(error)) throw new StartupError(`${problem}. ${advice}`, { cause: error });
      logger.warn({ err: error }, `${problem}. ${advice} Trying again.`);
      await pause(Math.min(500 * tried, retryPauseMaxMs));
    }
  }
  return undefined;
}

function damagedText({ kind, description }: Database, { message }: Error): string {
  const advice = kind === 'embedded' ? restoreAdvice : 'Check the disk of the server, and restore a backup.';
  return `PostgreSQL cannot read ${description}: ${message}. ${advice}`;
}

/** The schema version whose nodes sign with encrypted keys only. */
const encryptedKeysVersion = 23;
const upgradeSeconds = 3_600;

/** Nodes of an earlier version cannot sign with the keys of others, so an unencrypted one stays while they are replaced. */
export async function isUpgradeOver({ kind, pool }: Database): Promise<boolean> {
  return kind === 'embedded' || isAppliedSince(pool, encryptedKeysVersion, upgradeSeconds);
}
