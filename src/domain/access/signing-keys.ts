import { setTimeout as pause } from 'node:timers/promises';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { v7 } from 'uuid';
import { tokenLifetimeMaxSeconds } from '../../contract/limits.js';
import {
  deleteSigningKeys,
  encryptSigningKey,
  insertSigningKey,
  listSigningKeys,
  listUnencryptedSigningKeys,
  retireSigningKeys,
  type SigningKey,
} from '../../storage/access/signing-keys.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { StartupError } from '../../storage/errors.js';
import { recordAccess } from '../audit/access-event.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';

/** The only algorithm for signing and verifying tokens. Any other in a header is rejected. */
export const signingAlgorithm = 'ES256';

export interface KeySet {
  /** Undefined if it is encrypted with a key that this node does not have. */
  readonly signing: SigningPair | undefined;
  /** The ID of the key that encrypts the signing key, if it is encrypted. */
  readonly encryptedWith: string | undefined;
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** The content of /.well-known/jwks.json. */
  readonly published: readonly JWK[];
}

interface SigningPair {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** The private part is encrypted if the operator has configured a secret key, which all nodes then have. */
export async function createSigningKey(tx: Executor, cipher: SecretCipher | undefined): Promise<void> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const kid = v7();
  const { d, ...publicJwk } = await exportJWK(privateKey);
  await insertSigningKey(
    tx,
    cipher?.isConfigured
      ? { kid, jwk: publicJwk, secret: cipher.encrypt(d as string, encryptionPurpose(kid)) }
      : { kid, jwk: { ...publicJwk, d: d as string }, secret: null },
  );
}

export function encryptionPurpose(kid: string): string {
  return `signing key ${kid}`;
}

/**
 * Encrypts signing keys that are not encrypted yet, if a secret key is configured. Safe to run on several nodes at
 * once.
 */
export async function encryptSigningKeys(executor: Executor, cipher: SecretCipher): Promise<number> {
  if (!cipher.isConfigured) return 0;
  let encrypted = 0;
  for (const { kid, jwk } of await listUnencryptedSigningKeys(executor)) {
    if (await encryptSigningKey(executor, kid, cipher.encrypt(jwk.d as string, encryptionPurpose(kid))))
      encrypted++;
  }
  return encrypted;
}

/**
 * A new key signs from now on. Old keys still verify until the last token they signed has expired, or end immediately
 * with all their tokens if they are revoked.
 */
export async function rotateSigningKeys(
  database: Database,
  cipher: SecretCipher | undefined,
  { revokeOld }: { readonly revokeOld: boolean },
): Promise<number> {
  return transaction(database, async (tx) => {
    await requireNodeKey(tx, cipher);
    const old = revokeOld ? await deleteSigningKeys(tx) : await retireSigningKeys(tx);
    await createSigningKey(tx, cipher);
    await recordAccess(tx, 'keys.rotated', {}, { detail: { revokedOld: revokeOld } });
    return old;
  });
}

/** Without the secret key of the nodes, the new key would be unencrypted, or one that they cannot sign with. */
async function requireNodeKey(tx: Executor, cipher: SecretCipher | undefined): Promise<void> {
  const keys = await listSigningKeys(tx, 0);
  const missing = keys.find(({ secret }) => secret && !cipher?.canDecrypt(secret.keyId));
  if (!missing?.secret) return;
  throw new StartupError(
    `The signing keys are encrypted with the secret key ${missing.secret.keyId}. Set ROLLCALL_SECRET_KEY to it, as the service has it.`,
  );
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
  readonly #executor: Executor;
  readonly #cipher: SecretCipher;
  #signing: SigningPair | undefined;
  #keys: Promise<KeySet> | undefined;
  #readAtMs = 0;
  #missedAtMs = 0;
  #reloading: Promise<KeySet> | undefined;

  constructor(executor: Executor, cipher: SecretCipher) {
    this.#executor = executor;
    this.#cipher = cipher;
  }

  current(): Promise<KeySet> {
    if (this.#keys === undefined || Date.now() - this.#readAtMs > freshMs) return this.#reload();
    return this.#keys;
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
    const keys = await loadKeys(this.#executor, this.#cipher, this.#signing);
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
  const current = stored.find((key) => !key.isRetired);
  if (current === undefined) throw new Error('the database holds no key to sign tokens with');
  const published = stored.map(({ kid, jwk: { d: _secret, ...publicJwk } }) => ({
    ...publicJwk,
    kid,
    alg: signingAlgorithm,
    use: 'sig',
  }));
  const verifying = new Map<string, CryptoKey>();
  for (const jwk of published) verifying.set(jwk.kid, (await importJWK(jwk, signingAlgorithm)) as CryptoKey);
  return {
    // A node that has the key in memory keeps using it when others encrypt it with a secret key this node does not have
    // yet.
    signing: known?.kid === current.kid ? known : await signingPair(current, cipher),
    encryptedWith: current.secret?.keyId,
    verifying,
    published,
  };
}

async function signingPair(
  { kid, jwk, secret }: SigningKey,
  cipher: SecretCipher,
): Promise<SigningPair | undefined> {
  if (secret && !cipher.canDecrypt(secret.keyId)) return undefined;
  const whole = secret ? { ...jwk, d: cipher.decrypt(secret.bytes, encryptionPurpose(kid)) } : jwk;
  return { kid, key: (await importJWK(whole, signingAlgorithm)) as CryptoKey };
}
