import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Executor } from '../database.js';
import { StartupError } from '../errors.js';
import { dataDirNames, syncDirectory } from './data-dir.js';

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

/** Paths in the data directory, with sizes in bytes. */
type FileSizes = Readonly<Record<string, number>>;

/**
 * Lists the files of the cluster when it is closed. Until it is opened again, nothing may change them. PostgreSQL checks
 * the pages it reads, but a table that has lost its last pages would only seem to have fewer rows.
 */
export function writeFileList(dataDir: string): void {
  const path = join(dataDir, dataDirNames.fileList);
  try {
    writeFileSync(path, JSON.stringify(filesIn(dataDir)));
  } catch {
    rmSync(path, { force: true }); // the disk is full, or gone; it is as if the process had been killed
  }
}

/** What happened to the files since the cluster was closed; empty after a crash, when there is no list. */
function damagedFiles(dataDir: string): string[] {
  return compareFiles(readFileList(dataDir), filesIn(dataDir));
}

/** Has to be on disk before the cluster changes, or the list could be compared with what came later. */
export function removeFileList(dataDir: string): void {
  rmSync(join(dataDir, dataDirNames.fileList), { force: true });
  syncDirectory(dataDir);
}

function hasFileList(dataDir: string): boolean {
  return statSync(join(dataDir, dataDirNames.fileList), { throwIfNoEntry: false }) !== undefined;
}

function compareFiles(listed: FileSizes, found: FileSizes): string[] {
  return Object.entries(listed).flatMap(([path, bytes]) => {
    const now = found[path];
    if (now === undefined) return [`${path} is missing`];
    return now < bytes ? [`${path} has ${now} of ${bytes} bytes`] : [];
  });
}

function readFileList(dataDir: string): FileSizes {
  try {
    return JSON.parse(readFileSync(join(dataDir, dataDirNames.fileList), 'utf8'));
  } catch {
    return {}; // none, or itself incomplete after a crash
  }
}

function filesIn(dataDir: string): FileSizes {
  const cluster = join(dataDir, dataDirNames.cluster);
  const entries = readdirSync(cluster, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(dataDir, path).replaceAll('\\', '/'), statSync(path).size]),
  );
}
