import { setTimeout as pause } from 'node:timers/promises';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { v7 } from 'uuid';
import { tokenLifetimeMaxSeconds } from '../../contract/limits.js';
import {
  deleteSigningKeys,
  insertSigningKey,
  listClearSigningKeys,
  listSigningKeys,
  retireSigningKeys,
  type SigningKey,
  sealSigningKey,
} from '../../storage/access/signing-keys.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { StartRefused } from '../../storage/errors.js';
import { recordAccess } from '../audit/access-event.js';
import type { Vault } from '../secrets/vault.js';

/** The one algorithm tokens are signed and checked with. Anything else in a header is refused. */
export const signingAlgorithm = 'ES256';

export interface KeySet {
  /** Undefined if it is encrypted with a key that this node does not have. */
  readonly signing: SigningPair | undefined;
  /** Of the key that the signing key is encrypted with, if it is. */
  readonly sealedWith: string | undefined;
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** What /.well-known/jwks.json shows. */
  readonly published: readonly JWK[];
}

interface SigningPair {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** Its private part is encrypted if the operator has set a key for that, which all nodes then have. */
export async function createSigningKey(tx: Executor, vault: Vault | undefined): Promise<void> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const kid = v7();
  const { d, ...publicJwk } = await exportJWK(privateKey);
  await insertSigningKey(
    tx,
    vault?.isConfigured
      ? { kid, jwk: publicJwk, secret: vault.seal(d as string, sealPurpose(kid)) }
      : { kid, jwk: { ...publicJwk, d: d as string }, secret: null },
  );
}

export function sealPurpose(kid: string): string {
  return `signing key ${kid}`;
}

/** Encrypts the signing keys that are in clear, if a key is set. Several nodes may do it at the same time. */
export async function sealSigningKeys(executor: Executor, vault: Vault): Promise<number> {
  if (!vault.isConfigured) return 0;
  let sealed = 0;
  for (const { kid, jwk } of await listClearSigningKeys(executor)) {
    if (await sealSigningKey(executor, kid, vault.seal(jwk.d as string, sealPurpose(kid)))) sealed++;
  }
  return sealed;
}

/**
 * A new key signs from now on. The old ones stay good for checking until the last token they signed has ended, or end at
 * once with all their tokens if they are revoked.
 */
export async function rotateSigningKeys(
  database: Database,
  vault: Vault | undefined,
  { revokeOld }: { readonly revokeOld: boolean },
): Promise<number> {
  return transaction(database, async (tx) => {
    await requireTheirKey(tx, vault);
    const old = revokeOld ? await deleteSigningKeys(tx) : await retireSigningKeys(tx);
    await createSigningKey(tx, vault);
    await recordAccess(tx, 'keys.rotated', {}, { detail: { revokedOld: revokeOld } });
    return old;
  });
}

/** A key that was made without the secret key of the nodes would be in clear, or be one they cannot sign with. */
async function requireTheirKey(tx: Executor, vault: Vault | undefined): Promise<void> {
  const keys = await listSigningKeys(tx, 0);
  const missing = keys.find(({ secret }) => secret && !vault?.canOpen(secret.keyId));
  if (!missing?.secret) return;
  throw new StartRefused(
    `The signing keys are encrypted with the secret key ${missing.secret.keyId}. Set ROLLCALL_SECRET_KEY to it, as the service has it.`,
  );
}

/** The least time between two looks for keys that are not known: forged IDs are many, and share the next look. */
const missPauseMs = 100;
/** After this long the keys are read again: a rotation on another node is followed, and a withdrawn key forgotten. */
const freshMs = 5_000;
/** A node may sign with a retired key until it reads the keys again, and such a token lives its whole lifetime. */
export const retiredKeySeconds = tokenLifetimeMaxSeconds + 60;

/** The keys of the database, kept in memory. */
export class KeyRing {
  readonly #executor: Executor;
  readonly #vault: Vault;
  #signing: SigningPair | undefined;
  #keys: Promise<KeySet> | undefined;
  #readAtMs = 0;
  #missedAtMs = 0;
  #looking: Promise<KeySet> | undefined;

  constructor(executor: Executor, vault: Vault) {
    this.#executor = executor;
    this.#vault = vault;
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
    const keys = await loadKeys(this.#executor, this.#vault, this.#signing);
    this.#signing = keys.signing;
    return keys;
  }

  /** The key of a token; one that another node has made since is fetched, though not for every forged ID apart. */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const known = (await this.current()).verifying.get(kid);
    if (known) return known;
    this.#looking ??= this.#lookAgain();
    return (await this.#looking).verifying.get(kid);
  }

  async #lookAgain(): Promise<KeySet> {
    await pause(Math.max(0, this.#missedAtMs + missPauseMs - Date.now()));
    this.#missedAtMs = Date.now();
    this.#looking = undefined; // Who comes from now on may ask for a key that this look is too early for.
    return this.#reload();
  }
}

async function loadKeys(executor: Executor, vault: Vault, known: SigningPair | undefined): Promise<KeySet> {
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
    // A node that has the key in memory goes on with it when others encrypt it with a key that it was not given yet.
    signing: known?.kid === current.kid ? known : await signingPair(current, vault),
    sealedWith: current.secret?.keyId,
    verifying,
    published,
  };
}

async function signingPair({ kid, jwk, secret }: SigningKey, vault: Vault): Promise<SigningPair | undefined> {
  if (secret && !vault.canOpen(secret.keyId)) return undefined;
  const whole = secret ? { ...jwk, d: vault.open(secret.bytes, sealPurpose(kid)) } : jwk;
  return { kid, key: (await importJWK(whole, signingAlgorithm)) as CryptoKey };
}
