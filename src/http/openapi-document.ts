import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { scopes } from '../contract/scopes.js';
import { version } from '../contract/version.js';

const scopeMeanings: Record<(typeof scopes)[number], string> = {
  'users:read': 'Read users.',
  'users:write': 'Create and change users.',
  'access:admin': 'Manage clients, roles, passwords and deliveries; so in the end, everything.',
  'audit:read': 'Read the record of access and changes.',
};

export function openApiDocument(): FastifyDynamicSwaggerOptions {
  return {
    transformObject: (document) =>
      'openapiObject' in document ? withNamedSchemas(document.openapiObject) : document.swaggerObject,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rollcall',
        version,
        summary: 'User management by employee ID.',
        description:
          'Create people, and update thousands of them in one call, matched by employee ID, each item answered on its own. Get a token first: machines from `POST /oauth/token`, people from `POST /service/auth/sign-in`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Users', description: 'Create, read and change people.' },
        {
          name: 'Changes',
          description: 'What changed, bulk calls and their undo, and being told of changes.',
        },
        { name: 'People', description: 'Signing in, passwords and roles.' },
        { name: 'Access', description: 'Clients, tokens, keys, and the record of access.' },
        { name: 'Deliveries', description: 'Messages that bring people their passwords.' },
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

/** Schemas with a title become components of that name, so that generated clients have a type for each. */
function withNamedSchemas<T extends { components?: object }>(document: T): T {
  const schemas: Record<string, unknown> = {};
  const named = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(named);
    if (typeof node !== 'object' || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, named(value)]));
    if (typeof copy.title !== 'string' || copy.type !== 'object') return copy;
    schemas[copy.title] = copy;
    return { $ref: `#/components/schemas/${copy.title}` };
  };
  const result = named(document) as T;
  return { ...result, components: { ...result.components, schemas } };
}
