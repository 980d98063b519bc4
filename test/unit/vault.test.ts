import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openVault } from '../../src/domain/secrets/open-vault.js';
import { Vault } from '../../src/domain/secrets/vault.js';
import { StartRefused } from '../../src/storage/errors.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const delivery = '0198c0de-7a11-7000-8000-5f1e2d3c4b5b';
const otherDelivery = '0198c0de-7a11-7000-8000-5f1e2d3c4b5c';
const password = 'correct horse – ñ 🙂';

function aVault(): Vault {
  return new Vault(randomBytes(32));
}

describe('what a vault has sealed', () => {
  test.each([password, 'x', ' ', 'a'.repeat(128), '🙂'.repeat(128)])('opens as it was: %s', (text) => {
    const vault = aVault();
    expect(vault.open(vault.seal(text, delivery).bytes, delivery)).toBe(text);
  });

  test('opens with another vault of the same key, as after a restart or on another node', () => {
    const key = randomBytes(32);
    const { bytes, keyId } = new Vault(key).seal(password, delivery);
    const other = new Vault(Buffer.from(key));
    expect(other.open(bytes, delivery)).toBe(password);
    expect(other.keyId).toBe(keyId);
  });

  test('does not open for another delivery', () => {
    const vault = aVault();
    const { bytes } = vault.seal(password, delivery);
    expect(() => vault.open(bytes, otherDelivery)).toThrow();
    expect(() => vault.open(bytes, '')).toThrow();
  });

  test('does not open with another key, which has another ID', () => {
    const [vault, other] = [aVault(), aVault()];
    const { bytes, keyId } = vault.seal(password, delivery);
    expect(() => other.open(bytes, delivery)).toThrow();
    expect(other.keyId).not.toBe(keyId);
  });

  test('does not open when a single bit of it was changed, wherever', () => {
    const vault = aVault();
    const { bytes } = vault.seal(password, delivery);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => vault.open(changed, delivery), `byte ${at}`).toThrow();
    }
  });

  test('does not open when a part of it is missing or something was added', () => {
    const vault = aVault();
    const { bytes } = vault.seal(password, delivery);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => vault.open(bytes.subarray(0, length), delivery), `${length} bytes`).toThrow();
    }
    expect(() => vault.open(Buffer.concat([bytes, Buffer.from([0])]), delivery)).toThrow();
  });

  test('shows nothing of the text, and is different each time', () => {
    const vault = aVault();
    const [first, second] = [vault.seal(password, delivery), vault.seal(password, delivery)];
    expect(first.bytes.includes(password)).toBe(false);
    expect(first.bytes.equals(second.bytes)).toBe(false);
    expect(first.bytes.subarray(0, 12).equals(second.bytes.subarray(0, 12)), 'the nonce').toBe(false);
  });

  test('names its key without telling any of it', () => {
    const key = randomBytes(32);
    const { keyId } = new Vault(key);
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(key.toString('hex')).not.toContain(keyId);
  });
});

describe('the key', () => {
  const keyFile = (dataDir: string) => join(dataDir, 'secret.key');

  test('is the configured one, and then no file is made', () => {
    const dataDir = temporaryDirectory();
    const secretKey = randomBytes(32);
    const vault = openVault({ secretKey: secretKey.toString('base64'), dataDir });
    expect(vault.keyId).toBe(new Vault(secretKey).keyId);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('may be written in the URL-safe form of Base64', () => {
    const secretKey = Buffer.alloc(32, 0xfb);
    const vault = openVault({ secretKey: secretKey.toString('base64url'), dataDir: temporaryDirectory() });
    expect(vault.keyId).toBe(new Vault(secretKey).keyId);
  });

  test('is made in the data directory if none is configured, and found there by the next start', () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const first = openVault({ secretKey: undefined, dataDir });
    const written = readFileSync(keyFile(dataDir), 'utf8');
    expect(written).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    const second = openVault({ secretKey: undefined, dataDir });
    expect(second.keyId).toBe(first.keyId);
    expect(second.open(first.seal(password, delivery).bytes, delivery)).toBe(password);
    expect(readFileSync(keyFile(dataDir), 'utf8')).toBe(written);
  });

  test.skipIf(process.platform === 'win32')('is a file for its owner alone', () => {
    const dataDir = temporaryDirectory();
    openVault({ secretKey: undefined, dataDir });
    expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
  });

  test('is another one in each data directory', () => {
    const [one, two] = [temporaryDirectory(), temporaryDirectory()].map((dataDir) =>
      openVault({ secretKey: undefined, dataDir }),
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
    const open = () => openVault({ secretKey: undefined, dataDir });
    expect(open).toThrow(StartRefused);
    expect(open).toThrow(
      `${keyFile(dataDir)} does not hold a key of 32 bytes in Base64. Put the right one back. If it is lost, remove the file: the next start names what cannot be decrypted, and how to give it up.`,
    );
    expect(readFileSync(keyFile(dataDir), 'utf8')).toBe(content);
  });

  test('that can be neither read nor made is told with the path and the code', () => {
    const dataDir = temporaryDirectory();
    mkdirSync(keyFile(dataDir));
    const open = () => openVault({ secretKey: undefined, dataDir });
    expect(open).toThrow(StartRefused);
    expect(open).toThrow(
      `The key of this installation cannot be read or made in ${keyFile(dataDir)} (EISDIR). Make the directory writable, or set ROLLCALL_SECRET_KEY.`,
    );
    expect(existsSync(keyFile(dataDir))).toBe(true);
  });
});

describe('a vault with an earlier key', () => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const both = new Vault(current, { isConfigured: true, previous: [old] });

  test('opens what the earlier key has sealed, and seals with the current one', () => {
    const earlier = new Vault(old);
    expect(both.open(earlier.seal(password, delivery).bytes, delivery)).toBe(password);
    const sealed = both.seal(password, delivery);
    expect(sealed.keyId).toBe(new Vault(current).keyId);
    expect(() => earlier.open(sealed.bytes, delivery)).toThrow();
    expect(both.keyIds).toEqual([new Vault(current).keyId, earlier.keyId]);
    const digests = (vault: Vault) => vault.digesters().map((hash) => hash.update('x').digest('hex'));
    expect(digests(both)).toEqual([...digests(new Vault(current)), ...digests(earlier)]);
  });

  test('has the key of the data directory among them, without counting it as set by the operator', () => {
    const dataDir = temporaryDirectory();
    const local = openVault({ secretKey: undefined, dataDir });
    const vault = openVault({
      secretKey: current.toString('base64'),
      secretKeyPrevious: old.toString('base64'),
      dataDir,
    });
    expect(vault.open(local.seal(password, delivery).bytes, delivery)).toBe(password);
    expect(vault.keyIds).toEqual([...both.keyIds, local.keyId]);
    expect(vault.configuredKeyIds).toEqual(both.keyIds);
  });
});
