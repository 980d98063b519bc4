import type { IssuerSettings } from '../../contract/issuers.js';
import { noteClientUse } from '../../storage/access/clients.js';
import type { Database } from '../../storage/database.js';
import { ThrottledEvents } from '../audit/throttled-events.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { type Authenticator, createAuthenticator } from './authenticate.js';
import { createClientAuthenticator } from './authenticate-client.js';
import { createClientTokens, type TokenOptions } from './client-tokens.js';
import { createExternalIssuers } from './external-issuers.js';
import { createTokenIssuer, type TokenIssuer } from './issue-token.js';
import { createLongLivedTokens } from './long-lived-tokens.js';
import { NotedUses } from './noted-uses.js';
import { createTokenRevoker, type TokenRevoker } from './revoke-token.js';
import { KeyRing } from './signing-keys.js';

/** Everything that decides who may call. */
export interface Access {
  readonly issuer: string;
  readonly keys: KeyRing;
  readonly issueToken: TokenIssuer;
  readonly revokeToken: TokenRevoker;
  readonly authenticate: Authenticator;
  /** Writes events that were only counted so far, and when tokens and clients were used. */
  close(): Promise<void>;
}

export interface AccessOptions extends TokenOptions {
  readonly externalIssuers: readonly IssuerSettings[];
  readonly sessionIdleSeconds: number;
  /** Called when the keys of an external issuer are unavailable. */
  readonly onIssuerFailure: (issuer: string, problem: string) => void;
}

export function createAccess(database: Database, cipher: SecretCipher, options: AccessOptions): Access {
  const keys = new KeyRing(database, cipher);
  const clientUses = new NotedUses((ids) => noteClientUse(database.pool, ids));
  const clientTokens = createClientTokens(database, keys, options, clientUses);
  const longLivedTokens = createLongLivedTokens(database, clientUses);
  const outsideIssuers = createExternalIssuers(options.externalIssuers, {
    onFetchFailed: options.onIssuerFailure,
  });
  const rejections = new ThrottledEvents(database.pool);
  const issued = new ThrottledEvents(database.pool);
  const authenticateClient = createClientAuthenticator(database, rejections);
  return {
    get issuer() {
      return options.issuer; // read late: a port chosen by the system is known only once the service listens
    },
    keys,
    issueToken: createTokenIssuer({ keys, authenticateClient, issued }, options),
    revokeToken: createTokenRevoker(database, { clientTokens, longLivedTokens, authenticateClient }),
    authenticate: createAuthenticator(
      database,
      clientTokens,
      longLivedTokens,
      outsideIssuers,
      options.sessionIdleSeconds,
    ),
    close: async () => {
      await rejections.flush();
      await issued.flush();
      await longLivedTokens.flush();
      await clientUses.flush();
    },
  };
}
