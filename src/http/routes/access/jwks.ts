import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { KeyRing } from '../../../domain/access/signing-keys.js';
import { describeOperation } from '../../openapi.js';
import { sendCacheable } from '../../static-file.js';

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
