import { readFileSync } from 'node:fs';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { scopes } from '../contract/scopes.js';

export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;

const scopeMeanings: Record<(typeof scopes)[number], string> = {
  'users:read': 'Read users.',
  'users:write': 'Create and change users.',
  'access:admin': 'Manage clients and roles.',
  'audit:read': 'Read the record of changes.',
};

export function openApiDocument(): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rollcall',
        version,
        summary: 'User management by employee ID.',
        description:
          'Create people, and update thousands of them in one call, matched by employee ID, each item answered on its own. Get a token from `POST /oauth/token` first.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Users', description: 'Create, read and change people.' },
        { name: 'Access', description: 'Tokens and keys.' },
        { name: 'Running', description: 'For operators and their probes.' },
      ],
      components: {
        securitySchemes: {
          clientCredentials: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: scopeMeanings } },
          },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
  };
}
