import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../contract/scopes.js';
import type { Authenticator } from '../domain/authenticate.js';
import { Refused } from './refused.js';

/** Settles who is calling and whether they may, before a byte of the body is read. */
export function authentication(authenticate: Authenticator) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const { scope } = request.routeOptions.config;
    if (scope === undefined) return;
    const token = tokenOf(request.headers.authorization);
    if (token === undefined) {
      throw new Refused(
        'ACCESS_TOKEN_REQUIRED',
        'Send "Authorization: Bearer <token>", with a token from POST /oauth/token.',
        { 'www-authenticate': 'Bearer' },
      );
    }
    const answer = await authenticate(token);
    if (!answer.ok) {
      const { error, detail } = answer.failure;
      throw new Refused(error, detail, { 'www-authenticate': 'Bearer error="invalid_token"' });
    }
    const { actor } = answer;
    if (!actor.scopes.has(scope)) throw scopeMissing(scope);
    request.actor = actor;
  };
}

/** `Bearer <token>`, or the bare token that the contract shows. */
function tokenOf(authorization: string | undefined): string | undefined {
  const [, token] = /^(?:bearer +)?([^\s]+)$/i.exec(authorization?.trim() ?? '') ?? [];
  return token?.toLowerCase() === 'bearer' ? undefined : token;
}

function scopeMissing(scope: Scope): Refused {
  return new Refused(
    'ACCESS_SCOPE_MISSING',
    `This operation needs the scope ${scope}; ask for it with the token.`,
    {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
    },
  );
}
