import { setTimeout as pause } from 'node:timers/promises';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { v7 } from 'uuid';
import { tokenLifetimeMaxSeconds } from '../../contract/limits.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  retireSigningKeys,
} from '../../storage/signing-keys.js';
import { recordAccess } from './access-events.js';

/** The one algorithm tokens are signed and checked with. Anything else in a header is refused. */
export const signingAlgorithm = 'ES256';

export interface KeySet {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** What /.well-known/jwks.json shows. */
  readonly published: readonly JWK[];
}

export async function createSigningKey(tx: Executor): Promise<void> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  await insertSigningKey(tx, v7(), await exportJWK(privateKey));
}

/**
 * A new key signs from now on. The old ones stay good for checking until the last token they signed has ended, or end at
 * once with all their tokens if they are revoked.
 */
export async function rotateSigningKeys(
  database: Database,
  { revokeOld }: { readonly revokeOld: boolean },
): Promise<number> {
  return transaction(database, async (tx) => {
    const old = revokeOld ? await deleteSigningKeys(tx) : await retireSigningKeys(tx);
    await createSigningKey(tx);
    await recordAccess(tx, 'keys.rotated', {}, { detail: { revokedOld: revokeOld } });
    return old;
  });
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
  #keys: Promise<KeySet> | undefined;
  #readAtMs = 0;
  #missedAtMs = 0;
  #looking: Promise<KeySet> | undefined;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  current(): Promise<KeySet> {
    if (this.#keys === undefined || Date.now() - this.#readAtMs > freshMs) return this.#reload();
    return this.#keys;
  }

  #reload(): Promise<KeySet> {
    this.#readAtMs = Date.now();
    const loading = loadKeys(this.#executor);
    this.#keys = loading;
    loading.catch(() => {
      if (this.#keys === loading) this.#keys = undefined;
    });
    return loading;
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

async function loadKeys(executor: Executor): Promise<KeySet> {
  const stored = await listSigningKeys(executor, retiredKeySeconds);
  const current = stored.find((key) => !key.isRetired);
  if (current === undefined) throw new Error('the database holds no key to sign tokens with');
  const published = stored.map(({ kid, privateJwk: { d: _secret, ...publicJwk } }) => ({
    ...publicJwk,
    kid,
    alg: signingAlgorithm,
    use: 'sig',
  }));
  const verifying = new Map<string, CryptoKey>();
  for (const jwk of published) verifying.set(jwk.kid, (await importJWK(jwk, signingAlgorithm)) as CryptoKey);
  const key = (await importJWK(current.privateJwk, signingAlgorithm)) as CryptoKey;
  return { signing: { kid: current.kid, key }, verifying, published };
}
