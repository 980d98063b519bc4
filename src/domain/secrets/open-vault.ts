import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeForOwner } from '../../files/owner-file.js';
import { dataDirNames, secretKeyDraft } from '../../storage/embedded/data-dir-entries.js';
import { StartRefused } from '../../storage/errors.js';
import { secretKeyBytes } from './secret-key.js';
import { Vault } from './vault.js';

export interface VaultOptions {
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious?: string | undefined;
  readonly dataDir: string;
}

/** The configured key, or one of this data directory, made when it is needed first. */
export function openVault({ secretKey, secretKeyPrevious, dataDir }: VaultOptions): Vault {
  const file = join(resolve(dataDir), dataDirNames.secretKey);
  if (secretKey !== undefined) {
    return configuredVault(secretKey, { secretKeyPrevious, file });
  }
  try {
    return new Vault((keyIn(file) ?? newKeyIn(file)) as Buffer);
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(
      `The key of this installation cannot be read or made in ${file} (${code}). Make the directory writable, or set ROLLCALL_SECRET_KEY.`,
    );
  }
}

/** The same, but nothing is made: undefined if there is no key yet. */
export function existingVault(options: VaultOptions): Vault | undefined {
  if (options.secretKey !== undefined) return openVault(options);
  const key = readableKeyIn(join(resolve(options.dataDir), dataDirNames.secretKey));
  return key && new Vault(key);
}

/** What the key of the data directory has sealed can still be opened once another key is set. */
function configuredVault(
  secretKey: string,
  { secretKeyPrevious, file }: { secretKeyPrevious: string | undefined; file: string },
): Vault {
  const local = readableKeyIn(file);
  return new Vault(Buffer.from(secretKey, 'base64'), {
    isConfigured: true,
    previous: secretKeyPrevious === undefined ? [] : [Buffer.from(secretKeyPrevious, 'base64')],
    local: local === undefined ? [] : [local],
  });
}

function keyIn(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length === secretKeyBytes) return key;
    throw new StartRefused(
      `${file} does not hold a key of ${secretKeyBytes} bytes in Base64. Put the right one back. If it is lost, remove the file: the next start names what cannot be decrypted, and how to give it up.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Put in place whole or not at all: of two that make one at the same time, the first is the key of both. */
function newKeyIn(file: string): Buffer | undefined {
  const draft = join(dirname(file), secretKeyDraft(process.pid));
  writeForOwner(draft, `${randomBytes(secretKeyBytes).toString('base64')}\n`);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Not every file system has links; there two that start at the same time are not told apart.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return keyIn(file);
}

function readableKeyIn(file: string): Buffer | undefined {
  try {
    return keyIn(file);
  } catch {
    return undefined; // It is not needed: what only it could open is told, with its ID.
  }
}
