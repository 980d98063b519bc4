import type { TSchema } from 'typebox';
import { type Deprecation, deprecated } from '../contract/deprecation.js';
import { anyErrorOf } from '../contract/error-schemas.js';
import { type ErrorName, errorCatalogue } from '../contract/errors.js';

interface Example {
  /** Absent if the value says the same. */
  readonly summary?: string;
  readonly value: unknown;
}

export type Tag =
  | 'Users'
  | 'Changes'
  | 'Sign-in'
  | 'Access'
  | 'Applications'
  | 'Deliveries'
  | 'Directories'
  | 'Attributes'
  | 'Feeds'
  | 'Provisioning'
  | 'Operations';

export interface OperationDoc {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** Whether the operation needs a token. Routes that do have its scope in their configuration. */
  readonly secured: boolean;
  /** Changes nothing although it is not a GET, so that it can be retried. */
  readonly safe?: boolean;
  readonly deprecation?: Deprecation;
  readonly parameters?: {
    readonly querystring?: TSchema;
    readonly params?: TSchema;
    readonly headers?: TSchema;
  };
  readonly body?: {
    /** Whether the request can do without. */
    readonly optional?: boolean;
    readonly types: readonly string[];
    readonly schema: TSchema;
    readonly examples: Record<string, Example>;
  };
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema: TSchema;
    readonly example: unknown;
    readonly headers?: Record<string, string>;
    /** Of the body, if it is not JSON. */
    readonly mediaType?: string;
    /** Another way to succeed, with a reply of the same shape. */
    readonly alternative?: {
      readonly status: number;
      readonly description: string;
      readonly example: unknown;
    };
  };
  /** The reply with status 202 and the same body, if the operation can also be planned. */
  readonly accepted?: { readonly description: string; readonly headers: Record<string, string> };
  readonly errors: readonly ErrorName[];
  /** Errors carry their data only with details=true, as on the operations of the contract. */
  readonly errorDataOnRequest?: boolean;
}

/** Errors of every operation. */
export const openErrors: readonly ErrorName[] = [
  'REQUEST_NOT_ACCEPTABLE',
  'REQUEST_RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'SERVICE_INTERNAL_ERROR',
];

/** Errors of requests that do not reach an operation. */
const unroutedErrors: readonly ErrorName[] = [
  'REQUEST_MALFORMED',
  'REQUEST_PATH_NOT_FOUND',
  'REQUEST_METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'REQUEST_HEADERS_TOO_LARGE',
];

/** In addition, for operations that need a token. */
export const commonErrors: readonly ErrorName[] = [
  'ACCESS_TOKEN_REQUIRED',
  'ACCESS_TOKEN_INVALID',
  'ACCESS_SCOPE_MISSING',
  'ACCESS_PASSWORD_CHANGE_REQUIRED',
  'ACCESS_FACTOR_REQUIRED',
  ...openErrors,
];

/** In addition, for operations with a body. */
export const bodyErrors: readonly ErrorName[] = [
  'REQUEST_BODY_NOT_JSON',
  'REQUEST_BODY_TOO_DEEP',
  'REQUEST_BODY_TOO_LARGE',
  'REQUEST_MEDIA_TYPE_UNSUPPORTED',
];

/** All errors of an operation with a body that writes to the database, besides those of its subject. */
export const writeErrors: readonly ErrorName[] = [
  'REQUEST_BODY_INVALID',
  ...bodyErrors,
  ...commonErrors,
  'SERVICE_OUTCOME_UNKNOWN',
];

/** In addition, for operations that accept an idempotency key. */
export const keyErrors: readonly ErrorName[] = [
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
];

/** In addition, for operations whose body is a user. */
export const userErrors: readonly ErrorName[] = [
  'USER_EMPLOYEE_ID_EXISTS',
  'USER_USERNAME_EXISTS',
  'USER_ATTRIBUTE_EXISTS',
  'USER_MANAGER_NOT_FOUND',
  'USER_MANAGER_CYCLE',
  'USER_CONTACT_REQUIRED',
  'USER_NOT_AN_OBJECT',
  'USER_FIELD_REQUIRED',
  'USER_FIELD_INVALID',
  'USER_FIELD_NOT_ACCEPTED',
  ...bodyErrors,
  ...commonErrors,
  'SERVICE_OUTCOME_UNKNOWN',
];

/** Marks operations whose body is optional, because the plugin describes every body as required. */
export const optionalBody = 'x-optional-body';

/** The description of an operation for its route, as read by @fastify/swagger. */
export function describeOperation(doc: OperationDoc): Record<string, unknown> {
  const { success } = doc;
  return {
    operationId: doc.operationId,
    summary: doc.summary,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    tags: [doc.tag],
    security: doc.secured ? [{ clientCredentials: [] }, { bearer: [] }] : [],
    ...(doc.safe ? { 'x-safe': true } : {}),
    ...(doc.deprecation === undefined ? {} : deprecated(doc.deprecation)),
    ...(doc.body?.optional ? { [optionalBody]: true } : {}),
    ...doc.parameters,
    ...(doc.body === undefined ? {} : { body: bodyContent(doc.body) }),
    response: {
      [success.status]: successResponse(doc, success),
      ...(success.alternative && {
        [success.alternative.status]: successResponse(doc, { ...success, ...success.alternative }),
      }),
      ...(doc.accepted && { 202: successResponse(doc, { ...doc.accepted, example: success.example }) }),
      ...errorResponses(doc.errors, doc.errorDataOnRequest !== true),
    },
  };
}

type Success = Pick<OperationDoc['success'], 'description' | 'example' | 'headers'>;

function successResponse({ body, success }: OperationDoc, { description, example, headers }: Success) {
  // Named like the examples of the body: tools such as Specmatic pair them by name.
  const names = body === undefined ? ['success'] : Object.keys(body.examples);
  const examples = names.map((name) => [name, { value: example }]);
  return {
    description,
    ...(headers === undefined ? {} : { headers: headerSchemas(headers) }),
    ...content([success.mediaType ?? 'application/json'], success.schema, Object.fromEntries(examples)),
  };
}

function content(types: readonly string[], schema: TSchema, examples: Record<string, Example>) {
  return { content: Object.fromEntries(types.map((type) => [type, { schema, examples }])) };
}

/** For a body, the plugin takes the examples from the schema. */
function bodyContent({ types, schema, examples }: NonNullable<OperationDoc['body']>) {
  return content(types, { ...schema, 'x-examples': examples } as TSchema, examples);
}

function headerSchemas(headers: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }]),
  );
}

/** The reply to requests that do not reach an operation. */
export function unroutedResponse() {
  return errorResponse('A request that does not reach the operation.', unroutedErrors, true);
}

/** One response per status, with an example of each error. */
function errorResponses(names: readonly ErrorName[], withData: boolean) {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of names) {
    const { status } = errorCatalogue[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      status,
      errorResponse(sameStatus.join(', '), sameStatus, withData),
    ]),
  );
}

function errorResponse(description: string, names: readonly ErrorName[], withData: boolean) {
  const examples = Object.fromEntries(names.map((name) => [name, errorExample(name, withData)]));
  return { description, ...content(['application/json'], anyErrorOf(names), examples) };
}

function errorExample(name: ErrorName, withData: boolean): Example {
  const { code, meaning, ...entry } = errorCatalogue[name];
  const body = { errorCode: code, message: name, detail: meaning };
  const data = withData && 'data' in entry ? exampleData(entry.data.properties) : {};
  return { value: Object.keys(data).length === 0 ? body : { ...body, data } };
}

function exampleData(properties: Readonly<Record<string, TSchema & { examples?: readonly unknown[] }>>) {
  const examples = Object.entries(properties).map(([name, schema]) => [name, schema.examples?.[0]]);
  return Object.fromEntries(examples.filter(([, example]) => example !== undefined));
}
