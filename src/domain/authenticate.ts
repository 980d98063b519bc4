import { decodeProtectedHeader, jwtVerify } from 'jose';
import { type Failure, failure } from '../contract/errors.js';
import { isScope, type Scope } from '../contract/scopes.js';
import { type Client, getClient } from '../storage/clients.js';
import type { Database } from '../storage/database.js';
import { type TokenOptions, tokenAudience, tokenType } from './access-token.js';
import { BoundedMap } from './bounded-map.js';
import { type KeyRing, signingAlgorithm } from './signing-keys.js';

/** Who is calling, and what they may do. People and outside issuers will be further kinds. */
export interface Actor {
  readonly kind: 'client';
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

export type Authentication =
  | { readonly ok: true; readonly actor: Actor }
  | { readonly ok: false; readonly failure: Failure };

export type Authenticator = (token: string) => Promise<Authentication>;

/** A disabled client, or one that lost a scope, is noticed within this time on every node. */
const clientFreshMs = 3_000;
const rememberedMax = 10_000;
const tokenMaxLength = 4_096;

interface VerifiedToken {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number;
}

/** Checks tokens. A signature is verified once per token, the state of its client every few seconds. */
export function createAuthenticator(
  database: Database,
  keys: KeyRing,
  options: Pick<TokenOptions, 'issuer'>,
): Authenticator {
  const verified = new BoundedMap<VerifiedToken>(rememberedMax);
  const clients = new BoundedMap<{ client: Client | undefined; readAtMs: number }>(rememberedMax);

  async function verify(token: string): Promise<VerifiedToken | undefined> {
    const known = verified.get(token);
    if (known) return known.expiresAtMs > Date.now() ? known : undefined;
    const key = await keys.find(keyIdOf(token));
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
    const claims = token.length <= tokenMaxLength ? await verify(token) : undefined;
    const client = claims && (await freshClient(claims.clientId));
    if (!claims || !client || client.isDisabled) return { ok: false, failure: notValid() };
    const scopes = new Set(claims.scopes.filter((scope) => client.scopes.includes(scope)));
    return { ok: true, actor: { kind: 'client', id: client.id, scopes } };
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

function notValid(): Failure {
  return failure(
    'ACCESS_TOKEN_INVALID',
    'The token is not valid or has expired. Get a new one from POST /oauth/token.',
  );
}
