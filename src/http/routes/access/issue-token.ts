import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { scopes } from '../../../contract/scopes.js';
import { tokenAudience } from '../../../domain/access/client-tokens.js';
import type { TokenIssuer, TokenRequest } from '../../../domain/access/issue-token.js';
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
  rejectForm,
} from '../../oauth-form.js';
import { describeOperation } from '../../openapi.js';

const anyScope = `(${scopes.join('|')})`;

const TokenForm = Type.Object(
  {
    grant_type: Type.String({ const: 'client_credentials' }),
    ...clientCredentialFields,
    scope: optionalText(`A subset of the client's scopes: ${scopes.join(' ')}. All of them if omitted.`, {
      pattern: `^ *(${anyScope}( +${anyScope})* *)?$`,
    }),
  },
  { title: 'TokenRequest' },
);

const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String({ const: 'Bearer' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.String(),
  },
  { title: 'Token' },
);

export function issueTokenRoute(app: FastifyInstance, issueToken: TokenIssuer): void {
  app.post('/oauth/token', {
    config: { takes: oauthBodyTypes, oauth: true, guesses: 'client secrets' },
    schema: describeOperation({
      operationId: 'issueToken',
      summary: 'Get an access token',
      description: `OAuth 2.0 client credentials (RFC 6749, section 4.4), with HTTP Basic authentication or fields of the body. The body is a form, as in the RFC, or a JSON object with the same fields. The token is a JWT (RFC 9068) for this service only. Its audience (\`aud\`) is \`${tokenAudience}\` in every installation; its issuer (\`iss\`) and the keys that verify it are in the metadata, GET /.well-known/oauth-authorization-server.`,
      tag: 'Access',
      secured: false,
      safe: true,
      body: {
        types: oauthBodyTypes,
        schema: TokenForm,
        examples: {
          form: {
            summary: 'Credentials in the body',
            value: { grant_type: 'client_credentials', client_id: 'client-1f2e3d', client_secret: '…' },
          },
        },
      },
      success: {
        status: 200,
        description: 'A token.',
        schema: TokenResponse,
        example: {
          access_token: 'eyJ…',
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'users:read users:write',
        },
      },
      errors: ['ACCESS_CLIENT_INVALID', 'ACCESS_GRANT_UNSUPPORTED', 'ACCESS_SCOPE_INVALID', ...oauthErrors],
    }),
    handler: async (request, reply) => {
      reply.header('pragma', 'no-cache'); // in addition to Cache-Control, as RFC 6749 requires
      const parsed = readTokenRequest(request);
      const issued = parsed.ok ? await issueToken(parsed.request, senderOf(request)) : parsed;
      if (!issued.ok) throw oauthRejected(issued.failure);
      const { accessToken, expiresInSeconds, scopes } = issued.token;
      return reply.send({
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: expiresInSeconds,
        scope: scopes.join(' '),
      });
    },
  });
}

function readTokenRequest(request: FastifyRequest): Result<{ readonly request: TokenRequest }> {
  const read = readOAuthForm(request);
  if (!read.ok) return read;
  const { form } = read;
  const grantType = form.field('grant_type');
  if (grantType === undefined)
    return invalidForm('"grant_type" is missing. Send grant_type=client_credentials.');
  if (grantType !== 'client_credentials') {
    return rejectForm(
      'ACCESS_GRANT_UNSUPPORTED',
      'This grant_type is not supported. Use client_credentials.',
    );
  }
  const client = readClientCredentials(request, form);
  if (!client.ok) return client;
  return { ok: true, request: { ...client.credentials, scope: form.field('scope') } };
}
