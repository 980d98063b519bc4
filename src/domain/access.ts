import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader, type JWK, jwtVerify, SignJWT } from 'jose';
import { v4 } from 'uuid';
import { type Failure, failure } from '../contract/errors.js';
import { isScope, type Scope } from '../contract/scopes.js';
import { type Client, getClient } from '../storage/clients.js';
import type { Database } from '../storage/database.js';
import { type KeySet, loadKeys, signingAlgorithm } from './signing-keys.js';

/** Who is calling, and what they may do. People and outside issuers will be further kinds. */
export interface Actor {
  readonly kind: 'client';
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

export interface AccessOptions {
  readonly issuer: string;
  readonly tokenLifetimeSeconds: number;
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
}

export type TokenReply =
  | { readonly ok: true; readonly token: IssuedToken }
  | { readonly ok: false; readonly failure: Failure };

export type Authentication =
  | { readonly ok: true; readonly actor: Actor }
  | { readonly ok: false; readonly failure: Failure };

export interface Access {
  issueToken(clientId: string, clientSecret: string, scope: string | undefined): Promise<TokenReply>;
  authenticate(token: string): Promise<Authentication>;
  publishedKeys(): Promise<readonly JWK[]>;
}

const audience = 'rollcall';
const tokenType = 'at+jwt';

/** A disabled client, or one that lost a scope, is noticed within this time on every node. */
const clientFreshMs = 3_000;
/** How often an unknown key ID may send this node to the database for new keys. */
const keysReloadPauseMs = 1_000;
const verifiedTokensMax = 10_000;
const tokenMaxLength = 4_096;

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

interface VerifiedToken {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number;
}

export function createAccess(database: Database, options: AccessOptions): Access {
  const verified = new BoundedMap<VerifiedToken>(verifiedTokensMax);
  const clients = new BoundedMap<{ client: Client | undefined; readAtMs: number }>(verifiedTokensMax);
  let keys: Promise<KeySet> | undefined;
  let keysReadAtMs = 0;

  function currentKeys(): Promise<KeySet> {
    if (keys === undefined) {
      keysReadAtMs = Date.now();
      keys = loadKeys(database.pool);
      keys.catch(() => {
        keys = undefined;
      });
    }
    return keys;
  }

  /** The key of a token; one that another node has made since is fetched, though not for every forged ID. */
  async function keyOf(kid: string) {
    const known = (await currentKeys()).verifying.get(kid);
    if (known || Date.now() - keysReadAtMs < keysReloadPauseMs) return known;
    keys = undefined;
    return (await currentKeys()).verifying.get(kid);
  }

  async function freshClient(id: string): Promise<Client | undefined> {
    const known = clients.get(id);
    if (known && Date.now() - known.readAtMs < clientFreshMs) return known.client;
    const readAtMs = Date.now();
    const client = await getClient(database.pool, id);
    clients.set(id, { client, readAtMs });
    return client;
  }

  async function verify(token: string): Promise<VerifiedToken | undefined> {
    const known = verified.get(token);
    if (known) return known.expiresAtMs > Date.now() ? known : undefined;
    const key = await keyOf(keyIdOf(token));
    if (key === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [signingAlgorithm],
        issuer: options.issuer,
        audience,
        typ: tokenType,
        requiredClaims: ['exp', 'iat', 'sub', 'scope'],
      });
      const result = {
        clientId: String(payload.sub),
        scopes: String(payload.scope).split(' ').filter(isScope),
        expiresAtMs: Number(payload.exp) * 1000,
      };
      verified.set(token, result);
      return result;
    } catch {
      return undefined; // Whatever is wrong with it, the caller learns only that it is not valid.
    }
  }

  return {
    async issueToken(clientId, clientSecret, scope) {
      const client = await getClient(database.pool, clientId);
      const secretHash = hashSecret(clientSecret);
      if (!client || client.isDisabled || !client.secretHashes.some((hash) => sameHash(hash, secretHash))) {
        return refuse(
          'ACCESS_CLIENT_INVALID',
          'The client ID or secret is wrong, or the client is disabled.',
        );
      }
      const allowed = client.scopes.filter(isScope);
      const asked =
        scope === undefined ? allowed : [...new Set(scope.split(' ').filter((word) => word !== ''))];
      if (!asked.every((word): word is Scope => (allowed as string[]).includes(word))) {
        return refuse('ACCESS_SCOPE_INVALID', `This client may ask for: ${allowed.join(' ')}.`);
      }
      const { signing } = await currentKeys();
      const accessToken = await new SignJWT({ scope: asked.join(' '), client_id: client.id })
        .setProtectedHeader({ alg: signingAlgorithm, kid: signing.kid, typ: tokenType })
        .setIssuer(options.issuer)
        .setAudience(audience)
        .setSubject(client.id)
        .setIssuedAt()
        .setExpirationTime(`${options.tokenLifetimeSeconds}s`)
        .setJti(v4())
        .sign(signing.key);
      return {
        ok: true,
        token: { accessToken, expiresInSeconds: options.tokenLifetimeSeconds, scopes: asked },
      };
    },

    async authenticate(token) {
      const claims = token.length <= tokenMaxLength ? await verify(token) : undefined;
      const client = claims && (await freshClient(claims.clientId));
      if (!claims || !client || client.isDisabled) {
        return refuse(
          'ACCESS_TOKEN_INVALID',
          'The token is not valid or has expired. Get a new one from POST /oauth/token.',
        );
      }
      const scopes = new Set(claims.scopes.filter((scope) => client.scopes.includes(scope)));
      return { ok: true, actor: { kind: 'client', id: client.id, scopes } };
    },

    async publishedKeys() {
      return (await currentKeys()).published;
    },
  };
}

/** The key ID that the token's header names; read before anything is checked, so any text may come. */
function keyIdOf(token: string): string {
  try {
    return String(decodeProtectedHeader(token).kid);
  } catch {
    return '';
  }
}

function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function refuse(error: Failure['error'], detail: string): { ok: false; failure: Failure } {
  return { ok: false, failure: failure(error, detail) };
}

/** Forgets the oldest entry when it is full: strangers cannot make it grow. */
class BoundedMap<T> {
  readonly #entries = new Map<string, T>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    if (this.#entries.size >= this.#max && !this.#entries.has(key)) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, value);
  }
}
