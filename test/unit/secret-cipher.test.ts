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

describe('what a cipher has encrypted', () => {
  test.each([password, 'x', ' ', 'a'.repeat(128), '🙂'.repeat(128)])('opens as it was: %s', (text) => {
    const cipher = aCipher();
    expect(cipher.decrypt(cipher.encrypt(text, delivery).bytes, delivery)).toBe(text);
  });

  test('opens with another cipher of the same key, as after a restart or on another node', () => {
    const key = randomBytes(32);
    const { bytes, keyId } = new SecretCipher(key).encrypt(password, delivery);
    const other = new SecretCipher(Buffer.from(key));
    expect(other.decrypt(bytes, delivery)).toBe(password);
    expect(other.keyId).toBe(keyId);
  });

  test('does not open for another delivery', () => {
    const cipher = aCipher();
    const { bytes } = cipher.encrypt(password, delivery);
    expect(() => cipher.decrypt(bytes, otherDelivery)).toThrow();
    expect(() => cipher.decrypt(bytes, '')).toThrow();
  });

  test('does not open with another key, which has another ID', () => {
    const [cipher, other] = [aCipher(), aCipher()];
    const { bytes, keyId } = cipher.encrypt(password, delivery);
    expect(() => other.decrypt(bytes, delivery)).toThrow();
    expect(other.keyId).not.toBe(keyId);
  });

  test('does not open when a single bit of it was changed, wherever', () => {
    const cipher = aCipher();
    const { bytes } = cipher.encrypt(password, delivery);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => cipher.decrypt(changed, delivery), `byte ${at}`).toThrow();
    }
  });

  test('does not open when a part of it is missing or something was added', () => {
    const cipher = aCipher();
    const { bytes } = cipher.encrypt(password, delivery);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => cipher.decrypt(bytes.subarray(0, length), delivery), `${length} bytes`).toThrow();
    }
    expect(() => cipher.decrypt(Buffer.concat([bytes, Buffer.from([0])]), delivery)).toThrow();
  });

  test('shows nothing of the text, and is different each time', () => {
    const cipher = aCipher();
    const [first, second] = [cipher.encrypt(password, delivery), cipher.encrypt(password, delivery)];
    expect(first.bytes.includes(password)).toBe(false);
    expect(first.bytes.equals(second.bytes)).toBe(false);
    expect(first.bytes.subarray(0, 12).equals(second.bytes.subarray(0, 12)), 'the nonce').toBe(false);
  });

  test('names its key without telling any of it', () => {
    const key = randomBytes(32);
    const { keyId } = new SecretCipher(key);
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(key.toString('hex')).not.toContain(keyId);
  });
});

describe('the key', () => {
  const keyFile = (dataDir: string) => join(dataDir, 'secret.key');

  test('is the configured one, and then no file is made', () => {
    const dataDir = temporaryDirectory();
    const secretKey = randomBytes(32);
    const cipher = openSecretCipher({ secretKey: secretKey.toString('base64'), dataDir });
    expect(cipher.keyId).toBe(new SecretCipher(secretKey).keyId);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('may be written in the URL-safe form of Base64', () => {
    const secretKey = Buffer.alloc(32, 0xfb);
    const cipher = openSecretCipher({
      secretKey: secretKey.toString('base64url'),
      dataDir: temporaryDirectory(),
    });
    expect(cipher.keyId).toBe(new SecretCipher(secretKey).keyId);
  });

  test('is made in the data directory if none is configured, and found there by the next start', () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const first = openSecretCipher({ secretKey: undefined, dataDir });
    const written = readFileSync(keyFile(dataDir), 'utf8');
    expect(written).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    const second = openSecretCipher({ secretKey: undefined, dataDir });
    expect(second.keyId).toBe(first.keyId);
    expect(second.decrypt(first.encrypt(password, delivery).bytes, delivery)).toBe(password);
    expect(readFileSync(keyFile(dataDir), 'utf8')).toBe(written);
  });

  test.skipIf(process.platform === 'win32')('is a file for its owner alone', () => {
    const dataDir = temporaryDirectory();
    openSecretCipher({ secretKey: undefined, dataDir });
    expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
  });

  test('is another one in each data directory', () => {
    const [one, two] = [temporaryDirectory(), temporaryDirectory()].map((dataDir) =>
      openSecretCipher({ secretKey: undefined, dataDir }),
    );
    expect(one?.keyId).not.toBe(two?.keyId);
  });

  test.each([
    ['nothing', ''],
    ['too few bytes', Buffer.alloc(31).toString('base64')],
    ['too many bytes', Buffer.alloc(33).toString('base64')],
    ['something else', 'not a key'],
  ])('of a file that holds %s is refused with what to do, and the file stays', (_, content) => {
    const dataDir = temporaryDirectory();
    writeFileSync(keyFile(dataDir), content);
    const open = () => openSecretCipher({ secretKey: undefined, dataDir });
    expect(open).toThrow(StartupError);
    expect(open).toThrow(
      `${keyFile(dataDir)} does not hold a key of 32 bytes in Base64. Put the right one back. If it is lost, remove the file: the next start names what cannot be decrypted, and how to give it up.`,
    );
    expect(readFileSync(keyFile(dataDir), 'utf8')).toBe(content);
  });

  test('that can be neither read nor made is told with the path and the code', () => {
    const dataDir = temporaryDirectory();
    mkdirSync(keyFile(dataDir));
    const open = () => openSecretCipher({ secretKey: undefined, dataDir });
    expect(open).toThrow(StartupError);
    expect(open).toThrow(
      `The key of this installation cannot be read or made in ${keyFile(dataDir)} (EISDIR). Make the directory writable, or set ROLLCALL_SECRET_KEY.`,
    );
    expect(existsSync(keyFile(dataDir))).toBe(true);
  });
});

describe('a cipher with an earlier key', () => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const both = new SecretCipher(current, { isConfigured: true, previous: [old] });

  test('opens what the earlier key has encrypted, and seals with the current one', () => {
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

  test('has the key of the data directory among them, without counting it as set by the operator', () => {
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
