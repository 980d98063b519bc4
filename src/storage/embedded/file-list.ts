import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { dataDirNames } from './data-dir-entries.js';
import { syncDirectory } from './sync-to-disk.js';

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
export function damagedFiles(dataDir: string): string[] {
  return compareFiles(readFileList(dataDir), filesIn(dataDir));
}

/** Has to be on disk before the cluster changes, or the list could be compared with what came later. */
export function removeFileList(dataDir: string): void {
  rmSync(join(dataDir, dataDirNames.fileList), { force: true });
  syncDirectory(dataDir);
}

export function hasFileList(dataDir: string): boolean {
  return statSync(join(dataDir, dataDirNames.fileList), { throwIfNoEntry: false }) !== undefined;
}

export function compareFiles(listed: FileSizes, found: FileSizes): string[] {
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
