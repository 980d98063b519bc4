import { resolve } from 'node:path';
import { type Config, readConfig } from '../../../config.js';
import { type MoveOptions, moveData } from '../../../domain/backups/move-data.js';
import { existingSecretKeys, writeSecretKey } from '../../../domain/secrets/open-secret-cipher.js';
import type { TableDigest } from '../../../storage/backups/dump.js';
import type { Database } from '../../../storage/database.js';
import { createEmbeddedInSteps } from '../../../storage/embedded/new-embedded.js';
import { StartupError } from '../../../storage/errors.js';
import { migrate } from '../../../storage/migrate.js';
import { otherConnections } from '../../../storage/server-facts.js';
import { pathOf } from '../../host.js';
import { print, printJson, printMessage } from '../../output.js';
import { counted, duration } from '../../terminal/numbers.js';
import { createProgress } from '../../terminal/progress.js';
import { withDatabase, withInstalledDatabase } from '../local-database.js';
import { serviceConfig } from '../service-config.js';

const action = 'move the data';

/** `rollcall move --to <url or directory>` */
export async function move(options: { to: string; json?: boolean }): Promise<void> {
  const config = serviceConfig(options);
  const target = targetOf(options.to, config);
  const startedAt = performance.now();
  requireSameKey(config, target);
  let hasNewKey = false;
  const moved = await withInstalledDatabase(action, config, (source) =>
    moveTo(source, target, () => {
      hasNewKey = copyKey(config, target.dataDir);
    }),
  );
  const ms = Math.round(performance.now() - startedAt);
  const rows = moved.reduce((sum, each) => sum + each.rows, 0);
  const users = moved.find(({ table }) => table === 'users')?.rows ?? 0;
  if (options.json) return printJson({ users, rows, ms });
  print(
    `Moved ${counted(users, 'user')} (${counted(rows, 'row')}) in ${duration(ms)}. Every row was compared.`,
  );
  if (hasNewKey) printMessage(`The secret key was copied to ${resolve(target.dataDir)}.`);
  printMessage(
    `Start the service ${newSettings(target)}. It indexes the users for lists and searches first.`,
  );
  printMessage(`The source is unchanged. ${deleteSource(config)}`);
}

/** The same settings with another database. */
function targetOf(to: string, config: Config): Config {
  // Not a directory: a mistyped URL would become one, with the password in its name and a copy of everything in it.
  if (/^[\w+.-]+:\/\//.test(to)) return { ...config, databaseUrl: postgresUrl(to) };
  return { ...config, databaseUrl: undefined, dataDir: pathOf(to) };
}

/** Reports a URL that cannot be used. */
function postgresUrl(to: string): string | undefined {
  return readConfig({ DATABASE_URL: to }).databaseUrl;
}

async function moveTo(
  source: Database,
  target: Config,
  onBegin: () => void,
): Promise<readonly TableDigest[]> {
  if ((await otherConnections(source)) > 0)
    throw new StartupError(
      `A running Rollcall is using ${source.description}. Stop it first: what it changes meanwhile would be lost.`,
    );
  await migrate(source);
  let moved: readonly TableDigest[] = [];
  const fill = async (database: Database) => {
    onBegin();
    moved = await moveWithProgress(source, database);
  };
  if (target.databaseUrl === undefined) await createEmbeddedInSteps(target.dataDir, fill);
  else await withDatabase(action, target, fill);
  return moved;
}

async function moveWithProgress(source: Database, target: Database): Promise<readonly TableDigest[]> {
  const progress = createProgress({ doing: 'Moving', unit: 'rows' });
  let done = 0;
  const options: MoveOptions = {
    onStart: ({ total, copied }) => {
      progress.expect({ count: total, isExact: true });
      if (copied === 0) return;
      done = copied;
      progress.note(`Continuing an interrupted move: ${counted(copied, 'row')} copied before.`);
    },
    onStartOver: () => {
      done = 0;
      progress.note('The source has changed since the interruption. Starting over.');
    },
    onRows: (more) => {
      done += more;
      progress.at(done);
    },
    onComparing: () => progress.note('Comparing every row.'),
  };
  try {
    return await moveData(source, target, options);
  } finally {
    progress.end();
  }
}

/** With another key, the service could not read what is encrypted. */
function requireSameKey(config: Config, target: Config): void {
  if (config.secretKey !== undefined || target.databaseUrl !== undefined) return;
  const [[key], [existing]] = [existingSecretKeys(config), existingSecretKeys(target)];
  if (key === undefined || existing === undefined || key === existing) return;
  throw new StartupError(
    `The data directory ${resolve(target.dataDir)} contains the secret key of another installation. Name another directory, or move its secret.key away.`,
  );
}

/** A new data directory needs the key of the old one, before the database is complete. Returns whether it got it. */
function copyKey(config: Config, dataDir: string): boolean {
  const [key] = existingSecretKeys(config);
  return config.secretKey === undefined && key !== undefined && writeSecretKey(dataDir, key);
}

function newSettings({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined
    ? `without DATABASE_URL and with ROLLCALL_DATA_DIR=${dataDir}`
    : 'with DATABASE_URL set to the new database';
}

/** So that nobody starts on it by mistake. The data directory stays: it has the secret key. */
function deleteSource({ databaseUrl, dataDir }: Config): string {
  const what =
    databaseUrl === undefined
      ? `postgres, postgres.initialised and postgres.files in ${dataDir}`
      : 'the old database';
  return `Once the service runs, delete ${what}.`;
}
