import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type Hmac,
  randomBytes,
} from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeForOwner } from '../../files/owner-file.js';
import type { SealedSecret } from '../../storage/deliveries.js';
import { StartRefused } from '../../storage/errors.js';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const options = { authTagLength: tagBytes }; // a shorter one is not taken

/** Keeps given passwords until they are sent: AES-256-GCM with a key that is not in the database. */
export class Vault {
  readonly #key: Buffer;
  /** Tells keys apart without telling anything about them: nodes leave alone what another key has sealed. */
  readonly keyId: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.keyId = createHash('sha256').update('rollcall key id').update(key).digest('hex').slice(0, 16);
  }

  /** Makes a digest that nobody can try guesses on without the key. */
  digester(): Hmac {
    return createHmac('sha256', this.#key).update('rollcall digest');
  }

  /** What is sealed for one purpose, such as one delivery, cannot be opened for another. */
  seal(text: string, purpose: string): SealedSecret {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce, options).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { bytes: Buffer.concat([nonce, cipher.getAuthTag(), sealed]), keyId: this.keyId };
  }

  open(bytes: Buffer, purpose: string): string {
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, this.#key, nonce, options)
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }
}

/** The configured key, or one of this data directory, made when it is needed first. */
export function openVault({
  secretKey,
  dataDir,
}: {
  readonly secretKey: string | undefined;
  readonly dataDir: string;
}): Vault {
  if (secretKey !== undefined) return new Vault(Buffer.from(secretKey, 'base64'));
  const file = join(resolve(dataDir), 'secret.key');
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

function keyIn(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length === 32) return key;
    throw new StartRefused(
      `${file} does not hold a key of 32 bytes in Base64. Put the right one back, or remove the file: passwords that wait to be sent are then lost and have to be sent anew.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Put in place whole or not at all: of two that make one at the same time, the first is the key of both. */
function newKeyIn(file: string): Buffer | undefined {
  const draft = `${file}.${process.pid}`;
  writeForOwner(draft, `${randomBytes(32).toString('base64')}\n`);
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
