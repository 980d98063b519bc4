import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type Hmac,
  randomBytes,
} from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const options = { authTagLength: tagBytes }; // shorter tags are rejected

export const secretKeyBytes = 32;

/** A 256-bit key for AES-256-GCM and HMAC-SHA-256. */
export class SecretKey {
  readonly #key: Buffer;
  /** Identifies the key without revealing anything about it. Stored with everything that the key encrypts. */
  readonly id: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.id = createHash('sha256').update('rollcall key id').update(key).digest('hex').slice(0, 16);
  }

  /** Creates a keyed digest, which cannot be brute-forced without the key. */
  digester(): Hmac {
    return createHmac('sha256', this.#key).update('rollcall digest');
  }

  seal(text: string, purpose: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce, options).setAAD(Buffer.from(purpose));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  }

  open(bytes: Buffer, purpose: string): string {
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, this.#key, nonce, options)
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }
}
