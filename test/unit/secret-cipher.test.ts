import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSecretCipher } from '../../src/domain/secrets/open-secret-cipher.js';
import { SecretCipher } from '../../src/domain/secrets/secret-cipher.js';
import { StartupError } from '../../src/storage/errors.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const delivery = '0198c0de-7a11-7000-8000-5f1e2d3c4b5b';
const otherDelivery = '0198c0de-7a11-7000-8000-5f1e2d3c4b5c';
const password = 'correct horse – ñ 🙂';

function aCipher(): SecretCipher {
  return new SecretCipher(randomBytes(32));
}

describe('encrypted text', () => {
  test.each([password, 'x', ' ', 'a'.repeat(128), '🙂'.repeat(128)])(
    'decrypts to the original: %s',
    (text) => {
      const cipher = aCipher();
      expect(cipher.decrypt(cipher.encrypt(text, delivery).bytes, delivery)).toBe(text);
    },
  );

  test('decrypts with another cipher with the same key, as after a restart or on another node', () => {
    const key = randomBytes(32);
    const { bytes, keyId } = new SecretCipher(key).encrypt(password, delivery);
    const other = new SecretCipher(Buffer.from(key));
    expect(other.decrypt(bytes, delivery)).toBe(password);
    expect(other.keyId).toBe(keyId);
  });

  test('does not decrypt for another delivery', () => {
    const cipher = aCipher();
    const { bytes } = cipher.encrypt(password, delivery);
    expect(() => cipher.decrypt(bytes, otherDelivery)).toThrow();
    expect(() => cipher.decrypt(bytes, '')).toThrow();
  });

  test('does not decrypt with another key, which has a different ID', () => {
    const [cipher, other] = [aCipher(), aCipher()];
    const { bytes, keyId } = cipher.encrypt(password, delivery);
    expect(() => other.decrypt(bytes, delivery)).toThrow();
    expect(other.keyId).not.toBe(keyId);
  });

  test('does not decrypt if any single bit is changed', () => {
    const cipher = aCipher();
    const { bytes } = cipher.encrypt(password, delivery);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => cipher.decrypt(changed, delivery), `byte ${at}`).toThrow();
    }
  });

  test('does not decrypt if it is truncated or extended', () => {
    const cipher = aCipher();
    const { bytes } = cipher.encrypt(password, delivery);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => cipher.decrypt(bytes.subarray(0, length), delivery), `${length} bytes`).toThrow();
    }
    expect(() => cipher.decrypt(Buffer.concat([bytes, Buffer.from([0])]), delivery)).toThrow();
  });

  test('reveals nothing about the original, and is different each time', () => {
    const cipher = aCipher();
    const [first, second] = [cipher.encrypt(password, delivery), cipher.encrypt(password, delivery)];
    expect(first.bytes.includes(password)).toBe(false);
    expect(first.bytes.equals(second.bytes)).toBe(false);
    expect(first.bytes.subarray(0, 12).equals(second.bytes.subarray(0, 12)), 'the nonce').toBe(false);
  });

  test('names its key without revealing any of it', () => {
    const key = randomBytes(32);
    const { keyId } = new SecretCipher(key);
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(key.toString('hex')).not.toContain(keyId);
  });
});

describe('key', () => {
  const keyFile = (dataDir: string) => join(dataDir, 'secret.key');

  test('is the configured one, and then no file is created', () => {
    const dataDir = temporaryDirectory();
    const secretKey = randomBytes(32);
    const cipher = openSecretCipher({ secretKey: secretKey.toString('base64'), dataDir });
    expect(cipher.keyId).toBe(new SecretCipher(secretKey).keyId);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('can be URL-safe Base64', () => {
    const secretKey = Buffer.alloc(32, 0xfb);
    const cipher = openSecretCipher({
      secretKey: secretKey.toString('base64url'),
      dataDir: temporaryDirectory(),
    });
    expect(cipher.keyId).toBe(new SecretCipher(secretKey).keyId);
  });

  test('is created in the data directory if none is configured, and found there after a restart', () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const first = openSecretCipher({ secretKey: undefined, dataDir });
    const written = readFileSync(keyFile(dataDir), 'utf8');
    expect(written).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    const second = openSecretCipher({ secretKey: undefined, dataDir });
    expect(second.keyId).toBe(first.keyId);
    expect(second.decrypt(first.encrypt(password, delivery).bytes, delivery)).toBe(password);
    expect(readFileSync(keyFile(dataDir), 'utf8')).toBe(written);
  });

  test.skipIf(process.platform === 'win32')('is a file that only its owner can access', () => {
    const dataDir = temporaryDirectory();
    openSecretCipher({ secretKey: undefined, dataDir });
    expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
  });

  test('is different in each data directory', () => {
    const [one, two] = [temporaryDirectory(), temporaryDirectory()].map((dataDir) =>
      openSecretCipher({ secretKey: undefined, dataDir }),
    );
    expect(one?.keyId).not.toBe(two?.keyId);
  });

  test.each([
    ['nothing', ''],
    ['too few bytes', Buffer.alloc(31).toString('base64')],
    ['too many bytes', Buffer.alloc(33).toString('base64')],
    ['other text', 'not a key'],
  ])('is rejected with advice if its file contains %s, and the file is unchanged', (_, content) => {
    const dataDir = temporaryDirectory();
    writeFileSync(keyFile(dataDir), content);
    const open = () => openSecretCipher({ secretKey: undefined, dataDir });
    expect(open).toThrow(StartupError);
    expect(open).toThrow(
      `${keyFile(dataDir)} does not contain a key of 32 bytes in Base64. Restore the original file. If it is lost, remove the file: the next start reports what can no longer be decrypted and how to discard it.`,
    );
    expect(readFileSync(keyFile(dataDir), 'utf8')).toBe(content);
  });

  test('that can be neither read nor created is reported with path and error code', () => {
    const dataDir = temporaryDirectory();
    mkdirSync(keyFile(dataDir));
    const open = () => openSecretCipher({ secretKey: undefined, dataDir });
    expect(open).toThrow(StartupError);
    expect(open).toThrow(
      `Cannot read or create the key of this installation in ${keyFile(dataDir)} (EISDIR). Make the directory writable, or set ROLLCALL_SECRET_KEY.`,
    );
    expect(existsSync(keyFile(dataDir))).toBe(true);
  });
});

describe('cipher with a previous key', () => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const both = new SecretCipher(current, { isConfigured: true, previous: [old] });

  test('decrypts with the previous key, and encrypts with the current one', () => {
    const earlier = new SecretCipher(old);
    expect(both.decrypt(earlier.encrypt(password, delivery).bytes, delivery)).toBe(password);
    const encrypted = both.encrypt(password, delivery);
    expect(encrypted.keyId).toBe(new SecretCipher(current).keyId);
    expect(() => earlier.decrypt(encrypted.bytes, delivery)).toThrow();
    expect(both.keyIds).toEqual([new SecretCipher(current).keyId, earlier.keyId]);
    const digests = (cipher: SecretCipher) =>
      cipher.digesters().map((hash) => hash.update('x').digest('hex'));
    expect(digests(both)).toEqual([...digests(new SecretCipher(current)), ...digests(earlier)]);
  });

  test('includes the key in the data directory, but not as a configured key', () => {
    const dataDir = temporaryDirectory();
    const local = openSecretCipher({ secretKey: undefined, dataDir });
    const cipher = openSecretCipher({
      secretKey: current.toString('base64'),
      secretKeyPrevious: old.toString('base64'),
      dataDir,
    });
    expect(cipher.decrypt(local.encrypt(password, delivery).bytes, delivery)).toBe(password);
    expect(cipher.keyIds).toEqual([...both.keyIds, local.keyId]);
    expect(cipher.configuredKeyIds).toEqual(both.keyIds);
  });
});
