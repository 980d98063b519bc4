import { decodeProtectedHeader, jwtVerify } from 'jose';
import { isScope, type Scope } from '../../contract/scopes.js';
import { type Client, getClient } from '../../storage/clients.js';
import type { Database } from '../../storage/database.js';
import { BoundedMap } from '../bounded-map.js';
import { type TokenOptions, tokenAudience, tokenType } from './access-token.js';
import { type KeyRing, signingAlgorithm } from './signing-keys.js';

/** A disabled client, or one that lost a scope, is noticed within this time on every node. */
const clientFreshMs = 3_000;
const rememberedMax = 10_000;

interface VerifiedToken {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number;
  readonly keyId: string;
}

export interface TokenHolder {
  readonly clientId: string;
  readonly scopes: ReadonlySet<Scope>;
}

export type ClientTokens = (token: string) => Promise<TokenHolder | undefined>;

/**
 * Checks the tokens that this service issued. A signature is verified once per token, the state of its client every few
 * seconds, and its key each time: a key that was withdrawn takes its tokens with it.
 */
export function createClientTokens(
  database: Database,
  keys: KeyRing,
  options: Pick<TokenOptions, 'issuer'>,
): ClientTokens {
  const verified = new BoundedMap<VerifiedToken>(rememberedMax);
  const clients = new BoundedMap<{ client: Client | undefined; readAtMs: number }>(rememberedMax);

  async function verify(token: string): Promise<VerifiedToken | undefined> {
    const known = verified.get(token);
    if (known) {
      const isGood = known.expiresAtMs > Date.now() && (await keys.current()).verifying.has(known.keyId);
      return isGood ? known : undefined;
    }
    const keyId = keyIdOf(token);
    const key = await keys.find(keyId);
    if (key === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [signingAlgorithm],
        issuer: options.issuer,
        audience: tokenAudience,
        typ: tokenType,
        requiredClaims: ['exp', 'iat', 'sub', 'scope'],
      });
      const result = {
        clientId: String(payload.sub),
        scopes: String(payload.scope).split(' ').filter(isScope),
        expiresAtMs: Number(payload.exp) * 1000,
        keyId,
      };
      verified.set(token, result);
      return result;
    } catch {
      return undefined; // Whatever is wrong with it, the caller learns only that it is not valid.
    }
  }

  async function freshClient(id: string): Promise<Client | undefined> {
    const known = clients.get(id);
    if (known && Date.now() - known.readAtMs < clientFreshMs) return known.client;
    const readAtMs = Date.now();
    const client = await getClient(database.pool, id);
    clients.set(id, { client, readAtMs });
    return client;
  }

  return async (token) => {
    const claims = await verify(token);
    const client = claims && (await freshClient(claims.clientId));
    if (!claims || !client || client.isDisabled) return undefined;
    return {
      clientId: client.id,
      scopes: new Set(claims.scopes.filter((scope) => client.scopes.includes(scope))),
    };
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
