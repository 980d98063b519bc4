// Parts of the API description, with one schema for all errors.

/**
 * The part of the API description that callers of the contract need: its two operations and the token endpoint, with
 * only the fields that they have without parameters. For code generators, which make hundreds of types of the whole
 * description.
 */
export function contractDocument({ openapi, info, servers, tags, components, paths }) {
  const operations = ['/service/users', '/service/users/update-bulk', '/oauth/token'].map((path) => [
    path,
    { post: withOwnFieldsOnly(paths[path].post) },
  ]);
  const used = operations.flatMap(([, { post }]) => post.tags);
  const document = {
    openapi,
    info: { ...info, description },
    servers,
    tags: tags.filter(({ name }) => used.includes(name)),
    paths: Object.fromEntries(operations),
  };
  return {
    ...document,
    components: {
      securitySchemes: components.securitySchemes,
      schemas: { Error: errorObject, ...schemasOf(document, components.schemas, simplified) },
      responses: {
        Error: { description: 'An error.', content: errorContent },
      },
    },
  };
}

/** One operation, as the page at /docs shows it. The description of a failure lists its errors. */
export function documentWith({ openapi, info, servers, tags, components, paths }, path, method) {
  const { responses, ...operation } = paths[path][method];
  const shown = Object.entries(responses).map(([status, reply]) =>
    Number(status) < 400
      ? [status, reply]
      : [status, { description: reply.description ?? 'Any other error.', content: errorContent }],
  );
  const document = withOneError({
    openapi,
    info: { title: info.title, version: info.version },
    servers,
    tags: tags.filter(({ name }) => operation.tags.includes(name)).map(({ name }) => ({ name })),
    paths: { [path]: { [method]: { ...operation, responses: Object.fromEntries(shown) } } },
  });
  return {
    ...document,
    components: {
      securitySchemes: components.securitySchemes,
      schemas: { Error: errorObject, ...schemasOf(document, components.schemas, withOneError) },
    },
  };
}

const description =
  'The two operations of the contract, and the token endpoint. docs/contract.md explains them, and openapi.json describes every operation, parameter and error.';

const errorObject = {
  type: 'object',
  required: ['errorCode', 'message', 'detail'],
  properties: {
    errorCode: { type: 'integer', description: 'Numeric error code.' },
    message: { type: 'string', description: 'Symbolic error name.' },
    detail: { type: 'string', description: 'A human-readable explanation.' },
  },
  title: 'Error',
  description: 'docs/errors.md lists every error.',
};

/** Without the query, and the replies that only its parameters lead to. */
function withOwnFieldsOnly({ parameters = [], responses, ...operation }) {
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const own = operation.operationId === 'createUser' ? ['201'] : ['200'];
  const replies = Object.entries(responses).flatMap(([status, reply]) => {
    if (own.includes(status)) return [[status, reply]];
    return Number(status) >= 400 ? [[status, errorReply]] : [];
  });
  return {
    ...operation,
    ...(headers.length > 0 ? { parameters: headers } : {}),
    responses: { ...Object.fromEntries(replies), default: errorReply },
  };
}

const errorSchema = { $ref: '#/components/schemas/Error' };
const errorContent = { 'application/json': { schema: errorSchema } };
const errorReply = { $ref: '#/components/responses/Error' };

/** Fields that a reply has only if a parameter asks for them. */
const onRequest = new Set(['position', 'effect', 'normalized', 'ignored']);

/** The schemas that the document refers to, and those that they refer to. */
function schemasOf(document, all, simplify, found = {}) {
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name === 'Error' || found[name]) continue;
    found[name] = simplify(all[name]);
    schemasOf(found[name], all, simplify, found);
  }
  return found;
}

function simplified(schema) {
  if (Array.isArray(schema)) return schema.map(simplified);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (isErrorUnion(schema)) return errorSchema;
  return mapped(schema, (key, value) => (key === 'properties' ? simplifiedFields(value) : simplified(value)));
}

function withOneError(schema) {
  if (Array.isArray(schema)) return schema.map(withOneError);
  if (typeof schema !== 'object' || schema === null) return schema;
  return isErrorUnion(schema) ? errorSchema : mapped(schema, (_, value) => withOneError(value));
}

function simplifiedFields(properties) {
  const own = Object.entries(properties).filter(([name]) => !onRequest.has(name));
  return mapped(Object.fromEntries(own), (name, property) =>
    name === 'payload' ? { ...typesOnly(property), description: property.description } : simplified(property),
  );
}

/** A payload is returned as sent, so the rules of its fields are those of the request. */
function typesOnly(schema) {
  if (Array.isArray(schema)) return schema.map(typesOnly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = ['type', 'anyOf', 'items', 'required', 'properties'].filter((key) => key in schema);
  const types = Object.fromEntries(kept.map((key) => [key, schema[key]]));
  return mapped(types, (key, value) =>
    key === 'properties' ? mapped(value, (_, property) => typesOnly(property)) : typesOnly(value),
  );
}

function mapped(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)]));
}

function isErrorUnion({ anyOf }) {
  return anyOf?.every(({ $ref }) => $ref?.endsWith('Error')) ?? false;
}
