import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { StartupError } from '../errors.js';
import { isOwnEntry, namesBesidePostgres } from './data-dir.js';

/** Group and others: only the owner needs access to a data directory. */
const nonOwnerBits = 0o077;
const nonOwnerWriteBits = 0o022;
/** What a repair leaves. Setuid, setgid and sticky bits are removed as well. */
const ownerBits = 0o700;

/** Windows uses access control lists instead of modes and owners, so there is nothing to check or repair. */
const hasModes = process.platform !== 'win32';

/** What this process may own and change; tests can override it. */
export interface FileAccess {
  readonly uid: number;
  chmod(path: string, mode: number): void;
}

const ownAccess: FileAccess = { uid: process.getuid?.() ?? 0, chmod: chmodSync };

/** The directory itself and the cluster are checked only for an embedded database. */
export type DatabaseKind = 'embedded' | 'postgres';

export interface DataDirEntry {
  readonly path: string;
  readonly kind: 'directory' | 'file' | 'link' | 'other';
  readonly uid: number;
  readonly mode: number;
  readonly hardLinks: number;
  /** The error code that prevents this user from listing the directory. */
  readonly unreadable?: string | undefined;
}

/** Why the service does not start on a directory. */
export interface EntryProblem {
  readonly found: string;
  readonly advice: string;
}

export interface EntryInspection {
  readonly problems: readonly EntryProblem[];
  /** Entries that other users can access, with the mode that prevents it. Directories come before their content. */
  readonly repairs: readonly { readonly path: string; readonly from: number; readonly to: number }[];
}

/** Makes this process create files and directories for their owner only. A thread cannot set the umask. */
export function createForOwnerOnly(): void {
  if (isMainThread) process.umask(nonOwnerBits);
}

/** What to do about permissions of other users: remove them and report it, or leave the directory as it is. */
export type Permissions = 'leave' | ((repaired: string) => void);

export function closeDataDir(dataDir: string, database: DatabaseKind, permissions: Permissions): void {
  if (permissions === 'leave') return;
  const repaired = restrictToOwner(dataDir, database);
  if (repaired !== undefined) permissions(repaired);
}

/**
 * Removes all permissions of group and others from the data directory and Rollcall's own entries in it. Rejects what it
 * cannot make safe before it changes anything. Returns the sentence to log if anything was repaired.
 */
export function restrictToOwner(
  dataDir: string,
  database: DatabaseKind,
  access: FileAccess = ownAccess,
): string | undefined {
  const directory = resolve(dataDir);
  const before = inspectDataDir(directory, database, access.uid);
  if (before === undefined) return undefined;
  throwProblem(before.problems[0]);
  if (before.repairs.length === 0) return undefined;

  const failures = new Map<string, string | undefined>();
  for (const { path, to } of before.repairs) failures.set(path, chmodFailure(path, to, access));

  // Until the directory was closed, others could still add entries; and some file systems ignore new modes.
  const after = inspectDataDir(directory, database, access.uid) ?? before;
  throwProblem(after.problems[0]);
  const writable = after.repairs.find(({ from }) => (from & nonOwnerWriteBits) !== 0);
  if (writable) throwProblem(stillWritable(directory, writable.path, failures.get(writable.path)));
  const repaired = before.repairs.length - after.repairs.length;
  if (repaired <= 0) return undefined;
  const things = repaired === 1 ? '1 file or directory' : `${repaired} files and directories`;
  return `Removed the permissions of other users from ${things} in the data directory ${directory}.`;
}

/** Read-only. Undefined where files have no modes. */
export function inspectDataDir(
  dataDir: string,
  database: DatabaseKind,
  uid = ownAccess.uid,
): EntryInspection | undefined {
  const directory = resolve(dataDir);
  return hasModes ? inspectEntries(entriesIn(directory, database), { directory, uid }) : undefined;
}

export function inspectEntries(
  entries: readonly DataDirEntry[],
  { directory, uid }: { directory: string; uid: number },
): EntryInspection {
  const isOpen = ({ kind, mode }: DataDirEntry) => kind !== 'link' && (mode & nonOwnerBits) !== 0;
  return {
    problems: entries.flatMap((entry) => {
      if (entry.kind === 'link') return [isLink(directory, entry.path)];
      if (entry.uid !== uid) return [belongsToAnother(directory, entry, uid)];
      if (entry.unreadable !== undefined) return [cannotBeRead(entry.path, entry.unreadable)];
      // Another hard link may be outside the directory, and would change as well.
      if (entry.kind === 'file' && entry.hardLinks > 1 && isOpen(entry)) return [hasOtherNames(entry)];
      return [];
    }),
    repairs: entries.filter(isOpen).map(({ path, mode }) => ({ path, from: mode, to: mode & ownerBits })),
  };
}

function throwProblem(problem: EntryProblem | undefined): void {
  if (problem) throw new StartupError(`${problem.found}. ${problem.advice}.`);
}

function isLink(directory: string, path: string): EntryProblem {
  return {
    found: `${path} is a symbolic link, and Rollcall keeps its files inside its data directory`,
    advice: `Replace the link with what it points to if you made it, or delete it; only ${directory} itself may be a link`,
  };
}

function belongsToAnother(directory: string, entry: DataDirEntry, uid: number): EntryProblem {
  const { path } = entry;
  const what = path === directory ? `The data directory ${directory}` : path;
  return {
    found: `${what} belongs to the user with the ID ${entry.uid}, and Rollcall runs as ${uid}`,
    advice: `Run it as that user, give it to this one (chown -R ${uid} ${path}), or set ROLLCALL_DATA_DIR to a directory of its own`,
  };
}

function cannotBeRead(path: string, code: string): EntryProblem {
  return {
    found: `${path} cannot be read (${code})`,
    advice: `Make it readable for its owner: chmod -R u+rwX ${path}`,
  };
}

function hasOtherNames({ path, hardLinks }: DataDirEntry): EntryProblem {
  return {
    found: `${path} is open to other users and has ${hardLinks} hard links, so closing it would also change a file elsewhere`,
    advice: `Replace it with a copy: cp -p ${path} ${path}.copy && mv ${path}.copy ${path}`,
  };
}

function stillWritable(directory: string, path: string, code: string | undefined): EntryProblem {
  return {
    found: `Other users can write to ${path}, and its permissions cannot be changed${code ? ` (${code})` : ''}`,
    advice: `Move the data directory ${directory} to a file system with permissions, and name it in ROLLCALL_DATA_DIR`,
  };
}

function chmodFailure(path: string, mode: number, access: FileAccess): string | undefined {
  try {
    access.chmod(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

function entriesIn(directory: string, database: DatabaseKind): DataDirEntry[] {
  if (database === 'postgres') return namesBesidePostgres.flatMap((name) => entriesAt(join(directory, name)));
  // The directory itself may be a link; what counts is the owner of its target.
  return withContent(directory, statSync(directory), isOwnEntry);
}

/** Links are not followed. A running service may remove files meanwhile. */
function entriesAt(path: string): DataDirEntry[] {
  const stats = statsOf(path);
  return stats === undefined ? [] : withContent(path, stats, () => true);
}

function withContent(path: string, stats: Stats, counts: (name: string) => boolean): DataDirEntry[] {
  const { uid, mode, nlink: hardLinks } = stats;
  const entry = { path, kind: kindOf(stats), uid, mode, hardLinks };
  if (entry.kind !== 'directory') return [entry];
  try {
    const names = readdirSync(path).filter(counts);
    return [entry, ...names.flatMap((name) => entriesAt(join(path, name)))];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? [] : [{ ...entry, unreadable: code }];
  }
}

function kindOf(stats: Stats): DataDirEntry['kind'] {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : 'other';
}

/** The service cannot use a directory that this user may not enter; it fails where the content is needed. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}
