import type { IncomingMessage } from 'node:http';
import type { SessionContext } from '../../domain/access/sessions.js';
import type { Sender } from '../../domain/caller.js';
import type { SecretContext } from '../../domain/secrets/secret-cipher.js';

export interface OpenIdContext extends SecretContext, SessionContext {
  /** Of a request that the provider is answering. */
  senderOf(request: IncomingMessage): Sender | undefined;
}

/** Below the URL of the service. Both together are the issuer. */
export const providerPath = '/oidc';
