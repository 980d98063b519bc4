import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { scopes } from '../contract/scopes.js';
import { apiVersion, version } from '../contract/version.js';
import { sufficientScopes } from './authentication.js';
import { optionalBody, unroutedResponse } from './openapi.js';
import { unroutedName, withSharedParts } from './openapi-shared-parts.js';
import { webhookMessages } from './openapi-webhooks.js';

const scopeMeanings: Record<(typeof scopes)[number], string> = {
  'users:read': 'Read users.',
  'users:write': 'Create and change users.',
  'attributes:sensitive': 'Read and change sensitive attributes of users.',
  'access:admin': 'Manage clients, roles, passwords and deliveries, which amounts to full access.',
  'audit:read': 'Read the access log and the change log.',
  scim: 'Provision users and groups at /scim/v2.',
};

const introduction =
  'Create users, and update thousands of them in one call, matched by employee ID, with a result for each item. First get a token: clients from `POST /oauth/token`, users from `POST /service/auth/sign-in`.';

const compatibility = `This is version ${apiVersion} of the API, as the \`Rollcall-Api-Version\` header of every response says. Operations, optional parameters, response fields, error codes and enum values can be added at any time, so ignore what you don't know. What is deprecated is marked here, and a response that involves it has a \`Deprecation\` header.`;

export function openApiDocument(): FastifyDynamicSwaggerOptions {
  return {
    transform: ({ schema, url, route }) => ({ schema: withScopes(schema, route.config?.scope), url }),
    transformObject: (document) =>
      'openapiObject' in document
        ? withSharedParts(withNamedSchemas(withUnrouted(withDeprecatedParameters(document.openapiObject))))
        : document.swaggerObject,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rollcall',
        version,
        ...{ 'x-api-version': apiVersion }, // an extension, which the type doesn't know
        summary: 'User management by employee ID.',
        description: `${introduction}\n\n${compatibility}`,
        contact: { name: 'The operator of this service' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Users', description: 'Create, read and update users.' },
        { name: 'Attributes', description: 'Fields of users that the company defines.' },
        {
          name: 'Changes',
          description: 'The change log, bulk calls and their undo, event streams and webhooks.',
        },
        { name: 'Sign-in', description: 'Signing in, passwords and roles.' },
        { name: 'Access', description: 'Clients, tokens, keys and the access log.' },
        { name: 'Feeds', description: 'Files that the service fetches and syncs by itself.' },
        {
          name: 'Applications',
          description: 'Applications of the company, whose users sign in here with OpenID Connect.',
        },
        { name: 'Provisioning', description: 'SCIM services to which users and groups are pushed.' },
        { name: 'Directories', description: 'Organizations and tags, their names and their parts.' },
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

/** The scopes of a route are in its configuration, where they are enforced. */
function withScopes<T extends FastifySchema>(schema: T, scope: FastifyContextConfig['scope']): T {
  const sufficient = sufficientScopes(scope).filter((scopes) => scopes.length > 0);
  if (sufficient.length === 0) return schema;
  const security = sufficient.map((scopes) => ({ clientCredentials: [...scopes] }));
  return { ...schema, security: [...security, { bearer: [] }] };
}

interface WithParameters {
  readonly parameters?: readonly {
    readonly schema?: { readonly deprecated?: boolean };
    deprecated?: boolean;
  }[];
}

/** The plugin leaves the mark in the schema of a parameter. Readers expect it on the parameter. */
function withDeprecatedParameters<T extends { paths?: object }>(document: T): T {
  const operations = Object.values(document.paths ?? {}).flatMap((path) =>
    Object.values(path as Record<string, WithParameters>),
  );
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (parameter.schema?.deprecated) parameter.deprecated = true;
  }
  return document;
}

function withOptionalBody({ [optionalBody]: isOptional, ...node }: Record<string, unknown>) {
  return isOptional ? { ...node, requestBody: { ...(node.requestBody as object), required: false } } : node;
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly example?: unknown }[];
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly content?: Record<string, { examples?: object }> }
  >;
}

/** Path parameters have an example for each example of the reply, named like it, because tools pair them by name. */
function withPathExamples({ parameters, ...operation }: Operation) {
  if (parameters === undefined) return operation;
  const [success] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const names = Object.values(success?.[1].content ?? {}).flatMap(({ examples = {} }) =>
    Object.keys(examples),
  );
  const withExamples = parameters.map(({ example, ...parameter }) => {
    if (example === undefined) return parameter;
    if (parameter.in !== 'path') return { ...parameter, example };
    return { ...parameter, examples: Object.fromEntries(names.map((name) => [name, { value: example }])) };
  });
  return { ...operation, parameters: withExamples };
}

/** Any request can fail before it reaches its operation. */
function withUnrouted(document: { paths?: object; components?: object }) {
  const response = { $ref: `#/components/responses/${unroutedName}` };
  const described = Object.entries(document.paths ?? {}).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries<Operation>(operations).map(([method, operation]) => [
        method,
        withPathExamples({ ...operation, responses: { ...operation.responses, default: response } }),
      ]),
    ),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(described),
    webhooks: webhookMessages,
    components: { ...document.components, responses: { [unroutedName]: unroutedResponse() } },
  };
}

/** Schemas with a title become components of that name, so that generated clients have a type for each. */
function withNamedSchemas<T extends { components?: object }>(document: T): T {
  const schemas: Record<string, unknown> = {};
  const named = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(named);
    if (typeof node !== 'object' || node === null) return node;
    const copy = withOptionalBody(
      Object.fromEntries(Object.entries(node).map(([key, value]) => [key, named(value)])),
    );
    if (typeof copy.title !== 'string' || !(copy.type === 'object' || copy.anyOf)) return copy;
    schemas[copy.title] = copy;
    return { $ref: `#/components/schemas/${copy.title}` };
  };
  const result = named(document) as T;
  return { ...result, components: { ...result.components, schemas } };
}
