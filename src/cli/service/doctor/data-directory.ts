import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Finding, failed, good } from './finding.js';

/** What the service keeps there for its owner alone. */
const secretFiles = ['first-credentials.json', 'secret.key'];

export interface DataDirectory {
  readonly directory: string;
  readonly exists: boolean;
  /** The code of what keeps files from being made there, or in the nearest directory above that exists. */
  readonly notWritable: string | undefined;
  /** Files with secrets that others can read. */
  readonly openSecrets: readonly string[];
}

export function checkDataDirectory(dataDir: string): Finding[] {
  const directory = resolve(dataDir);
  return dataDirectoryFindings({
    directory,
    exists: existsSync(directory),
    notWritable: notWritable(nearestExisting(directory)),
    openSecrets: secretFiles.map((file) => join(directory, file)).filter(othersCanRead),
  });
}

export function dataDirectoryFindings(facts: DataDirectory): Finding[] {
  const { directory, exists, notWritable, openSecrets } = facts;
  const mend = 'Make it writable for the user of the service, or set ROLLCALL_DATA_DIR.';
  const place = notWritable
    ? failed(
        'directory',
        `${directory} ${exists ? 'is not writable' : 'cannot be made'} (${notWritable})`,
        mend,
      )
    : good('directory', exists ? `${directory} is writable` : `${directory} will be made at the first start`);
  const secrets =
    openSecrets.length === 0
      ? good('secrets', 'others cannot read them')
      : failed(
          'secrets',
          `others can read ${openSecrets.join(' and ')}`,
          `chmod 600 ${openSecrets.join(' ')}`,
        );
  return exists ? [place, secrets] : [place];
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

function othersCanRead(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
