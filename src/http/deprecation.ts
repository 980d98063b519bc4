import './types.js';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Deprecation } from '../contract/deprecation.js';
import type { JsonBody } from './json-body.js';
import type { HeaderSet } from './security-headers.js';

/** Tells the caller that the request used, or the reply contains, something deprecated. */
export function announceDeprecated(reply: FastifyReply, ...used: readonly Deprecation[]): void {
  if (used.length === 0) return;
  reply.deprecations = [...(reply.deprecations ?? []), ...used];
  reply.headers(deprecationHeaders(reply.deprecations));
}

/** The headers of RFC 9745 and RFC 8594. If a request uses several deprecated things, the earliest dates count. */
export function deprecationHeaders(used: readonly Deprecation[]): HeaderSet {
  const earliest = (dates: readonly string[]) => Math.min(...dates.map((date) => Date.parse(date)));
  const sunsets = used.flatMap(({ sunset }) => sunset ?? []);
  const links = [...new Set(used.map(({ link }) => `<${link}>; rel="deprecation"`))];
  return {
    deprecation: `@${earliest(used.map(({ since }) => since)) / 1_000}`,
    ...(sunsets.length === 0 ? {} : { sunset: new Date(earliest(sunsets)).toUTCString() }),
    link: links.join(', '),
  };
}

/**
 * Announces deprecated operations, parameters and request fields when they are used. They are declared by their schemas
 * alone. Deprecated fields of replies are announced by the code that writes them. Routes without a declaration get no
 * hook.
 */
export function announceDeprecatedRequests(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const deprecations = deprecationsOf(route);
    if (deprecations.length === 0) return;
    route.preHandler = [
      async (request: FastifyRequest, reply: FastifyReply) =>
        announceDeprecated(
          reply,
          ...deprecations.flatMap((each) => (each.isUsed(request) ? each.deprecation : [])),
        ),
      ...[route.preHandler ?? []].flat(),
    ];
  });
}

interface Declared {
  readonly deprecation: Deprecation;
  isUsed(request: FastifyRequest): boolean;
}

/** The parts of a route's schema that can be deprecated. */
interface Described {
  readonly 'x-deprecation'?: Deprecation;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

function deprecationsOf({ schema }: RouteOptions): Declared[] {
  if (schema === undefined) return [];
  // Fastify leaves the type of schemas open.
  const { querystring, headers, body, ...operation } = schema as Described & Record<string, unknown>;
  const content = (body ?? {}) as { readonly content?: Readonly<Record<string, { schema: Described }>> };
  const bodies = Object.values(content.content ?? {}).map((each) => each.schema);
  return [
    ...declared(operation, () => true),
    ...deprecatedFields(querystring as Described, (name, { query }) => Object.hasOwn(Object(query), name)),
    ...deprecatedFields(headers as Described, (name, sent) => sent.headers[name.toLowerCase()] !== undefined),
    // All media types of a body have the same fields.
    ...deprecatedFields(bodies[0], (name, sent) => hasField(sent.body, name)),
  ];
}

function declared({ 'x-deprecation': deprecation }: Described, isUsed: Declared['isUsed']): Declared[] {
  return deprecation === undefined ? [] : [{ deprecation, isUsed }];
}

/** The deprecated fields of a schema, at any depth. */
function deprecatedFields(
  schema: Described | undefined,
  isUsed: (name: string, request: FastifyRequest) => boolean,
): Declared[] {
  if (schema === undefined) return [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...declared(field, (request) => isUsed(name, request)),
    ...deprecatedFields(field, isUsed),
  ]);
  const parts = [schema.items, ...(schema.anyOf ?? [])];
  return [...fields, ...parts.flatMap((part) => deprecatedFields(part, isUsed))];
}

/** Enough to see which fields a caller sends, and little enough to search for each request. */
const searchedMaxBytes = 64 * 1024;

/**
 * Searches the text, because long lists are not parsed yet. In JSON, a string before a colon is always a name: quotes
 * inside of strings are escaped.
 */
function hasField(body: unknown, name: string): boolean {
  if (body == null) return false;
  if (body instanceof URLSearchParams) return body.has(name);
  const text = (body as JsonBody).bytes.toString('latin1', 0, searchedMaxBytes);
  return new RegExp(`"${name}"\\s*:`).test(text);
}
