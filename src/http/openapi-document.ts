import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { errorSchema } from '../contract/error-schemas.js';
import { errorNames } from '../contract/errors.js';
import type { scopes } from '../contract/scopes.js';
import { version } from '../contract/version.js';

const scopeMeanings: Record<(typeof scopes)[number], string> = {
  'users:read': 'Read users.',
  'users:write': 'Create and change users.',
  'access:admin': 'Manage clients, roles, passwords and deliveries, which amounts to full access.',
  'audit:read': 'Read the access log and the change log.',
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
          'Create users, and update thousands of them in one call, matched by employee ID, with a result for each item. First get a token: clients from `POST /oauth/token`, users from `POST /service/auth/sign-in`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Users', description: 'Create, read and update users.' },
        {
          name: 'Changes',
          description: 'The change log, bulk calls and their undo, event streams and webhooks.',
        },
        { name: 'Sign-in', description: 'Signing in, passwords and roles.' },
        { name: 'Access', description: 'Clients, tokens, keys and the access log.' },
        { name: 'Deliveries', description: 'Password messages and their delivery.' },
        { name: 'Operations', description: 'For operators and health checks.' },
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
  // Some errors belong to no operation: a path that does not exist has none.
  named(errorNames.map(errorSchema));
  return { ...result, components: { ...result.components, schemas } };
}
