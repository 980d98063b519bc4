import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { v7 } from 'uuid';
import { type Database, transaction } from '../../storage/database.js';
import {
  deleteRetiredOpenIdKeys,
  insertOpenIdKey,
  listOpenIdKeys,
  lockOpenIdKeys,
  type OpenIdKey,
  retireOpenIdKeys,
} from '../../storage/openid/keys.js';
import type { SecretCipher, SecretContext } from '../secrets/secret-cipher.js';

/** Every relying party understands it: OpenID Connect requires it. */
const algorithm = 'RS256';

/** How long a key signs. Its successor is made by whoever needs it first. */
const signsSeconds = 90 * 86_400;
/** Much longer than an ID token lives, because applications send old ones along when users sign out. */
const publishedSeconds = 7 * 86_400;
/** How old what a node knows of the keys may be. */
const freshMs = 5_000;

export interface OpenIdKeySet {
  /** With their private parts: those that this node can use, the one that signs first. */
  readonly usable: readonly JWK[];
  /** Of all nodes, without private parts. */
  readonly published: readonly JWK[];
  /** Differs if any key does. */
  readonly fingerprint: string;
}

/** The keys that sign ID tokens, which all nodes with the same secret key share. */
export class OpenIdKeys {
  readonly #context: SecretContext;
  #known: Promise<OpenIdKeySet> | undefined;
  #readAtMs = 0;

  constructor(context: SecretContext) {
    this.#context = context;
  }

  current(): Promise<OpenIdKeySet> {
    if (this.#known && Date.now() - this.#readAtMs < freshMs) return this.#known;
    this.#readAtMs = Date.now();
    const reading = loadKeys(this.#context);
    this.#known = reading;
    reading.catch(() => {
      if (this.#known === reading) this.#known = undefined;
    });
    return reading;
  }
}

async function loadKeys(context: SecretContext): Promise<OpenIdKeySet> {
  const { database, cipher } = context;
  const stored = await listOpenIdKeys(database.pool);
  const keys = stored.some((key) => canSign(key, cipher)) ? stored : await replaceKey(context);
  const usable = keys.filter(({ secret }) => cipher.canDecrypt(secret.keyId));
  // A retired key only verifies what it has signed, so it comes last.
  const ordered = [
    ...usable.filter(({ isRetired }) => !isRetired),
    ...usable.filter(({ isRetired }) => isRetired),
  ];
  return {
    usable: ordered.map(({ kid, publicJwk, secret }) => ({
      ...published({ kid, publicJwk }),
      ...(JSON.parse(cipher.decrypt(secret.bytes, encryptionPurpose(kid))) as JWK),
    })),
    published: keys.map(published),
    fingerprint: keys.map(({ kid, isRetired }) => `${kid}${isRetired ? '-' : ''}`).join(),
  };
}

function canSign({ isRetired, ageSeconds, secret }: OpenIdKey, cipher: SecretCipher): boolean {
  return !isRetired && ageSeconds < signsSeconds && cipher.canDecrypt(secret.keyId);
}

function published({ kid, publicJwk }: Pick<OpenIdKey, 'kid' | 'publicJwk'>): JWK {
  return { ...publicJwk, kid, alg: algorithm, use: 'sig' };
}

/** Unless another node has just done so. */
async function replaceKey({ database, cipher }: SecretContext): Promise<OpenIdKey[]> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const { kty, n, e, ...secret } = await exportJWK(privateKey);
  return transaction(database, async (tx) => {
    await lockOpenIdKeys(tx);
    const keys = await listOpenIdKeys(tx);
    if (keys.some((key) => canSign(key, cipher))) return keys;
    await retireOpenIdKeys(tx, cipher.keyIds);
    const kid = v7();
    await insertOpenIdKey(tx, {
      kid,
      publicJwk: { kty, n, e } as JWK,
      secret: cipher.encrypt(JSON.stringify(secret), encryptionPurpose(kid)),
    });
    return listOpenIdKeys(tx);
  });
}

function encryptionPurpose(kid: string): string {
  return `openid key ${kid}`;
}

export async function pruneOpenIdKeys({ pool }: Database): Promise<void> {
  await deleteRetiredOpenIdKeys(pool, publishedSeconds);
}
