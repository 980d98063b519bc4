import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { v7 } from 'uuid';
import type { Executor } from '../storage/database.js';
import { insertSigningKey, listSigningKeys } from '../storage/signing-keys.js';

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

/** How often an unknown key ID may send this node to the database for new keys. */
const reloadPauseMs = 1_000;

/** The keys of the database, kept in memory. */
export class KeyRing {
  readonly #executor: Executor;
  #keys: Promise<KeySet> | undefined;
  #readAtMs = 0;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  current(): Promise<KeySet> {
    if (this.#keys === undefined) {
      this.#readAtMs = Date.now();
      this.#keys = loadKeys(this.#executor);
      this.#keys.catch(() => {
        this.#keys = undefined;
      });
    }
    return this.#keys;
  }

  /** The key of a token; one that another node has made since is fetched, though not for every forged ID. */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const known = (await this.current()).verifying.get(kid);
    if (known || Date.now() - this.#readAtMs < reloadPauseMs) return known;
    this.#keys = undefined;
    return (await this.current()).verifying.get(kid);
  }
}

async function loadKeys(executor: Executor): Promise<KeySet> {
  const stored = await listSigningKeys(executor);
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
