import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type DirectoryExposure, directoryExposure } from '../../../storage/data-dir-permissions.js';
import { counted } from '../../terminal/numbers.js';
import { type Finding, failed, good, note, warning } from './finding.js';

/** What a service on PostgreSQL keeps there. With the embedded database all of the directory counts. */
const secretPlaces = ['first-credentials.json', 'secret.key', 'outbox'];

export interface DataDirectory {
  readonly directory: string;
  readonly exists: boolean;
  /** The code of what keeps files from being made there, or in the nearest directory above that exists. */
  readonly notWritable: string | undefined;
  readonly hasDatabase: boolean;
  /** What other users can do with what is kept there; undefined where files have no modes. */
  readonly exposure: DirectoryExposure | undefined;
}

export function checkDataDirectory(dataDir: string, { hasDatabase }: { hasDatabase: boolean }): Finding[] {
  const directory = resolve(dataDir);
  const exists = existsSync(directory);
  return dataDirectoryFindings({
    directory,
    exists,
    notWritable: notWritable(nearestExisting(directory)),
    hasDatabase,
    exposure: exists && process.platform !== 'win32' ? exposureOf(directory, hasDatabase) : undefined,
  });
}

function exposureOf(directory: string, hasDatabase: boolean): DirectoryExposure {
  const places = hasDatabase ? [directory] : secretPlaces.map((name) => join(directory, name));
  const exposures = places.filter(existsSync).map((place) => directoryExposure(place));
  return {
    open: exposures.flatMap(({ open }) => open),
    foreign: exposures.flatMap(({ foreign }) => foreign),
  };
}

export function dataDirectoryFindings(facts: DataDirectory): Finding[] {
  const { directory, exists, notWritable } = facts;
  const mend = 'Make it writable for the user of the service, or set ROLLCALL_DATA_DIR.';
  const place = notWritable
    ? failed(
        'directory',
        `${directory} ${exists ? 'is not writable' : 'cannot be made'} (${notWritable})`,
        mend,
      )
    : good('directory', exists ? `${directory} is writable` : `${directory} will be made at the first start`);
  return exists ? [place, permissionsFinding(facts)] : [place];
}

function permissionsFinding({ directory, hasDatabase, exposure }: DataDirectory): Finding {
  const check = 'permissions';
  if (!exposure) return note(check, 'not checked: Windows has access control lists instead of file modes');
  const { open, foreign } = exposure;
  if (hasDatabase && foreign[0]) {
    const { path, uid } = foreign[0];
    return failed(
      check,
      `${path} belongs to the user with the ID ${uid}, and a start as this one is refused`,
      `Run Rollcall as that user, or change the owner: chown -R <user> ${directory}`,
    );
  }
  if (open.length === 0) return good(check, 'other users have none');
  const found = `other users have some on ${counted(open.length, 'file or directory', 'files and directories')}, such as ${open[0]}`;
  return hasDatabase
    ? warning(check, found, `The next start of the service removes them, or now: chmod -R go= ${directory}`)
    : failed(check, found, `chmod -R go= ${open.join(' ')}`);
}

export function nearestExisting(directory: string): string {
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
