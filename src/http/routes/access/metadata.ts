import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { scopes } from '../../../contract/scopes.js';
import type { Access } from '../../../domain/access/access.js';
import type { KeyRing } from '../../../domain/access/signing-keys.js';
import { describeOperation, openErrors } from '../../openapi.js';
import { sendCacheable } from '../../static-file.js';

const Metadata = Type.Object(
  {
    issuer: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    jwks_uri: Type.String(),
  },
  { title: 'AuthorizationServerMetadata', additionalProperties: true },
);
const wellKnown = '/.well-known/oauth-authorization-server';
const clientAuthentication = ['client_secret_basic', 'client_secret_post'];

function metadataOf(issuer: string, servesDocs: boolean) {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: scopes,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    ...(servesDocs ? { service_documentation: `${issuer}/docs` } : {}),
  };
}

/** What OAuth libraries read before they request a token (RFC 8414). */
export function metadataRoute(
  app: FastifyInstance,
  access: Pick<Access, 'issuer'>,
  servesDocs: boolean,
): void {
  const send = async (request: FastifyRequest, reply: FastifyReply) =>
    sendCacheable(request, reply, metadataOf(access.issuer, servesDocs), 'public, max-age=300');
  app.get(wellKnown, {
    schema: describeOperation({
      operationId: 'getMetadata',
      summary: 'OAuth authorization server metadata',
      description: 'What OAuth libraries read before they request a token (RFC 8414).',
      tag: 'Access',
      secured: false,
      success: {
        status: 200,
        description: 'Authorization server metadata (RFC 8414).',
        schema: Metadata,
        example: metadataOf('https://rollcall.example.com', true),
      },
      errors: openErrors,
    }),
    handler: send,
  });
  // RFC 8414 puts the path of an issuer after the well-known part.
  const { pathname } = new URL(access.issuer);
  if (pathname !== '/') app.get(`${wellKnown}${pathname}`, { schema: { hide: true } }, send);
}

const Jwks = Type.Object(
  { keys: Type.Array(Type.Object({}, { additionalProperties: true })) },
  { title: 'Jwks' },
);

export function jwksRoute(app: FastifyInstance, keys: KeyRing): void {
  app.get('/.well-known/jwks.json', {
    schema: describeOperation({
      operationId: 'getKeys',
      summary: 'Public keys that verify tokens',
      description:
        'A JSON Web Key Set (RFC 7517). It has several keys during a key rotation, and if nodes do not share ROLLCALL_SECRET_KEY.',
      tag: 'Access',
      secured: false,
      success: {
        status: 200,
        description: 'A JSON Web Key Set.',
        schema: Jwks,
        example: {
          keys: [{ kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: '0198c0de-…', alg: 'ES256', use: 'sig' }],
        },
      },
      errors: ['REQUEST_NOT_ACCEPTABLE', 'REQUEST_RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    }),
    handler: async (request, reply) =>
      sendCacheable(request, reply, { keys: (await keys.current()).published }, 'public, max-age=60'),
  });
}
