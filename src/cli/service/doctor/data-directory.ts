import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  type DatabaseKind,
  type EntryInspection,
  inspectDataDir,
} from '../../../storage/embedded/data-dir-permissions.js';
import { counted, size } from '../../terminal/numbers.js';
import { type Finding, failed, good, note, warning } from './finding.js';

interface DataDirectory {
  readonly directory: string;
  readonly exists: boolean;
  /** Why files cannot be created there, or in the nearest existing parent directory. */
  readonly notWritable: string | undefined;
  /** Permission problems; undefined on systems without file modes. */
  readonly permissions: EntryInspection | undefined;
}

export function checkDataDirectory(dataDir: string, database: DatabaseKind): Finding[] {
  const directory = resolve(dataDir);
  const exists = existsSync(directory);
  return dataDirectoryFindings({
    directory,
    exists,
    notWritable: notWritable(nearestExisting(directory)),
    permissions: exists ? inspectDataDir(directory, database) : undefined,
  });
}

export function dataDirectoryFindings(facts: DataDirectory): Finding[] {
  const { directory, exists, notWritable } = facts;
  const fix = 'Make it writable for the service user, or set ROLLCALL_DATA_DIR.';
  const place = notWritable
    ? failed(
        'directory',
        `${directory} ${exists ? 'is not writable' : 'cannot be created'} (${notWritable})`,
        fix,
      )
    : good(
        'directory',
        exists ? `${directory} is writable` : `${directory} will be created at the first start`,
      );
  return exists ? [place, permissionsFinding(facts)] : [place];
}

function permissionsFinding({ permissions }: DataDirectory): Finding {
  const check = 'permissions';
  if (!permissions)
    return note(check, 'not checked: Windows uses access control lists instead of file modes');
  const { problems, repairs } = permissions;
  if (problems[0]) return failed(check, problems[0].found, `${problems[0].advice}.`);
  if (repairs[0] === undefined) return good(check, 'other users have no access');
  return warning(
    check,
    `other users have access to ${counted(repairs.length, 'file or directory', 'files and directories')}, such as ${repairs[0].path}`,
    'The next start of the service fixes this.',
  );
}

function nearestExisting(directory: string): string {
  return existsSync(directory) ? directory : nearestExisting(dirname(directory));
}

function notWritable(directory: string): string | undefined {
  try {
    if (!statSync(directory).isDirectory()) return 'ENOTDIR';
    accessSync(directory, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

const megabyte = 1_000_000;
const warnBelowBytes = 1_000 * megabyte;
const failBelowBytes = 100 * megabyte;

export async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestExisting(resolve(dataDir)));
  return diskFinding(bavail * bsize);
}

export function diskFinding(freeBytes: number): Finding {
  const found = `${size(freeBytes)} free for the data directory`;
  const fix = 'Free up disk space: a database with a full disk stops.';
  if (freeBytes < failBelowBytes) return failed('free space', found, fix);
  return freeBytes < warnBelowBytes ? warning('free space', found, fix) : good('free space', found);
}
