import { SignJWT } from 'jose';
import { v4 } from 'uuid';
import { type ErrorName, type Failure, failure } from '../../contract/errors.js';
import { isScope, type Scope } from '../../contract/scopes.js';
import { type Client, getClient } from '../../storage/clients.js';
import type { Database } from '../../storage/database.js';
import { BoundedMap } from '../bounded-map.js';
import type { Sender } from '../caller.js';
import { recordAccess } from './access-events.js';
import { type TokenOptions, tokenAudience, tokenType } from './access-token.js';
import { isOneOf } from './client-secret.js';
import { type KeyRing, signingAlgorithm } from './signing-keys.js';

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Some of the client's scopes, separated by spaces; all of them without it. */
  readonly scope: string | undefined;
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
}

export type TokenReply =
  | { readonly ok: true; readonly token: IssuedToken }
  | { readonly ok: false; readonly failure: Failure };

export type TokenIssuer = (request: TokenRequest, sender: Sender) => Promise<TokenReply>;

/** One refusal of a client per minute is put on record by each node: a job that runs wild must not fill the table. */
const recordedEveryMs = 60_000;
const rememberedMax = 1_000;

export function createTokenIssuer(database: Database, keys: KeyRing, options: TokenOptions): TokenIssuer {
  const recordedAtMs = new BoundedMap<number>(rememberedMax);

  async function recordRefusal({ id, isDisabled }: Client, sender: Sender): Promise<void> {
    if (Date.now() - (recordedAtMs.get(id) ?? 0) < recordedEveryMs) return;
    recordedAtMs.set(id, Date.now());
    await recordAccess(database.pool, 'token.refused', sender, { clientId: id, detail: { isDisabled } });
  }

  return async ({ clientId, clientSecret, scope }, sender) => {
    const client = await getClient(database.pool, clientId);
    if (!client || client.isDisabled || !isOneOf(clientSecret, client.secretHashes)) {
      if (client) await recordRefusal(client, sender);
      return refuse('ACCESS_CLIENT_INVALID', 'The client ID or secret is wrong, or the client is disabled.');
    }
    const allowed = client.scopes.filter(isScope);
    const asked =
      scope === undefined ? allowed : [...new Set(scope.split(' ').filter((word) => word !== ''))];
    if (!asked.every((word): word is Scope => (allowed as string[]).includes(word))) {
      return refuse('ACCESS_SCOPE_INVALID', `This client may ask for: ${allowed.join(' ')}.`);
    }
    const { signing } = await keys.current();
    const accessToken = await new SignJWT({ scope: asked.join(' '), client_id: client.id })
      .setProtectedHeader({ alg: signingAlgorithm, kid: signing.kid, typ: tokenType })
      .setIssuer(options.issuer)
      .setAudience(tokenAudience)
      .setSubject(client.id)
      .setIssuedAt()
      .setExpirationTime(`${options.lifetimeSeconds}s`)
      .setJti(v4())
      .sign(signing.key);
    return { ok: true, token: { accessToken, expiresInSeconds: options.lifetimeSeconds, scopes: asked } };
  };
}

function refuse(error: ErrorName, detail: string): TokenReply {
  return { ok: false, failure: failure(error, detail) };
}
