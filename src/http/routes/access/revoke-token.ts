import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { RevocationRequest, TokenRevoker } from '../../../domain/access/revoke-token.js';
import type { Result } from '../../../domain/result.js';
import { senderOf } from '../../authentication.js';
import {
  clientCredentialFields,
  invalidForm,
  oauthBodyTypes,
  oauthErrors,
  oauthRejected,
  optionalText,
  readClientCredentials,
  readOAuthForm,
} from '../../oauth-form.js';
import { describeOperation } from '../../openapi.js';

const RevocationForm = Type.Object(
  {
    token: Type.String({ minLength: 1, description: 'The token to revoke.' }),
    token_type_hint: optionalText('Accepted and ignored: there are only access tokens.'),
    ...clientCredentialFields,
  },
  { title: 'RevocationRequest' },
);

/** RFC 7009: a client revokes one of its own tokens. */
export function revokeTokenRoute(app: FastifyInstance, revokeToken: TokenRevoker): void {
  app.post('/oauth/revoke', {
    config: { takes: oauthBodyTypes, oauth: true, guesses: 'client secrets' },
    schema: describeOperation({
      operationId: 'revokeToken',
      summary: 'Revoke an access token',
      description:
        'OAuth 2.0 token revocation (RFC 7009), with the same client authentication as the token endpoint. The token becomes invalid within seconds on every node. Unknown, expired and already revoked tokens get the same answer. To invalidate all tokens of a client, rotate its secret with an overlap of 0, or disable it.',
      tag: 'Access',
      secured: false,
      safe: true,
      body: {
        types: oauthBodyTypes,
        schema: RevocationForm,
        examples: {
          form: {
            summary: 'Credentials in the body',
            value: { token: 'eyJ…', client_id: 'client-1f2e3d', client_secret: '…' },
          },
        },
      },
      success: {
        status: 200,
        description: 'The token is invalid, or will be within seconds.',
        schema: Type.Object({}, { title: 'Revoked' }),
        example: {},
      },
      errors: [
        'ACCESS_CLIENT_INVALID',
        'ACCESS_TOKEN_OF_ANOTHER_CLIENT',
        'ACCESS_TOKEN_TYPE_UNSUPPORTED',
        ...oauthErrors,
      ],
    }),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      const parsed = readRevocationRequest(request);
      const revoked = parsed.ok ? await revokeToken(parsed.request, senderOf(request)) : parsed;
      if (!revoked.ok) throw oauthRejected(revoked.failure);
      return reply.send({});
    },
  });
}

function readRevocationRequest(request: FastifyRequest): Result<{ readonly request: RevocationRequest }> {
  const read = readOAuthForm(request);
  if (!read.ok) return read;
  const client = readClientCredentials(request, read.form);
  if (!client.ok) return client;
  const token = read.form.field('token');
  if (token === undefined) return invalidForm('"token" is missing. Send the token to revoke.');
  return { ok: true, request: { ...client.credentials, token } };
}
