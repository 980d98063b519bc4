import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type ErrorName, type Failure, failure } from '../../../contract/errors.js';
import { scopes } from '../../../contract/scopes.js';
import type { TokenIssuer, TokenRequest } from '../../../domain/access/issue-token.js';
import { senderOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { describeOperation } from '../../openapi.js';

const formType = 'application/x-www-form-urlencoded';

const TokenForm = Type.Object(
  {
    grant_type: Type.String({ const: 'client_credentials' }),
    client_id: Type.Optional(Type.String({ description: 'Unless HTTP Basic authentication carries it.' })),
    client_secret: Type.Optional(
      Type.String({ description: 'Unless HTTP Basic authentication carries it.' }),
    ),
    scope: Type.Optional(
      Type.String({ description: `Some of the client's scopes: ${scopes.join(' ')}. All without it.` }),
    ),
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

export function tokenRoute(
  app: FastifyInstance,
  issueToken: TokenIssuer,
  requestsPerMinuteMax: number,
): void {
  app.post('/oauth/token', {
    config: { takes: [formType], oauth: true, rateLimit: { max: requestsPerMinuteMax } },
    schema: describeOperation({
      operationId: 'issueToken',
      summary: 'Get an access token',
      description:
        'OAuth 2.0 client credentials (RFC 6749, section 4.4), by HTTP Basic authentication or form fields.',
      tag: 'Access',
      secured: false,
      safe: true,
      body: {
        types: [formType],
        schema: TokenForm,
        examples: {
          form: {
            summary: 'Credentials as form fields',
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
      errors: [
        'ACCESS_CLIENT_INVALID',
        'ACCESS_GRANT_UNSUPPORTED',
        'ACCESS_SCOPE_INVALID',
        'ACCESS_TOKEN_REQUEST_INVALID',
        'REQUEST_MEDIA_TYPE_UNSUPPORTED',
        'REQUEST_BODY_TOO_LARGE',
        'REQUEST_RATE_LIMITED',
        'SERVICE_UNAVAILABLE',
      ],
    }),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      const asked = readTokenRequest(request);
      const issued = asked.ok ? await issueToken(asked.request, senderOf(request)) : asked;
      if (!issued.ok) {
        const { error } = issued.failure;
        if (error === 'ACCESS_CLIENT_INVALID') reply.header('www-authenticate', 'Basic realm="rollcall"');
        return sendFailure(request, reply, issued.failure);
      }
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

type TokenAsked =
  | { readonly ok: true; readonly request: TokenRequest }
  | { readonly ok: false; readonly failure: Failure };

function readTokenRequest(request: FastifyRequest): TokenAsked {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) return invalid('A form field is given twice.');
  // A parameter sent without a value is treated as if it were left out (RFC 6749, section 3.2).
  const field = (name: string) => form.get(name) || undefined;
  const grantType = field('grant_type');
  if (grantType === undefined)
    return invalid('The form field grant_type is missing; send client_credentials.');
  if (grantType !== 'client_credentials') {
    return refuse('ACCESS_GRANT_UNSUPPORTED', 'The only grant_type is client_credentials.');
  }
  const basic = basicCredentials(request.headers.authorization);
  if (basic && field('client_secret'))
    return invalid('Send the credentials once: by HTTP Basic or as form fields.');
  const clientId = basic?.id ?? field('client_id');
  const clientSecret = basic?.secret ?? field('client_secret');
  if (clientId === undefined || clientSecret === undefined) {
    return refuse(
      'ACCESS_CLIENT_INVALID',
      'Send client_id and client_secret, as form fields or by HTTP Basic.',
    );
  }
  if (clientId.includes('\u0000'))
    return refuse('ACCESS_CLIENT_INVALID', 'The client ID holds a NUL character.');
  return { ok: true, request: { clientId, clientSecret, scope: field('scope') } };
}

/** RFC 6749 has both parts form-encoded before they are joined; IDs and secrets without such characters are as sent. */
function basicCredentials(authorization: string | undefined): { id: string; secret: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization?.trim() ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function invalid(detail: string): TokenAsked {
  return refuse('ACCESS_TOKEN_REQUEST_INVALID', detail);
}

function refuse(error: ErrorName, detail: string): TokenAsked {
  return { ok: false, failure: failure(error, detail) };
}
