import { setTimeout as pause } from 'node:timers/promises';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { v7 } from 'uuid';
import { tokenLifetimeMaxSeconds } from '../../contract/limits.js';
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
  retireUnencryptedSigningKeys,
  retireUnusedSigningKeys,
  type SigningKey,
  touchSigningKey,
} from '../../storage/access/signing-keys.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { deleteOpenIdKeys, retireOpenIdKeys } from '../../storage/openid/keys.js';
import { recordAccess } from '../audit/access-event.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';

/** The only algorithm for signing and verifying tokens. Any other in a header is rejected. */
export const signingAlgorithm = 'ES256';

export interface KeySet {
  /** Undefined if no key is one that this node can decrypt. */
  readonly signing: SigningPair | undefined;
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** The content of /.well-known/jwks.json. */
  readonly published: readonly JWK[];
}

interface SigningPair {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** Only nodes with this cipher can sign with it, but all can verify. */
export async function createSigningKey(tx: Executor, cipher: SecretCipher): Promise<void> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const kid = v7();
  const { d, ...jwk } = await exportJWK(privateKey);
  await insertSigningKey(tx, { kid, jwk, secret: cipher.encrypt(d as string, encryptionPurpose(kid)) });
}

function encryptionPurpose(kid: string): string {
  return `signing key ${kid}`;
}

/** Creates a key unless this node can sign with one. Nodes that share a secret key create one together. */
async function ensureSigningKey(database: Database, cipher: SecretCipher): Promise<void> {
  await transaction(database, async (tx) => {
    await lockSigningKeys(tx);
    const keys = await listSigningKeys(tx, 0);
    if (!keys.some((key) => canSign(key, cipher))) await createSigningKey(tx, cipher);
  });
}

function canSign({ isRetired, jwk, secret }: SigningKey, cipher: SecretCipher): boolean {
  return !isRetired && (secret ? cipher.canDecrypt(secret.keyId) : jwk.d !== undefined);
}

/** Every node says once an hour that it is there. */
const unusedKeySeconds = 86_400;

/**
 * Runs at the start and every hour, on every node. Keys that an earlier version stored unencrypted are retired, because
 * backups contain them, once no node of that version needs them.
 */
export async function maintainSigningKeys(
  executor: Executor,
  cipher: SecretCipher,
  { isUpgradeOver }: { readonly isUpgradeOver: boolean },
): Promise<void> {
  if (isUpgradeOver) await retireUnencryptedSigningKeys(executor);
  await touchSigningKey(executor, cipher.keyIds);
  await retireUnusedSigningKeys(executor, unusedKeySeconds);
}

/**
 * Nodes sign with new keys, which they create, from now on; the OpenID provider, too. Old keys still verify until the last token they signed has
 * expired, or end immediately with all their tokens if they are revoked.
 */
export async function rotateSigningKeys(
  database: Database,
  { revokeOld }: { readonly revokeOld: boolean },
): Promise<number> {
  return transaction(database, async (tx) => {
    await lockSigningKeys(tx);
    if (revokeOld) await deleteOpenIdKeys(tx);
    else await retireOpenIdKeys(tx);
    const old = revokeOld ? await deleteSigningKeys(tx) : await retireSigningKeys(tx);
    await recordAccess(tx, 'keys.rotated', {}, { detail: { revokedOld: revokeOld } });
    return old;
  });
}

/** The minimum time between two reads for unknown keys: forged key IDs share the next read. */
const missPauseMs = 100;
/**
 * The maximum age of the keys in memory. Reading them again picks up rotations on other nodes and drops withdrawn keys.
 */
const freshMs = 5_000;
/** A node may sign with a retired key until it reads the keys again, and such a token lives its whole lifetime. */
export const retiredKeySeconds = tokenLifetimeMaxSeconds + 60;

/** The signing keys of the database, cached in memory. */
export class KeyRing {
  readonly #database: Database;
  readonly #cipher: SecretCipher;
  #signing: SigningPair | undefined;
  #keys: Promise<KeySet> | undefined;
  #readAtMs = 0;
  #missedAtMs = 0;
  #reloading: Promise<KeySet> | undefined;

  constructor(database: Database, cipher: SecretCipher) {
    this.#database = database;
    this.#cipher = cipher;
  }

  current(): Promise<KeySet> {
    if (this.#keys === undefined || Date.now() - this.#readAtMs > freshMs) return this.#reload();
    return this.#keys;
  }

  /** The key that signs. Creates one if this node has none: its secret key is new, or the keys were rotated. */
  async signing(): Promise<SigningPair> {
    let { signing } = await this.current();
    while (!signing) {
      await ensureSigningKey(this.#database, this.#cipher);
      ({ signing } = await this.#reload());
    }
    return signing;
  }

  #reload(): Promise<KeySet> {
    this.#readAtMs = Date.now();
    const loading = this.#load();
    this.#keys = loading;
    loading.catch(() => {
      if (this.#keys === loading) this.#keys = undefined;
    });
    return loading;
  }

  async #load(): Promise<KeySet> {
    const keys = await loadKeys(this.#database.pool, this.#cipher, this.#signing);
    this.#signing = keys.signing;
    return keys;
  }

  /** The key for a token. A key that another node has just created is fetched, but not once per forged key ID. */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const known = (await this.current()).verifying.get(kid);
    if (known) return known;
    this.#reloading ??= this.#reloadAfterPause();
    return (await this.#reloading).verifying.get(kid);
  }

  async #reloadAfterPause(): Promise<KeySet> {
    await pause(Math.max(0, this.#missedAtMs + missPauseMs - Date.now()));
    this.#missedAtMs = Date.now();
    this.#reloading = undefined; // later requests may need a key that this read is too early for
    return this.#reload();
  }
}

async function loadKeys(
  executor: Executor,
  cipher: SecretCipher,
  known: SigningPair | undefined,
): Promise<KeySet> {
  const stored = await listSigningKeys(executor, retiredKeySeconds);
  const published = stored.map(({ kid, jwk: { d: _secret, ...publicJwk } }) => ({
    ...publicJwk,
    kid,
    alg: signingAlgorithm,
    use: 'sig',
  }));
  const verifying = new Map<string, CryptoKey>();
  for (const jwk of published) verifying.set(jwk.kid, (await importJWK(jwk, signingAlgorithm)) as CryptoKey);
  // A key in memory goes on when others encrypt it with a secret key that this node does not have yet.
  const isKnown = stored.some(({ kid, isRetired }) => kid === known?.kid && !isRetired);
  const newest = stored.find((key) => canSign(key, cipher));
  const signing = isKnown ? known : newest && (await signingPair(newest, cipher));
  return { signing, verifying, published };
}

async function signingPair({ kid, jwk, secret }: SigningKey, cipher: SecretCipher): Promise<SigningPair> {
  const whole = secret ? { ...jwk, d: cipher.decrypt(secret.bytes, encryptionPurpose(kid)) } : jwk;
  return { kid, key: (await importJWK(whole, signingAlgorithm)) as CryptoKey };
}
