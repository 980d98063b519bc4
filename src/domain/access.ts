import type { Database } from '../storage/database.js';
import type { TokenOptions } from './access-token.js';
import { type Authenticator, createAuthenticator } from './authenticate.js';
import { createTokenIssuer, type TokenIssuer } from './issue-token.js';
import { KeyRing } from './signing-keys.js';

/** Everything about who may call: the keys, and the two things that are done with them. */
export interface Access {
  readonly keys: KeyRing;
  readonly issueToken: TokenIssuer;
  readonly authenticate: Authenticator;
}

export function createAccess(database: Database, options: TokenOptions): Access {
  const keys = new KeyRing(database.pool);
  return {
    keys,
    issueToken: createTokenIssuer(database, keys, options),
    authenticate: createAuthenticator(database, keys, options),
  };
}
