import { SignJWT } from 'jose';
import { v4 } from 'uuid';
import { type Failure, failure } from '../../contract/errors.js';
import { isScope, type Scope } from '../../contract/scopes.js';
import type { ThrottledEvents } from '../audit/throttled-events.js';
import type { Sender } from '../caller.js';
import type { ClientAuthenticator, ClientCredentials } from './authenticate-client.js';
import { generationClaim, type TokenOptions, tokenAudience, tokenType } from './client-tokens.js';
import { type KeyRing, signingAlgorithm } from './signing-keys.js';

export interface TokenRequest extends ClientCredentials {
  /** A subset of the client's scopes, separated by spaces; all of them if omitted. */
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

/** How many tokens of a client are recorded individually per minute. Further ones are counted. */
const recordedPerMinuteMax = 10;

export interface TokenIssuerParts {
  readonly keys: KeyRing;
  readonly authenticateClient: ClientAuthenticator;
  readonly issued: ThrottledEvents;
}

export function createTokenIssuer(parts: TokenIssuerParts, options: TokenOptions): TokenIssuer {
  const { keys, authenticateClient, issued } = parts;
  return async ({ scope, ...credentials }, sender) => {
    const authentication = await authenticateClient(credentials, sender);
    if (!authentication.ok) return authentication;
    const { client } = authentication;
    const allowed = client.scopes.filter(isScope);
    const asked =
      scope === undefined ? allowed : [...new Set(scope.split(' ').filter((word) => word !== ''))];
    if (!asked.every((word): word is Scope => (allowed as string[]).includes(word))) {
      return { ok: false, failure: scopeInvalid(allowed) };
    }
    const signing = await keys.signing();
    const tokenId = v4();
    const claims = {
      scope: asked.join(' '),
      client_id: client.id,
      [generationClaim]: client.tokenGeneration,
    };
    const accessToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: signingAlgorithm, kid: signing.kid, typ: tokenType })
      .setIssuer(options.issuer)
      .setAudience(tokenAudience)
      .setSubject(client.id)
      .setIssuedAt()
      .setExpirationTime(`${options.lifetimeSeconds}s`)
      .setJti(tokenId)
      .sign(signing.key);
    const actor = { kind: 'client', id: client.id, scopes: new Set(asked) } as const;
    await issued.record({
      kind: 'token.issued',
      caller: { ...sender, actor },
      facts: { clientId: client.id, detail: { tokenId, scopes: asked } },
      group: client.id,
      rowsMax: recordedPerMinuteMax,
    });
    return { ok: true, token: { accessToken, expiresInSeconds: options.lifetimeSeconds, scopes: asked } };
  };
}

function scopeInvalid(allowed: Scope[]): Failure {
  const detail = `This client can only request these scopes: ${allowed.join(' ')}.`;
  return failure('ACCESS_SCOPE_INVALID', detail, { allowed });
}
