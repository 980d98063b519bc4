import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeForOwner } from '../../files/owner-file.js';
import { dataDirNames, secretKeyDraft } from '../../storage/embedded/data-dir.js';
import { StartupError } from '../../storage/errors.js';
import { SecretCipher } from './secret-cipher.js';
import { secretKeyBytes } from './secret-key.js';

export interface SecretCipherOptions {
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious?: string | undefined;
  readonly dataDir: string;
}

/** The configured key, or the key of this data directory, which is created when first needed. */
export function openSecretCipher({
  secretKey,
  secretKeyPrevious,
  dataDir,
}: SecretCipherOptions): SecretCipher {
  const file = join(resolve(dataDir), dataDirNames.secretKey);
  if (secretKey !== undefined) {
    return configuredCipher(secretKey, { secretKeyPrevious, file });
  }
  try {
    return new SecretCipher((keyIn(file) ?? newKeyIn(file)) as Buffer);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `Cannot read or create the key of this installation in ${file} (${code}). Make the directory writable, or set ROLLCALL_SECRET_KEY.`,
    );
  }
}

/** Like openSecretCipher, but creates nothing: undefined if there is no key yet. */
export function existingSecretCipher(options: SecretCipherOptions): SecretCipher | undefined {
  if (options.secretKey !== undefined) return openSecretCipher(options);
  const key = readableKeyIn(join(resolve(options.dataDir), dataDirNames.secretKey));
  return key && new SecretCipher(key);
}

/** All keys that this installation has, in Base64, the one that encrypts first. Creates nothing. */
export function existingSecretKeys({ secretKey, secretKeyPrevious, dataDir }: SecretCipherOptions): string[] {
  const local = readableKeyIn(join(resolve(dataDir), dataDirNames.secretKey));
  return [secretKey, secretKeyPrevious, local?.toString('base64')].flatMap((key) => key ?? []);
}

/** Writes the key of a restored installation, unless the directory has one. Returns whether it did. */
export function writeSecretKey(dataDir: string, key: string): boolean {
  const file = join(resolve(dataDir), dataDirNames.secretKey);
  if (existsSync(file)) return false;
  writeForOwner(file, `${key}\n`);
  return true;
}

/** The data directory's own key can still decrypt after a key is configured. */
function configuredCipher(
  secretKey: string,
  { secretKeyPrevious, file }: { secretKeyPrevious: string | undefined; file: string },
): SecretCipher {
  const local = readableKeyIn(file);
  return new SecretCipher(Buffer.from(secretKey, 'base64'), {
    isConfigured: true,
    previous: secretKeyPrevious === undefined ? [] : [Buffer.from(secretKeyPrevious, 'base64')],
    local: local === undefined ? [] : [local],
  });
}

function keyIn(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length === secretKeyBytes) return key;
    throw new StartupError(
      `${file} does not contain a key of ${secretKeyBytes} bytes in Base64. Restore the original file. If it is lost, remove the file: the next start reports what can no longer be decrypted and how to discard it.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file atomically: of two processes that create one at the same time, both use the first key. */
function newKeyIn(file: string): Buffer | undefined {
  const draft = join(dirname(file), secretKeyDraft(process.pid));
  writeForOwner(draft, `${randomBytes(secretKeyBytes).toString('base64')}\n`);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Not every file system supports hard links; there, two processes that start at the same time are not coordinated.
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
    return undefined; // not needed: secrets that only this key could decrypt are reported with its ID
  }
}
