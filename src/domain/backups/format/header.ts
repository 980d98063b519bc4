import { StartupError } from '../../../storage/errors.js';
import type { AppliedMigration } from '../../../storage/migrate.js';
import type { ByteReader } from './byte-reader.js';

/** Raised when older versions of Rollcall could not read what newer ones write. */
const formatVersion = 1;

/** How the key of an encrypted backup is derived from its passphrase. */
export interface KeyDerivation {
  readonly name: 'scrypt';
  readonly cost: number;
  /** Base64. */
  readonly salt: string;
}

/** What can be known about a backup without its passphrase. Contains no personal data. */
export interface BackupHeader {
  readonly rollcallVersion: string;
  readonly createdAt: string;
  readonly engine: 'embedded' | 'postgres';
  readonly migrations: readonly AppliedMigration[];
  /** The IDs of the keys that encrypt secrets in the data. */
  readonly secretKeyIds: readonly string[];
  /** Whether these keys are in the backup. */
  readonly includesKeys: boolean;
  readonly encryption: KeyDerivation | null;
}

const magic = 'rollcall-backup';
const lineMax = 64 * 1024;

/** The first line of the file. */
export function headerLine(header: BackupHeader): Buffer {
  return Buffer.from(`${magic} ${formatVersion} ${JSON.stringify(header)}\n`);
}

interface ReadHeader {
  readonly header: BackupHeader;
  /** Everything that follows depends on these bytes. */
  readonly line: Buffer;
}

export async function readHeader(reader: ByteReader): Promise<ReadHeader> {
  const line = await reader.readLine(lineMax);
  const [, version, json = ''] = /^rollcall-backup (\d{1,9}) (.*)\n$/s.exec(line?.toString() ?? '') ?? [];
  if (line === undefined || version === undefined)
    throw new UnusableBackup('The file is not a backup of Rollcall, or its beginning is damaged.');
  if (Number(version) > formatVersion)
    throw new UnusableBackup(
      `The backup has format ${version}, and this Rollcall reads formats up to ${formatVersion}. Use the Rollcall that made it, or a newer one.`,
    );
  return { header: parsed(json), line };
}

function parsed(json: string): BackupHeader {
  try {
    const header = JSON.parse(json) as BackupHeader;
    if (isWhole(header)) return header;
  } catch {
    // reported below
  }
  throw damaged('its header cannot be read');
}

/** Commands print these texts, so none may contain what a terminal would execute. */
function isWhole(header: BackupHeader): boolean {
  return (
    isList(header.migrations) &&
    header.migrations.every(({ name, appliedAt }) => isWord(name) && isTime(appliedAt)) &&
    isList(header.secretKeyIds) &&
    header.secretKeyIds.every(isWord) &&
    isTime(header.createdAt) &&
    isWord(header.rollcallVersion) &&
    ['embedded', 'postgres'].includes(header.engine) &&
    typeof header.includesKeys === 'boolean' &&
    typeof header.encryption === 'object'
  );
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[\w.+-]{1,100}$/.test(value);
}

function isTime(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** A file cannot be used as a backup. `message` is a sentence that says why, and what to do. */
export class UnusableBackup extends StartupError {
  override readonly name = 'UnusableBackup';
}

export function damaged(what: string): UnusableBackup {
  return new UnusableBackup(`The backup is damaged or incomplete: ${what}. Use another copy of it.`);
}
