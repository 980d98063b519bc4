import type { IssuerSettings } from '../../contract/issuers.js';
import type { Database } from '../../storage/database.js';
import type { TokenOptions } from './access-token.js';
import { type Authenticator, createAuthenticator } from './authenticate.js';
import { createClientTokens } from './client-tokens.js';
import { createTokenIssuer, type TokenIssuer } from './issue-token.js';
import { createOutsideIssuers } from './outside-issuers.js';
import { KeyRing } from './signing-keys.js';

/** Everything about who may call: the keys, and the two things that are done with them. */
export interface Access {
  readonly issuer: string;
  readonly keys: KeyRing;
  readonly issueToken: TokenIssuer;
  readonly authenticate: Authenticator;
}

export interface AccessOptions extends TokenOptions {
  readonly outsideIssuers: readonly IssuerSettings[];
  /** Told when the keys of an outside issuer cannot be had. */
  readonly onIssuerTrouble: (issuer: string, problem: string) => void;
}

export function createAccess(database: Database, options: AccessOptions): Access {
  const keys = new KeyRing(database.pool);
  const clientTokens = createClientTokens(database, keys, options);
  const outsideIssuers = createOutsideIssuers(options.outsideIssuers, {
    onTrouble: options.onIssuerTrouble,
  });
  return {
    issuer: options.issuer,
    keys,
    issueToken: createTokenIssuer(database, keys, options),
    authenticate: createAuthenticator(database, clientTokens, outsideIssuers),
  };
}
