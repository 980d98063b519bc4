import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor } from '../database.js';
import { StartupError } from '../errors.js';
import { dataDirNames } from './data-dir-entries.js';
import { damagedFiles, hasFileList } from './file-list.js';

export const restoreAdvice =
  'Restore the data from a backup with `rollcall restore`, or copy the directory back: see docs/backup.md.';

/** Refuses a directory in which files are missing or shorter than they were, before PostgreSQL changes it. */
export function rejectDamage(dataDir: string, isInitialized: boolean): void {
  const problem = isInitialized ? clusterProblem(dataDir) : lostMark(dataDir);
  if (problem) throw damaged(dataDir, problem);
}

/** The same after a crash, when only PostgreSQL knows which files there should be. */
export async function rejectMissingTables(executor: Executor, dataDir: string): Promise<void> {
  const { rows } = await executor.query<{ name: string; path: string }>(
    `SELECT relname AS name, pg_relation_filepath(oid) AS path FROM pg_class
     WHERE relkind IN ('r', 'i', 't', 'S', 'm') AND pg_relation_filepath(oid) IS NOT NULL`,
  );
  const missing = rows.find(({ path }) => !existsSync(join(dataDir, dataDirNames.cluster, path)));
  if (!missing) return;
  const file = `${dataDirNames.cluster}/${missing.path}`;
  throw damaged(dataDir, `${file} (${missing.name}) is missing. ${restoreAdvice}`);
}

function damaged(dataDir: string, problem: string): StartupError {
  return new StartupError(`The embedded database in ${dataDir} is damaged: ${problem}`);
}

function clusterProblem(dataDir: string): string | undefined {
  const cluster = join(dataDir, dataDirNames.cluster);
  if (!existsSync(cluster)) return `${dataDirNames.cluster} is missing. ${restoreAdvice}`;
  const [first, ...others] = damagedFiles(dataDir);
  if (first) return `${first}${others.length > 0 ? `, and ${others.length} more` : ''}. ${restoreAdvice}`;
  if (!existsSync(join(cluster, 'PG_VERSION')))
    return `${dataDirNames.cluster}/PG_VERSION is missing. ${restoreAdvice}`;
  return undefined;
}

/** Without its mark, a complete cluster would look like an interrupted first start and be replaced by an empty one. */
function lostMark(dataDir: string): string | undefined {
  const wasInUse = hasFileList(dataDir) || existsSync(join(dataDir, dataDirNames.secretKey));
  if (!wasInUse || !existsSync(join(dataDir, dataDirNames.cluster, 'PG_VERSION'))) return undefined;
  const { cluster, initialisedMark } = dataDirNames;
  return `${initialisedMark} is missing. ${restoreAdvice} If there never was any data, delete ${cluster}.`;
}

/** PostgreSQL's reason for ending, from a line of its log. Other lines may quote personal data. */
export function fatalReason(line: string): string | undefined {
  return /\b(?:FATAL|PANIC):\s+(?<reason>.+)$/.exec(line)?.groups?.reason;
}

export function postgresMajor(cluster: string): string {
  return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
}
