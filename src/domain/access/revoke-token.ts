import { type Failure, failure } from '../../contract/errors.js';
import type { Scope } from '../../contract/scopes.js';
import { findTokenOwner, revokeClientToken } from '../../storage/access/client-tokens.js';
import { insertRevokedToken } from '../../storage/access/clients.js';
import { type Database, transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Sender } from '../caller.js';
import { hashSecret, isLongLivedToken } from '../clients/client-credentials.js';
import type { ClientAuthenticator, ClientCredentials } from './authenticate-client.js';
import type { ClientTokens } from './client-tokens.js';
import type { LongLivedTokens } from './long-lived-tokens.js';
import { isSessionToken } from './sessions.js';

export interface RevocationRequest extends ClientCredentials {
  readonly token: string;
}

export type Revocation = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };

export type TokenRevoker = (request: RevocationRequest, sender: Sender) => Promise<Revocation>;

export interface TokenRevokerParts {
  readonly clientTokens: ClientTokens;
  readonly longLivedTokens: LongLivedTokens;
  readonly authenticateClient: ClientAuthenticator;
}

/** Revokes a token of the requesting client. A token that is invalid anyway counts as revoked (RFC 7009). */
export function createTokenRevoker(database: Database, parts: TokenRevokerParts): TokenRevoker {
  const { clientTokens, longLivedTokens, authenticateClient } = parts;
  return async ({ token, ...credentials }, sender) => {
    const authentication = await authenticateClient(credentials, sender);
    if (!authentication.ok) return authentication;
    const { client } = authentication;
    if (isSessionToken(token)) {
      return reject(
        'ACCESS_TOKEN_TYPE_UNSUPPORTED',
        'This token is the session of a user. End it with POST /service/auth/sign-out.',
      );
    }
    if (isLongLivedToken(token)) {
      const owner = await findTokenOwner(database.pool, hashSecret(token));
      if (!owner) return { ok: true };
      if (owner.clientId !== client.id) return ofAnotherClient();
      await transaction(database, async (tx) => {
        if (!(await revokeClientToken(tx, owner.tokenId))) return;
        const actor = { kind: 'client', id: client.id, scopes: new Set<Scope>() } as const;
        const facts = { clientId: client.id, detail: { tokenId: owner.tokenId } };
        await recordAccess(tx, 'client.token-revoked', { ...sender, actor }, facts);
      });
      longLivedTokens.forget(token);
      return { ok: true };
    }
    const claims = await clientTokens.verify(token);
    if (!claims) return { ok: true };
    if (claims.clientId !== client.id) return ofAnotherClient();
    await transaction(database, async (tx) => {
      if (!(await insertRevokedToken(tx, claims))) return;
      const actor = { kind: 'client', id: client.id, scopes: new Set(claims.scopes) } as const;
      const facts = { clientId: client.id, detail: { tokenId: claims.tokenId } };
      await recordAccess(tx, 'token.revoked', { ...sender, actor }, facts);
    });
    clientTokens.forget(token, client.id);
    return { ok: true };
  };
}

function ofAnotherClient(): Revocation {
  return reject(
    'ACCESS_TOKEN_OF_ANOTHER_CLIENT',
    'This token belongs to another client. Revoke it with the credentials of that client.',
  );
}

function reject(
  error: 'ACCESS_TOKEN_TYPE_UNSUPPORTED' | 'ACCESS_TOKEN_OF_ANOTHER_CLIENT',
  detail: string,
): Revocation {
  return { ok: false, failure: failure(error, detail) };
}
