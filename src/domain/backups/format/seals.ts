import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { damaged, type KeyDerivation, UnusableBackup } from './header.js';

/** Makes every frame of a backup depend on all frames before it, on its position, and on the header. */
export interface Seal {
  readonly tagBytes: number;
  close(payload: Buffer, word: Buffer): { readonly sealed: Buffer; readonly tag: Buffer };
  /** Throws if anything was changed. */
  open(sealed: Buffer, word: Buffer, tag: Buffer): Buffer;
}

/** A chain of SHA-256 hashes. Finds damage, but not somebody who recomputes it: that takes encryption. */
export function hashChain(header: Buffer): Seal {
  let link = createHash('sha256').update(header).digest();
  const next = (payload: Buffer, word: Buffer) =>
    createHash('sha256').update(link).update(word).update(payload).digest();
  return {
    tagBytes: 32,
    close: (payload, word) => {
      link = next(payload, word);
      return { sealed: payload, tag: link };
    },
    open: (sealed, word, tag) => {
      link = next(sealed, word);
      if (!link.equals(tag)) throw damaged('a checksum does not match');
      return sealed;
    },
  };
}

const algorithm = 'aes-256-gcm';
const tagBytes = 16;

/** AES-256-GCM. The key is used for this file only, so the number of the frame serves as its nonce. */
export function encryption(key: Buffer): Seal {
  let frames = 0;
  const nonce = () => {
    const bytes = Buffer.alloc(12);
    bytes.writeUIntBE(frames++, 6, 6);
    return bytes;
  };
  const options = { authTagLength: tagBytes };
  return {
    tagBytes,
    close: (payload, word) => {
      const cipher = createCipheriv(algorithm, key, nonce(), options).setAAD(word);
      const sealed = Buffer.concat([cipher.update(payload), cipher.final()]);
      return { sealed, tag: cipher.getAuthTag() };
    },
    open: (sealed, word, tag) => {
      const isFirst = frames === 0;
      try {
        const decipher = createDecipheriv(algorithm, key, nonce(), options).setAAD(word).setAuthTag(tag);
        return Buffer.concat([decipher.update(sealed), decipher.final()]);
      } catch {
        if (!isFirst) throw damaged('a part of it cannot be decrypted');
        throw new UnusableBackup(
          'The backup cannot be decrypted: the passphrase is wrong, or the beginning of the file is damaged.',
        );
      }
    },
  };
}

const costMax = 2 ** 18;

/** Guessing a passphrase takes 128 MB and about half a second per guess. */
export function newKeyDerivation(cost = 2 ** 17): KeyDerivation {
  return { name: 'scrypt', cost, salt: randomBytes(16).toString('base64') };
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** The header is part of the key, so that nobody can change it unnoticed. */
export async function fileKey(
  passphrase: string,
  derivation: KeyDerivation,
  header: Buffer,
): Promise<Buffer> {
  const { name, cost, salt } = derivation;
  const isKnown = name === 'scrypt' && Number.isInteger(Math.log2(cost)) && typeof salt === 'string';
  if (!isKnown || cost < 2 || cost > costMax) throw damaged('its header names an unknown encryption');
  const saltBytes = Buffer.from(salt, 'base64');
  const secret = await derive(passphrase.normalize('NFC'), saltBytes, 32, {
    N: cost,
    r: 8,
    p: 1,
    maxmem: 256 * 8 * cost + 1024 * 1024,
  });
  return Buffer.from(hkdfSync('sha256', secret, saltBytes, createHash('sha256').update(header).digest(), 32));
}
