import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { StartRefused } from './errors.js';

/** Group and others: nobody but the owner needs anything in a data directory. */
const nonOwnerBits = 0o077;
const nonOwnerWriteBits = 0o022;

/** Windows has access control lists instead of modes and owners, so there is nothing here to check or repair. */
const hasModes = process.platform !== 'win32';

/** What this process is allowed to own and change; a test can say otherwise. */
export interface FileAccess {
  readonly uid: number;
  chmod(path: string, mode: number): void;
}

const ownAccess: FileAccess = { uid: process.getuid?.() ?? 0, chmod: chmodSync };

/** What other users can do with a data directory, as it is. */
export interface DirectoryExposure {
  /** Files and directories with permissions for anybody but their owner, the directory itself first. */
  readonly open: readonly string[];
  /** Those that belong to another user than the one asked about. */
  readonly foreign: readonly { readonly path: string; readonly uid: number }[];
}

/** From now on this process creates files and directories for their owner alone. A thread cannot set this. */
export function createForOwnerOnly(): void {
  if (isMainThread) process.umask(nonOwnerBits);
}

export function directoryExposure(directory: string, uid = ownAccess.uid): DirectoryExposure {
  const open: string[] = [];
  const foreign: { path: string; uid: number }[] = [];
  visit(realpathSync(directory), (path, stats) => {
    if ((stats.mode & nonOwnerBits) !== 0) open.push(path);
    if (stats.uid !== uid) foreign.push({ path, uid: stats.uid });
  });
  return { open, foreign };
}

/**
 * Takes all permissions of group and others away, from the top down: once the directory itself is closed, nobody else
 * can put anything in the way of the rest. Gives the sentence to log if anything was repaired.
 */
export function closeToOthers(directory: string, access: FileAccess = ownAccess): string | undefined {
  if (!hasModes) return undefined;
  let repaired = 0;
  visit(realpathSync(directory), (path, stats) => {
    if (stats.uid !== access.uid) throw belongsToAnother(directory, path, stats.uid, access.uid);
    if ((stats.mode & nonOwnerBits) === 0) return;
    closeFile(directory, path, stats.mode & ~nonOwnerBits, access);
    repaired++;
  });
  if (repaired === 0) return undefined;
  const things = repaired === 1 ? '1 file or directory' : `${repaired} files and directories`;
  return `Removed the permissions of other users from ${things} in the data directory ${directory}.`;
}

function closeFile(directory: string, path: string, wanted: number, access: FileAccess): void {
  let problem = '';
  try {
    access.chmod(path, wanted & 0o7777);
  } catch (error) {
    problem = ` (${(error as NodeJS.ErrnoException).code})`;
  }
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & nonOwnerWriteBits) === 0) return;
  throw new StartRefused(
    `Other users can write to ${path}, and its permissions cannot be changed${problem}. ` +
      `Move the data directory ${directory} to a file system with permissions, and name it in ROLLCALL_DATA_DIR.`,
  );
}

function belongsToAnother(directory: string, path: string, owner: number, uid: number): StartRefused {
  const what = path === realpathSync(directory) ? `The data directory ${directory}` : path;
  return new StartRefused(
    `${what} belongs to the user with the ID ${owner}, and Rollcall runs as ${uid}. ` +
      `Run it as that user, give the directory to this one (chown -R ${uid} ${directory}), or set ROLLCALL_DATA_DIR to a directory of its own.`,
  );
}

/** Each directory before what is in it. Links are not followed: what they point to is not part of the directory. */
function visit(path: string, look: (path: string, stats: Stats) => void): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return;
  look(path, stats);
  if (!stats.isDirectory()) return;
  for (const name of namesIn(path)) visit(join(path, name), look);
}

/** A service that has the directory open may remove files meanwhile. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new StartRefused(
      `${directory} cannot be read (${code}). Make it readable for its owner: chmod -R u+rwX.`,
    );
  }
}
